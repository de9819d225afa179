// SPDX-License-Identifier: Apache-2.0
// Layer "leaky_relu": a pointwise activation.
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("negative_slope", 0.01).describe(TENON_TEXT("Slope for negative values."))};
}

// Operations per element by convention of the cost display, not by instruction.
LayerPlan plan(const PlanRequest& request) { return samePlan(request, 2); }

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([a = request.params.getFloat("negative_slope")](const LayerCall& call) {
    return leakyRelu(call.inputs[0], a);
  });
}

}  // namespace

const LayerDef& layerDef_leaky_relu();
const LayerDef& layerDef_leaky_relu() {
  static const LayerDef kDef = {
      .id = "leaky_relu",
      .title = "Leaky ReLU",
      .family = LayerFamily::Activation,
      .help = TENON_TEXT("Like ReLU, but lets a small share of negative values through."),
      .icon = "activation",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
