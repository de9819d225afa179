// SPDX-License-Identifier: Apache-2.0
// Layer "gelu": a pointwise activation (Hendrycks and Gimpel 2016, arXiv:1606.08415).
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {choiceParam("approximate", "none", {"none", "tanh"})
              .describe(TENON_TEXT("How it is computed: exactly, or by a formula with tanh as some "
                                   "published networks do."))
              .forExperts()};
}

// Operations per element by convention of the cost display, not by instruction.
LayerPlan plan(const PlanRequest& request) { return samePlan(request, 8); }

std::unique_ptr<Layer> make(const PlanRequest& request) {
  const bool byTanh = request.params.getString("approximate") == "tanh";
  return functionLayer([byTanh](const LayerCall& call) {
    return byTanh ? geluTanh(call.inputs[0]) : gelu(call.inputs[0]);
  });
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
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
