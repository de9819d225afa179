// SPDX-License-Identifier: Apache-2.0
// Layer "hard_tanh": a pointwise activation.
#include <fmt/format.h>

#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("min", -1.0)
              .called(TENON_TEXT("Lowest"))
              .describe(TENON_TEXT("Smaller values become this.")),
          floatParam("max", 1.0)
              .called(TENON_TEXT("Highest"))
              .describe(TENON_TEXT("Larger values become this."))};
}

// Operations per element by convention of the cost display, not by instruction.
LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const double low = request.params.getFloat("min"), high = request.params.getFloat("max");
  if (low >= high) {
    result.issues.push_back(
        layerIssue("graph.range", TENON_TEXT("the lowest value {0} must be below the highest {1}"),
                   {fmt::format("{:g}", low), fmt::format("{:g}", high)}, "max"));
    return result;
  }
  result = samePlan(request, 2);
  result.summary = fmt::format("{:g} … {:g}", low, high);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([low = request.params.getFloat("min"),
                        high = request.params.getFloat("max")](const LayerCall& call) {
    return hardTanh(call.inputs[0], low, high);
  });
}

}  // namespace

const LayerDef& layerDef_hard_tanh();
const LayerDef& layerDef_hard_tanh() {
  static const LayerDef kDef = {
      .id = "hard_tanh",
      .title = "Hard tanh",
      .family = LayerFamily::Activation,
      .help = TENON_TEXT("Limits values to a range; straight in between."),
      .icon = "activation",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
