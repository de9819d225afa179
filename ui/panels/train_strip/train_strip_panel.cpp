// SPDX-License-Identifier: GPL-3.0-or-later
// Panel of the strip on top of Train.
#include "ui/panels/train_strip/train_strip.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new TrainStrip(context, parent); }

}  // namespace

const PanelDef& panelDef_train_strip() {
  static const PanelDef def = [] {
    Placement strip{Mode::Train, Area::Top, 0, {1224, 52}};
    strip.fixedStrip = true;
    return PanelDef{QStringLiteral("train_strip"),
                    QT_TRANSLATE_NOOP("Panel", "Run"),
                    QT_TRANSLATE_NOOP("Panel", "State and progress of the run, live learning rate"),
                    QStringLiteral("train"),
                    {strip},
                    &make};
  }();
  return def;
}

}  // namespace tenon::ui
