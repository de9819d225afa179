// SPDX-License-Identifier: Apache-2.0
// Layer "prelu": a leaky ReLU whose slope is learned (He et al. 2015, arXiv:1502.01852).
#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {boolParam("per_channel", false)
              .describe(TENON_TEXT("One slope for each channel, not one for all.")),
          floatParam("init", 0.25)
              .called(TENON_TEXT("Starts at"))
              .describe(TENON_TEXT("Slope before training."))};
}

LayerPlan plan(const PlanRequest& request) {
  const bool perChannel = request.params.getBool("per_channel");
  LayerPlan result;
  if (!wantAtLeast(request, perChannel ? 2 : 1, result)) return result;
  if (perChannel && !wantKnownSizes(request, result)) return result;
  result = samePlan(request, 2);
  const int64_t slopes = perChannel ? request.inputs[0].sizes[1] : 1;
  result.weights = {
      {"weight", {slopes}, {Init::Kind::Constant, request.params.getFloat("init")}, true, false}};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer(
      [](const LayerCall& call) { return prelu(call.inputs[0], call.weights[0]); });
}

}  // namespace

const LayerDef& layerDef_prelu();
const LayerDef& layerDef_prelu() {
  static const LayerDef kDef = {
      .id = "prelu",
      .title = "PReLU",
      .family = LayerFamily::Activation,
      .help = TENON_TEXT("Like leaky ReLU, but the slope for negative values is learned."),
      .icon = "activation",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
