// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Details: the selected operation of the recorded step.
#include "ui/panels/node_details/node_details_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  return new NodeDetailsView(context, parent);
}

}  // namespace

const PanelDef& panelDef_node_details() {
  static const PanelDef def{
      QStringLiteral("node_details"),
      QT_TRANSLATE_NOOP("Panel", "Details"),
      QT_TRANSLATE_NOOP("Panel", "Tensors, kernels and memory of the selected operation"),
      QStringLiteral("info"),
      {{Mode::Inspect, Area::Right, 0, {300, 340}}},
      &make};
  return def;
}

}  // namespace tenon::ui
