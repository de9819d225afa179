// SPDX-License-Identifier: Apache-2.0
// Layer "relu": a pointwise activation.
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

// Operations per element by convention of the cost display, not by instruction.
LayerPlan plan(const PlanRequest& request) { return samePlan(request, 1); }

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return relu(call.inputs[0]); });
}

}  // namespace

const LayerDef& layerDef_relu();
const LayerDef& layerDef_relu() {
  static const LayerDef kDef = {
      .id = "relu",
      .title = "ReLU",
      .family = LayerFamily::Activation,
      .help = TENON_TEXT("max(x, 0): the usual choice for convolutional networks."),
      .icon = "activation",
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
