// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Step graph: what autograd built in the recorded step.
#include "ui/panels/step_graph/step_graph_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new StepGraphView(context, parent); }

}  // namespace

const PanelDef& panelDef_step_graph() {
  static const PanelDef def{
      QStringLiteral("step_graph"),
      QT_TRANSLATE_NOOP("Panel", "Step graph"),
      QT_TRANSLATE_NOOP("Panel", "The computation graph of the recorded step, as it really ran"),
      QStringLiteral("graph"),
      {{Mode::Inspect, Area::Centre}},
      &make};
  return def;
}

}  // namespace tenon::ui
