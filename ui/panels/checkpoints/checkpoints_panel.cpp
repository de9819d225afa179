// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Checkpoints: what was saved of the selected run.
#include "ui/panels/checkpoints/checkpoints_view.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  return new CheckpointsView(context, parent);
}

}  // namespace

const PanelDef& panelDef_checkpoints() {
  static const PanelDef def = [] {
    Placement place{Mode::Results, Area::Right, 2, {480, 400}};
    place.tabbed = true;
    return PanelDef{QStringLiteral("checkpoints"),
                    QT_TRANSLATE_NOOP("Panel", "Checkpoints"),
                    QT_TRANSLATE_NOOP("Panel", "What was saved of the selected run"),
                    QStringLiteral("save"),
                    {place},
                    &make};
  }();
  return def;
}

}  // namespace tenon::ui
