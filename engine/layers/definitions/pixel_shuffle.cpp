// SPDX-License-Identifier: Apache-2.0
// Layer "pixel_shuffle": the channels of a pixel become a square of pixels (Shi et al. 2016,
// arXiv:1609.05158).
#include <fmt/format.h>

#include "engine/layers/planning.h"
#include "engine/ops/resize/resize.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intParam("factor", 2)
              .range(1, 64)
              .describe(TENON_TEXT("Height and width grow by this factor."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantSpatial(request, 2, result)) return result;
  const PortShape& in = request.inputs[0];
  const int64_t factor = request.params.getInt("factor");
  const int64_t square = factor * factor;
  if (in.sizes[1] % square != 0) {
    result.issues.push_back(layerIssue(
        "graph.size", TENON_TEXT("the square of the factor, {0}, must divide the {1} channels"),
        {std::to_string(square), std::to_string(in.sizes[1])}, "factor"));
    return result;
  }
  result.outputs = {
      {{in.sizes[0], in.sizes[1] / square, in.sizes[2] * factor, in.sizes[3] * factor}, in.dtype}};
  result.summary = fmt::format("×{}", factor);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([factor = request.params.getInt("factor")](const LayerCall& call) {
    return pixelShuffle(call.inputs[0], factor);
  });
}

}  // namespace

const LayerDef& layerDef_pixel_shuffle();
const LayerDef& layerDef_pixel_shuffle() {
  static const LayerDef kDef = {
      .id = "pixel_shuffle",
      .title = "Pixel shuffle",
      .family = LayerFamily::Shape,
      .help = TENON_TEXT("Enlarges an image by dealing out channels as pixels."),
      .icon = "pixel-shuffle",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
