// SPDX-License-Identifier: Apache-2.0
// Layer "gelu": a pointwise activation.
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

// Operations per element by convention of the cost display, not by instruction.
LayerPlan plan(const PlanRequest& request) { return samePlan(request, 8); }

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return gelu(call.inputs[0]); });
}

}  // namespace

const LayerDef& layerDef_gelu();
const LayerDef& layerDef_gelu() {
  static const LayerDef kDef = {
      .id = "gelu",
      .title = "GELU",
      .family = LayerFamily::Activation,
      .help = TENON_TEXT(
          "x times the chance that a standard normal number lies below x; usual in transformers."),
      .icon = "activation",
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
