// SPDX-License-Identifier: GPL-3.0-or-later
// Panel First batch: what the model gets first, after all transforms.
#include "ui/panels/first_batch/first_batch_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  return new FirstBatchView(context, parent);
}

}  // namespace

const PanelDef& panelDef_first_batch() {
  static const PanelDef def{
      QStringLiteral("first_batch"),
      QT_TRANSLATE_NOOP("Panel", "First batch"),
      QT_TRANSLATE_NOOP("Panel",
                        "What transforms make of a sample, and the first training batch "
                        "exactly as the model gets it"),
      QStringLiteral("image"),
      {{Mode::Data, Area::Bottom, 0, {0, 180}}},
      &make};
  return def;
}

}  // namespace tenon::ui
