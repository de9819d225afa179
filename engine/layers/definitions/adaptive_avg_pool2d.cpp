// SPDX-License-Identifier: Apache-2.0
// Layer "adaptive_avg_pool2d": means over windows that give a wanted output size.
#include "engine/layers/planning.h"
#include "engine/ops/pool2d/pool2d.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intListParam("output_size", {1, 1})
              .count(1, 2)
              .range(1, 4096)
              .inUnit("px")
              .describe(TENON_TEXT(
                  "Height and width of the output; 1 takes the mean of the whole image."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantRank(request, 4, result) || !wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  const auto size = pairOf(request.params, "output_size");
  result.outputs = {{{in.sizes[0], in.sizes[1], size.first, size.second}, in.dtype}};
  result.flops = static_cast<double>(in.perSample());
  result.summary = sizeText(size);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([size = pairOf(request.params, "output_size")](const LayerCall& call) {
    return adaptiveAvgPool2d(call.inputs[0], size.first, size.second);
  });
}

}  // namespace

const LayerDef& layerDef_adaptive_avg_pool2d();
const LayerDef& layerDef_adaptive_avg_pool2d() {
  static const LayerDef kDef = {
      .id = "adaptive_avg_pool2d",
      .title = "Adaptive average pool 2D",
      .family = LayerFamily::Pooling,
      .help =
          TENON_TEXT("Takes means so that the output has the wanted size, whatever the input's."),
      .icon = "pool",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
