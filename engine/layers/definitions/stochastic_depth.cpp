// SPDX-License-Identifier: Apache-2.0
// Layer "stochastic_depth": drops a residual branch for whole samples while training (Huang et al.
// 2016, arXiv:1603.09382).
#include <fmt/format.h>

#include "engine/layers/planning.h"
#include "engine/ops/dropout/dropout.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("p", 0.1)
              .called(TENON_TEXT("Probability"))
              .range(0, 1)
              .describe(TENON_TEXT("Chance of a sample to lose this branch."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result = samePlan(request, 1);
  result.summary = fmt::format("p {:g}", request.params.getFloat("p"));
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([p = request.params.getFloat("p")](const LayerCall& call) {
    return stochasticDepth(call.inputs[0], p, call.training);
  });
}

}  // namespace

const LayerDef& layerDef_stochastic_depth();
const LayerDef& layerDef_stochastic_depth() {
  static const LayerDef kDef = {
      .id = "stochastic_depth",
      .title = "Stochastic depth",
      .family = LayerFamily::Regularization,
      .help = TENON_TEXT("Put at the end of a residual branch: while training, random samples of "
                         "the batch skip the branch; does nothing in validation."),
      .icon = "regularization",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
