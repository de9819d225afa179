// SPDX-License-Identifier: Apache-2.0
// Layer "pixel_unshuffle": squares of pixels become channels: the opposite of pixel_shuffle.
#include <fmt/format.h>

#include "engine/layers/planning.h"
#include "engine/ops/resize/resize.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intParam("factor", 2)
              .range(1, 64)
              .describe(TENON_TEXT("Height and width shrink by this factor."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantSpatial(request, 2, result)) return result;
  const PortShape& in = request.inputs[0];
  const int64_t factor = request.params.getInt("factor");
  if (in.sizes[2] % factor != 0 || in.sizes[3] % factor != 0) {
    result.issues.push_back(
        layerIssue("graph.size", TENON_TEXT("the factor {0} must divide height and width of {1}"),
                   {std::to_string(factor), toString(in)}, "factor"));
    return result;
  }
  result.outputs = {
      {{in.sizes[0], in.sizes[1] * factor * factor, in.sizes[2] / factor, in.sizes[3] / factor},
       in.dtype}};
  result.summary = fmt::format("×{}", factor);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([factor = request.params.getInt("factor")](const LayerCall& call) {
    return pixelUnshuffle(call.inputs[0], factor);
  });
}

}  // namespace

const LayerDef& layerDef_pixel_unshuffle();
const LayerDef& layerDef_pixel_unshuffle() {
  static const LayerDef kDef = {
      .id = "pixel_unshuffle",
      .title = "Pixel unshuffle",
      .family = LayerFamily::Shape,
      .help = TENON_TEXT(
          "Shrinks an image by turning squares of pixels into channels; nothing is lost."),
      .icon = "pixel-shuffle",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
