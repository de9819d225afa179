// SPDX-License-Identifier: Apache-2.0
// Layer "multi_head_attention": steps of one sequence look at the steps of another.
#include <fmt/format.h>

#include "engine/layers/attention.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  for (size_t port = 0; port < 3; ++port)
    if (!wantSequence(request, port, result)) return result;
  const PortShape& in = request.inputs[0];
  const AttentionSettings settings(request.params);
  if (!planAttention(settings, request.inputs, "", result)) return result;
  if (!wantMask(request, 3, "mask", in, request.inputs[1], result)) return result;
  result.outputs = {in};
  result.summary = fmt::format("{}, h{}", in.sizes[2], settings.heads);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([settings = AttentionSettings(request.params)](const LayerCall& call) {
    WeightCursor weights(call.weights);
    const auto& in = call.inputs;
    return attend(settings, {in[0], in[1], in[2], call.wired(3)}, weights, call.training);
  });
}

}  // namespace

const LayerDef& layerDef_multi_head_attention();
const LayerDef& layerDef_multi_head_attention() {
  static const LayerDef kDef = {
      .id = "multi_head_attention",
      .title = "Multi-head attention",
      .family = LayerFamily::Attention,
      .help = TENON_TEXT(
          "Each step of the query mixes the values of those steps whose keys fit it, in several "
          "heads. Wire one sequence into key and value, and another or the same into query."),
      .icon = "attention",
      .inputs = {"query", "key", "value", "mask"},
      .optionalInputs = 1,
      .inputTakes = {LayerTakes::Floating, LayerTakes::Floating, LayerTakes::Floating,
                     LayerTakes::Mask},
      .schema = ParamSchema(attentionParams()),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
