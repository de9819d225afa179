// SPDX-License-Identifier: Apache-2.0
// Layer "softplus": a pointwise activation.
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("beta", 1.0)
              .above(0)
              .describe(TENON_TEXT("Larger values bring it nearer to ReLU.")),
          floatParam("threshold", 20.0)
              .describe(TENON_TEXT("Where beta times x is above this, x itself is the result."))
              .forExperts()};
}

// Operations per element by convention of the cost display, not by instruction.
LayerPlan plan(const PlanRequest& request) { return samePlan(request, 5); }

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([beta = request.params.getFloat("beta"),
                        threshold = request.params.getFloat("threshold")](const LayerCall& call) {
    return softplus(call.inputs[0], beta, threshold);
  });
}

}  // namespace

const LayerDef& layerDef_softplus();
const LayerDef& layerDef_softplus() {
  static const LayerDef kDef = {
      .id = "softplus",
      .title = "Softplus",
      .family = LayerFamily::Activation,
      .help = TENON_TEXT("A smooth ReLU, always above 0: log(1 + exp(x))."),
      .icon = "activation",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
