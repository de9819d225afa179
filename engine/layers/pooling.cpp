// SPDX-License-Identifier: Apache-2.0
// Windows over images: sizes as PyTorch computes them.
#include "engine/layers/pooling.h"

#include <fmt/format.h>

namespace tenon {

ParamSchema poolSchema() {
  return {intListParam("kernel_size", {2, 2})
              .count(1, 2)
              .range(1, 255)
              .inUnit("px")
              .describe(TENON_TEXT("Height and width of the window.")),
          intListParam("stride", {0, 0})
              .count(1, 2)
              .range(0, 255)
              .inUnit("px")
              .describe(TENON_TEXT("Step of the window; 0 means as large as the window.")),
          intListParam("padding", {0, 0})
              .count(1, 2)
              .range(0, 127)
              .inUnit("px")
              .describe(TENON_TEXT("Border added on each side; at most half the window.")),
          boolParam("ceil_mode", false)
              .describe(TENON_TEXT("Rounds the output size up instead of down."))
              .forExperts()};
}

Pool2dParams poolParams(const ParamMap& params) {
  Pool2dParams pool;
  const auto kernel = pairOf(params, "kernel_size");
  const auto stride = pairOf(params, "stride");
  const auto padding = pairOf(params, "padding");
  pool.kernel[0] = kernel.first;
  pool.kernel[1] = kernel.second;
  pool.stride[0] = stride.first > 0 ? stride.first : kernel.first;
  pool.stride[1] = stride.second > 0 ? stride.second : kernel.second;
  pool.padding[0] = padding.first;
  pool.padding[1] = padding.second;
  pool.ceilMode = params.getBool("ceil_mode");
  return pool;
}

namespace {
int64_t outputSize(int64_t in, const Pool2dParams& pool, int axis) {
  const int64_t room = in + 2 * pool.padding[axis] - pool.kernel[axis];
  if (room < 0) return 0;
  const int64_t step = pool.stride[axis];
  int64_t out = (pool.ceilMode ? room + step - 1 : room) / step + 1;
  // The last window must start inside the input or its left border.
  if (pool.ceilMode && (out - 1) * step >= in + pool.padding[axis]) --out;
  return out;
}
}  // namespace

LayerPlan poolPlan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantRank(request, 4, result) || !wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  const Pool2dParams pool = poolParams(request.params);
  if (2 * pool.padding[0] > pool.kernel[0] || 2 * pool.padding[1] > pool.kernel[1]) {
    result.issues.push_back(layerIssue(
        "graph.padding", TENON_TEXT("padding is at most half the window {0}, got {1}"),
        {sizeText({pool.kernel[0], pool.kernel[1]}), sizeText({pool.padding[0], pool.padding[1]})},
        "padding"));
    return result;
  }
  const int64_t height = outputSize(in.sizes[2], pool, 0);
  const int64_t width = outputSize(in.sizes[3], pool, 1);
  if (height < 1 || width < 1) {
    result.issues.push_back(
        layerIssue("graph.kernel-too-large",
                   TENON_TEXT("window {0} does not fit into the input {1} with its padding"),
                   {sizeText({pool.kernel[0], pool.kernel[1]}), toString(in)}, "kernel_size"));
    return result;
  }
  result.outputs = {{{in.sizes[0], in.sizes[1], height, width}, in.dtype}};
  result.flops =
      static_cast<double>(in.sizes[1] * height * width * pool.kernel[0] * pool.kernel[1]);
  result.summary =
      fmt::format("{}, s{}", sizeText({pool.kernel[0], pool.kernel[1]}), pool.stride[0]);
  return result;
}

}  // namespace tenon
