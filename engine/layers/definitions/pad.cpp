// SPDX-License-Identifier: Apache-2.0
// Layer "pad": elements added around a line, an image or a volume.
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/layers/padding.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intListParam("padding", {1})
              .count(1, 6)
              .range(0, 4096)
              .inUnit("px")
              .describe(TENON_TEXT("Elements added: one number for every side, or two for each "
                                   "axis, the last axis first: left, right, top, bottom.")),
          padModeParam("mode"),
          floatParam("value", 0.0)
              .describe(TENON_TEXT("What stands outside in mode zeros."))
              .forExperts()};
}

/// Elements before and after each spatial axis; empty, with an issue, if there are not as many
/// numbers as that takes.
std::vector<Padding> paddings(const PlanRequest& request, LayerPlan& plan) {
  const std::vector<int64_t> sides = request.params.getInts("padding");
  const size_t ndim = request.inputs[0].sizes.size(), axes = ndim - 2;
  std::vector<Padding> all;
  if (sides.size() != 1 && sides.size() != 2 * axes) {
    plan.issues.push_back(layerIssue("graph.padding",
                                     TENON_TEXT("wants 1 or {0} numbers for {1}, got {2}"),
                                     {std::to_string(2 * axes), toString(request.inputs[0]),
                                      fmt::format("{}", fmt::join(sides, ", "))},
                                     "padding"));
    return all;
  }
  for (size_t a = 0; a < axes; ++a) {
    const size_t at = sides.size() == 1 ? 0 : 2 * (axes - 1 - a);
    all.push_back(
        {static_cast<int>(a) + 2, sides[at], sides.size() == 1 ? sides[0] : sides[at + 1]});
  }
  return all;
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const PortShape& in = request.inputs[0];
  if (!wantAtLeast(request, 3, result) || !wantAtMost(request, 5, result) ||
      !wantKnownSizes(request, result))
    return result;
  const PadMode mode = padMode(request.params, "mode");
  PortShape out = in;
  for (const Padding& padding : paddings(request, result)) {
    int64_t& size = out.sizes[static_cast<size_t>(padding.axis)];
    if (!padFits(mode, std::max(padding.before, padding.after), size, "padding", result))
      return result;
    size += padding.before + padding.after;
  }
  if (!result.issues.empty()) return result;
  result.summary = fmt::format("{}, {}", fmt::join(request.params.getInts("padding"), " "),
                               request.params.getString("mode"));
  result.outputs = {std::move(out)};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  LayerPlan ignored;
  return functionLayer([all = paddings(request, ignored), mode = padMode(request.params, "mode"),
                        value = request.params.getFloat("value")](const LayerCall& call) {
    return pad(call.inputs[0], all, mode, value);
  });
}

}  // namespace

const LayerDef& layerDef_pad();
const LayerDef& layerDef_pad() {
  static const LayerDef kDef = {
      .id = "pad",
      .title = "Pad",
      .family = LayerFamily::Shape,
      .help = TENON_TEXT("Adds elements around a line, an image or a volume: zeros, a mirror "
                         "image, the edge, or the other end."),
      .icon = "pad",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
