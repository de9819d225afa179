// SPDX-License-Identifier: Apache-2.0
// Layer "flatten": all axes but the batch become one.
#include "engine/layers/planning.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  result.outputs = {{{in.sizes[0], in.perSample()}, in.dtype}};
  result.summary = std::to_string(in.perSample());
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return flatten(call.inputs[0], 1); });
}

}  // namespace

const LayerDef& layerDef_flatten();
const LayerDef& layerDef_flatten() {
  static const LayerDef kDef = {
      .id = "flatten",
      .title = "Flatten",
      .family = LayerFamily::Shape,
      .help = TENON_TEXT("Puts all values of a sample into one row, as a linear layer wants them."),
      .icon = "shape",
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
