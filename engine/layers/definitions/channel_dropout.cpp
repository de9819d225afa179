// SPDX-License-Identifier: Apache-2.0
// Layer "channel_dropout": zeroes whole channels while training (Tompson et al. 2015,
// arXiv:1411.4280).
#include <fmt/format.h>

#include "engine/layers/planning.h"
#include "engine/ops/dropout/dropout.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("p", 0.5)
              .called(TENON_TEXT("Probability"))
              .range(0, 1)
              .describe(TENON_TEXT("Chance of a channel to be set to zero."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantAtLeast(request, 2, result)) return result;
  result = samePlan(request, 1);
  result.summary = fmt::format("p {:g}", request.params.getFloat("p"));
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([p = request.params.getFloat("p")](const LayerCall& call) {
    return channelDropout(call.inputs[0], p, call.training);
  });
}

}  // namespace

const LayerDef& layerDef_channel_dropout();
const LayerDef& layerDef_channel_dropout() {
  static const LayerDef kDef = {
      .id = "channel_dropout",
      .title = "Channel dropout",
      .family = LayerFamily::Regularization,
      .help = TENON_TEXT("Sets whole channels to zero at random while training and scales the "
                         "others up; does nothing in validation."),
      .icon = "regularization",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
