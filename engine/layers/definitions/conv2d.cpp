// SPDX-License-Identifier: Apache-2.0
// Layer "conv2d": cross-correlation with learned filters.
#include "engine/ops/conv2d/conv2d.h"

#include <fmt/format.h>

#include "engine/layers/planning.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intParam("out_channels", 32)
              .range(1, 65536)
              .describe(TENON_TEXT("Number of filters, and so of output channels.")),
          intListParam("kernel_size", {3, 3})
              .count(1, 2)
              .range(1, 255)
              .inUnit("px")
              .describe(TENON_TEXT("Height and width of a filter.")),
          intListParam("stride", {1, 1})
              .count(1, 2)
              .range(1, 255)
              .inUnit("px")
              .describe(TENON_TEXT("Step of the filter; 2 halves the size.")),
          intListParam("padding", {0, 0})
              .count(1, 2)
              .range(0, 255)
              .inUnit("px")
              .describe(TENON_TEXT("Zeros added on each side; 1 keeps the size for a 3x3 filter.")),
          intListParam("dilation", {1, 1})
              .count(1, 2)
              .range(1, 255)
              .inUnit("px")
              .describe(TENON_TEXT("Distance between the points of a filter."))
              .forExperts(),
          intParam("groups", 1)
              .range(1, 65536)
              .describe(TENON_TEXT("Channels are cut into so many groups that do not mix."))
              .forExperts(),
          boolParam("bias", true)
              .describe(TENON_TEXT(
                  "Adds a learned number per channel. Not needed before a normalization."))};
}

Conv2dParams convParams(const ParamMap& params) {
  Conv2dParams conv;
  std::tie(conv.stride[0], conv.stride[1]) = pairOf(params, "stride");
  std::tie(conv.padding[0], conv.padding[1]) = pairOf(params, "padding");
  std::tie(conv.dilation[0], conv.dilation[1]) = pairOf(params, "dilation");
  conv.groups = params.getInt("groups");
  return conv;
}

int64_t outputSize(int64_t in, int64_t kernel, const Conv2dParams& conv, int axis) {
  const int64_t reach = conv.dilation[axis] * (kernel - 1) + 1;
  const int64_t room = in + 2 * conv.padding[axis] - reach;
  return room < 0 ? 0 : room / conv.stride[axis] + 1;
}

bool groupsFit(int64_t channels, int64_t out, int64_t groups, LayerPlan& plan) {
  if (channels % groups == 0 && out % groups == 0) return true;
  plan.issues.push_back(layerIssue(
      "graph.groups",
      TENON_TEXT("groups {0} must divide the {1} input and the {2} output channels"),
      {std::to_string(groups), std::to_string(channels), std::to_string(out)}, "groups"));
  return false;
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantRank(request, 4, result) || !wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  const Conv2dParams conv = convParams(request.params);
  const auto kernel = pairOf(request.params, "kernel_size");
  const int64_t out = request.params.getInt("out_channels");
  if (!groupsFit(in.sizes[1], out, conv.groups, result)) return result;
  const int64_t height = outputSize(in.sizes[2], kernel.first, conv, 0);
  const int64_t width = outputSize(in.sizes[3], kernel.second, conv, 1);
  if (height < 1 || width < 1) {
    result.issues.push_back(
        layerIssue("graph.kernel-too-large",
                   TENON_TEXT("kernel {0} does not fit into the input {1} with its padding"),
                   {sizeText(kernel), toString(in)}, "kernel_size"));
    return result;
  }
  const int64_t perGroup = in.sizes[1] / conv.groups;
  const int64_t fanIn = perGroup * kernel.first * kernel.second;
  result.outputs = {{{in.sizes[0], out, height, width}, in.dtype}};
  result.weights.push_back(
      {"weight", {out, perGroup, kernel.first, kernel.second}, fanInUniform(fanIn)});
  if (request.params.getBool("bias"))
    result.weights.push_back({"bias", {out}, fanInUniform(fanIn), true, false});
  result.flops = static_cast<double>(out * height * width) *
                 static_cast<double>(2 * fanIn + (request.params.getBool("bias") ? 1 : 0));
  result.summary = fmt::format("{}, {}, s{}", sizeText(kernel), out, conv.stride[0]);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([conv = convParams(request.params)](const LayerCall& call) {
    return conv2d(call.inputs[0], call.weights[0],
                  call.weights.size() > 1 ? call.weights[1] : Tensor(), conv);
  });
}

}  // namespace

const LayerDef& layerDef_conv2d();
const LayerDef& layerDef_conv2d() {
  static const LayerDef kDef = {
      .id = "conv2d",
      .title = "Convolution 2D",
      .family = LayerFamily::Convolution,
      .help = TENON_TEXT(
          "Slides learned filters over the image; each output channel is one filter's response."),
      .icon = "conv",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
