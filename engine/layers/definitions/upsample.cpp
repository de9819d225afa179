// SPDX-License-Identifier: Apache-2.0
// Layer "upsample": a line, an image or a volume in another size.
#include <cmath>

#include "engine/layers/planning.h"
#include "engine/ops/resize/resize.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      floatParam("scale_factor", 2.0)
          .above(0)
          .atMost(64)
          .describe(TENON_TEXT("New size divided by the old one; not used where a size is given.")),
      intListParam("size", {})
          .count(0, 3)
          .range(1, 65536)
          .inUnit("px")
          .describe(
              TENON_TEXT("Size wanted, one number or one for each axis; empty: by the factor.")),
      choiceParam("mode", "nearest", {"nearest", "linear", "cubic", "area"})
          .describe(TENON_TEXT(
              "How values between elements are found: the nearest element, lines between "
              "neighbours, curves through four of them (images only), or means.")),
      boolParam("align_corners", false)
          .describe(TENON_TEXT(
              "Keeps the middles of the corner elements where they are; for linear and cubic."))
          .forExperts(),
      boolParam("antialias", false)
          .describe(TENON_TEXT("Smooths when the size shrinks; for linear and cubic of images."))
          .forExperts()};
}

Interpolation modeOf(const ParamMap& params) {
  const std::string& mode = params.getString("mode");
  if (mode == "linear") return Interpolation::Linear;
  if (mode == "cubic") return Interpolation::Cubic;
  return mode == "area" ? Interpolation::Area : Interpolation::Nearest;
}

/// Both switches mean something for the curved modes only, and elsewhere are not looked at.
InterpolateOptions optionsOf(const ParamMap& params) {
  InterpolateOptions options;
  options.mode = modeOf(params);
  const bool curved = options.mode == Interpolation::Linear || options.mode == Interpolation::Cubic;
  options.alignCorners = curved && params.getBool("align_corners");
  options.antialias = curved && params.getBool("antialias");
  if (params.getInts("size").empty()) options.factor = params.getFloat("scale_factor");
  return options;
}

/// The spatial sizes wanted; the wrong count of numbers stays the wrong count.
std::vector<int64_t> sizesOf(const PlanRequest& request) {
  const PortShape& in = request.inputs[0];
  std::vector<int64_t> sizes = request.params.getInts("size");
  if (sizes.size() == 1) sizes.resize(in.sizes.size() - 2, sizes[0]);
  if (!sizes.empty()) return sizes;
  const double factor = request.params.getFloat("scale_factor");
  for (size_t a = 2; a < in.sizes.size(); ++a)
    sizes.push_back(static_cast<int64_t>(std::floor(static_cast<double>(in.sizes[a]) * factor)));
  return sizes;
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const PortShape& in = request.inputs[0];
  const bool imagesOnly =
      modeOf(request.params) == Interpolation::Cubic || optionsOf(request.params).antialias;
  if (imagesOnly && !wantRank(request, 4, result)) return result;
  if (!wantAtLeast(request, 3, result) || !wantAtMost(request, 5, result) ||
      !wantKnownSizes(request, result))
    return result;
  const std::vector<int64_t> sizes = sizesOf(request);
  PortShape out{{in.sizes[0], in.sizes[1]}, in.dtype};
  out.sizes.insert(out.sizes.end(), sizes.begin(), sizes.end());
  if (out.sizes.size() != in.sizes.size() || out.perSample() == 0) {
    const bool given = !request.params.getInts("size").empty();
    result.issues.push_back(layerIssue("graph.size", TENON_TEXT("cannot make {0} of the input {1}"),
                                       {toString(out), toString(in)},
                                       given ? "size" : "scale_factor"));
    return result;
  }
  const double taps = modeOf(request.params) == Interpolation::Cubic ? 32 : 8;
  result.flops = taps * static_cast<double>(out.perSample());
  result.summary = request.params.getString("mode") + ", " + toString(out);
  result.outputs = {std::move(out)};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  const std::vector<int64_t> sizes = sizesOf(request);
  return functionLayer([size = PerAxis(sizes.begin(), sizes.end()),
                        options = optionsOf(request.params)](const LayerCall& call) {
    return interpolate(call.inputs[0], size, options);
  });
}

}  // namespace

const LayerDef& layerDef_upsample();
const LayerDef& layerDef_upsample() {
  static const LayerDef kDef = {
      .id = "upsample",
      .title = "Upsample",
      .family = LayerFamily::Shape,
      .help = TENON_TEXT("Brings a line, an image or a volume to another size."),
      .icon = "upsample",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
