// SPDX-License-Identifier: Apache-2.0
// Layer "input": where the batch enters the graph.
#include "engine/layers/planning.h"

namespace tenon {
namespace {

// The graph gives the shape of the data as the one "input" of the plan.
LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  result.outputs = {request.inputs[0]};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return call.inputs[0]; });
}

}  // namespace

const LayerDef& layerDef_input();
const LayerDef& layerDef_input() {
  static const LayerDef kDef = {
      .id = "input",
      .title = "Input",
      .family = LayerFamily::Data,
      .help =
          TENON_TEXT("The batch as the data pipeline makes it. Its shape follows from the data."),
      .icon = "data",
      .inputs = {},
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
