// SPDX-License-Identifier: Apache-2.0
// Layer "tanh": a pointwise activation.
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

// Operations per element by convention of the cost display, not by instruction.
LayerPlan plan(const PlanRequest& request) { return samePlan(request, 5); }

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return tanh(call.inputs[0]); });
}

}  // namespace

const LayerDef& layerDef_tanh();
const LayerDef& layerDef_tanh() {
  static const LayerDef kDef = {.id = "tanh",
                                .title = "Tanh",
                                .family = LayerFamily::Activation,
                                .help = TENON_TEXT("Squeezes values into -1 to 1."),
                                .icon = "activation",
                                .plan = &plan,
                                .make = &make};
  return kDef;
}

}  // namespace tenon
