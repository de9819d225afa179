// SPDX-License-Identifier: Apache-2.0
// Layer "add": the sum of its inputs, as in a residual connection.
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  for (const PortShape& in : request.inputs) {
    if (in == request.inputs[0]) continue;
    result.issues.push_back(layerIssue("graph.shape-mismatch",
                                       TENON_TEXT("inputs must have one shape, got {0} and {1}"),
                                       {toString(request.inputs[0]), toString(in)}));
    return result;
  }
  result.outputs = {request.inputs[0]};
  result.flops = static_cast<double>(request.inputs.size() - 1) *
                 static_cast<double>(request.inputs[0].perSample());
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) {
    Tensor sum = call.inputs[0];
    for (size_t i = 1; i < call.inputs.size(); ++i) sum = add(sum, call.inputs[i]);
    return sum;
  });
}

}  // namespace

const LayerDef& layerDef_add();
const LayerDef& layerDef_add() {
  static const LayerDef kDef = {.id = "add",
                                .title = "Add",
                                .family = LayerFamily::Merge,
                                .help = TENON_TEXT("Adds its inputs, which must have one shape."),
                                .icon = "add",
                                .variadic = true,
                                .plan = &plan,
                                .make = &make};
  return kDef;
}

}  // namespace tenon
