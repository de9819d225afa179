// SPDX-License-Identifier: Apache-2.0
// Layer "silu": a pointwise activation.
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

// Operations per element by convention of the cost display, not by instruction.
LayerPlan plan(const PlanRequest& request) { return samePlan(request, 5); }

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return silu(call.inputs[0]); });
}

}  // namespace

const LayerDef& layerDef_silu();
const LayerDef& layerDef_silu() {
  static const LayerDef kDef = {.id = "silu",
                                .title = "SiLU",
                                .family = LayerFamily::Activation,
                                .help = TENON_TEXT("x times its sigmoid, also called Swish."),
                                .icon = "activation",
                                .plan = &plan,
                                .make = &make};
  return kDef;
}

}  // namespace tenon
