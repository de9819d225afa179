// SPDX-License-Identifier: GPL-3.0-or-later
// Arranges a recorded graph (step_graph_layout.h).
#include "ui/panels/step_graph/step_graph_layout.h"

#include "ui/graphview/graph_style.h"
#include "ui/graphview/layout_job.h"
#include "ui/session/recorded_step.h"

namespace tenon::ui {

std::optional<StepGraph> arrangedStepGraph(const StepData& step, const StepGraphWish& wish,
                                           const std::stop_token& stop) {
  StepGraph graph = stepGraph(step, wish);
  LayoutOptions options;
  options.layerGap = 44;
  options.nodeGap = 56;
  const auto places = layeredLayout(layoutGraphOf(graph.data), options, stop);
  if (!places) return std::nullopt;
  applyLayout(graph.data, *places);
  putForwardLeft(graph.data, canvas::kNodeWidth);
  return graph;
}

}  // namespace tenon::ui
