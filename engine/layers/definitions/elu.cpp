// SPDX-License-Identifier: Apache-2.0
// Layer "elu": a pointwise activation.
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      floatParam("alpha", 1.0)
          .describe(TENON_TEXT("Value that very negative inputs approach, with its sign turned."))};
}

// Operations per element by convention of the cost display, not by instruction.
LayerPlan plan(const PlanRequest& request) { return samePlan(request, 4); }

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([a = request.params.getFloat("alpha")](const LayerCall& call) {
    return elu(call.inputs[0], a);
  });
}

}  // namespace

const LayerDef& layerDef_elu();
const LayerDef& layerDef_elu() {
  static const LayerDef kDef = {
      .id = "elu",
      .title = "ELU",
      .family = LayerFamily::Activation,
      .help = TENON_TEXT("Smooth below zero: a (exp(x) - 1) for negative x."),
      .icon = "activation",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
