// SPDX-License-Identifier: Apache-2.0
// Layer "self_attention": steps of a sequence look at each other.
#include <fmt/format.h>

#include "engine/layers/attention.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantSequence(request, 0, result)) return result;
  const PortShape& in = request.inputs[0];
  const AttentionSettings settings(request.params);
  if (!planAttention(settings, std::vector<PortShape>(3, in), "", result)) return result;
  if (!wantMask(request, 1, "mask", in, in, result)) return result;
  result.outputs = {in};
  result.summary = fmt::format("{}, h{}", in.sizes[2], settings.heads);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([settings = AttentionSettings(request.params)](const LayerCall& call) {
    WeightCursor weights(call.weights);
    const auto& in = call.inputs;
    return attend(settings, {in[0], in[0], in[0], call.wired(1)}, weights, call.training);
  });
}

}  // namespace

const LayerDef& layerDef_self_attention();
const LayerDef& layerDef_self_attention() {
  static const LayerDef kDef = {
      .id = "self_attention",
      .title = "Self-attention",
      .family = LayerFamily::Attention,
      .help = TENON_TEXT("Multi-head attention of a sequence to itself: each step mixes the values "
                         "of those steps whose keys fit it."),
      .icon = "attention",
      .inputs = {"in", "mask"},
      .optionalInputs = 1,
      .inputTakes = {LayerTakes::Floating, LayerTakes::Mask},
      .schema = ParamSchema(attentionParams()),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
