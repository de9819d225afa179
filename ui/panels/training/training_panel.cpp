// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Training settings: beside the curves when it is asked for.
#include "ui/panels/training/training_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new TrainingView(context, parent); }

}  // namespace

const PanelDef& panelDef_training() {
  static const PanelDef def = [] {
    Placement train{Mode::Train, Area::Left, 0, {320, 0}};
    train.hidden = true;
    return PanelDef{QStringLiteral("training"),
                    QT_TRANSLATE_NOOP("Panel", "Training settings"),
                    QT_TRANSLATE_NOOP("Panel",
                                      "Epochs, batch size, device, loss, optimizer, "
                                      "metrics and checkpoints of the next run"),
                    QStringLiteral("settings"),
                    {train},
                    &make};
  }();
  return def;
}

}  // namespace tenon::ui
