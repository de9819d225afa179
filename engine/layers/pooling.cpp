// SPDX-License-Identifier: Apache-2.0
// Windows over lines, images and volumes: sizes as PyTorch computes them.
#include "engine/layers/pooling.h"

#include <fmt/format.h>

#include "engine/ops/pool/pool.h"

namespace tenon {
namespace {

const char* windowHelp(int axes) {
  static constexpr const char* kTexts[] = {TENON_TEXT("Length of the window."),
                                           TENON_TEXT("Height and width of the window."),
                                           TENON_TEXT("Depth, height and width of the window.")};
  return kTexts[axes - 1];
}

const char* outputHelp(int axes) {
  static constexpr const char* kTexts[] = {
      TENON_TEXT("Length of the output; 1 takes one value of the whole line."),
      TENON_TEXT("Height and width of the output; 1 takes one value of the whole image."),
      TENON_TEXT("Depth, height and width of the output; 1 takes one value of the whole volume.")};
  return kTexts[axes - 1];
}

std::vector<ParamSpec> windowParams(int axes) {
  return {axesParam("kernel_size", axes, 2).range(1, 255).describe(windowHelp(axes)),
          axesParam("stride", axes, 0)
              .range(0, 255)
              .describe(TENON_TEXT("Step of the window; 0 means as large as the window.")),
          axesParam("padding", axes, 0)
              .range(0, 127)
              .describe(TENON_TEXT("Border added on each side; at most half the window.")),
          boolParam("ceil_mode", false)
              .describe(TENON_TEXT("Rounds the output size up instead of down."))
              .forExperts()};
}

PoolOptions poolOptions(const ParamMap& params, int axes) {
  PoolOptions pool;
  pool.kernel = perAxis(params, "kernel_size", axes);
  pool.stride = perAxis(params, "stride", axes);
  pool.padding = perAxis(params, "padding", axes);
  for (size_t a = 0; a < pool.stride.size(); ++a)
    if (pool.stride[a] == 0) pool.stride[a] = pool.kernel[a];
  pool.ceilMode = params.getBool("ceil_mode");
  if (params.contains("count_include_pad"))
    pool.countIncludesPadding = params.getBool("count_include_pad");
  return pool;
}

int64_t outputSize(int64_t in, const PoolOptions& pool, size_t axis) {
  const int64_t room = in + 2 * pool.padding[axis] - pool.kernel[axis];
  if (room < 0) return 0;
  const int64_t step = pool.stride[axis];
  int64_t out = (pool.ceilMode ? room + step - 1 : room) / step + 1;
  // The last window must start inside the input or its left border.
  if (pool.ceilMode && (out - 1) * step >= in + pool.padding[axis]) --out;
  return out;
}

bool paddingFits(const PoolOptions& pool, LayerPlan& plan) {
  for (size_t a = 0; a < pool.kernel.size(); ++a) {
    if (2 * pool.padding[a] <= pool.kernel[a]) continue;
    plan.issues.push_back(layerIssue("graph.padding",
                                     TENON_TEXT("padding is at most half the window {0}, got {1}"),
                                     {sizeText(pool.kernel), sizeText(pool.padding)}, "padding"));
    return false;
  }
  return true;
}

template <Tensor (*kPool)(const Tensor&, const PoolOptions&)>
std::unique_ptr<Layer> makePool(const PlanRequest& request, int axes) {
  return functionLayer([pool = poolOptions(request.params, axes)](const LayerCall& call) {
    return kPool(call.inputs[0], pool);
  });
}

template <Tensor (*kPool)(const Tensor&, const PerAxis&)>
std::unique_ptr<Layer> makeAdaptivePool(const PlanRequest& request, int axes) {
  return functionLayer([size = perAxis(request.params, "output_size", axes)](
                           const LayerCall& call) { return kPool(call.inputs[0], size); });
}

}  // namespace

ParamSchema maxPoolSchema(int axes) { return ParamSchema(windowParams(axes)); }

ParamSchema avgPoolSchema(int axes) {
  std::vector<ParamSpec> specs = windowParams(axes);
  specs.push_back(boolParam("count_include_pad", true)
                      .describe(TENON_TEXT("Counts the border as zeros in the mean."))
                      .forExperts());
  return ParamSchema(std::move(specs));
}

LayerPlan planPool(const PlanRequest& request, int axes) {
  LayerPlan result;
  if (!wantSpatial(request, axes, result)) return result;
  const PortShape& in = request.inputs[0];
  const PoolOptions pool = poolOptions(request.params, axes);
  if (!paddingFits(pool, result)) return result;
  PortShape out{{in.sizes[0], in.sizes[1]}, in.dtype};
  int64_t taps = 1;
  for (size_t a = 0; a < pool.kernel.size(); ++a) {
    out.sizes.push_back(outputSize(in.sizes[a + 2], pool, a));
    taps *= pool.kernel[a];
    if (out.sizes.back() > 0) continue;
    result.issues.push_back(
        layerIssue("graph.kernel-too-large",
                   TENON_TEXT("window {0} does not fit into the input {1} with its padding"),
                   {sizeText(pool.kernel), toString(in)}, "kernel_size"));
    return result;
  }
  result.flops = static_cast<double>(out.perSample()) * static_cast<double>(taps);
  result.outputs = {std::move(out)};
  result.summary = fmt::format("{}, s{}", sizeText(pool.kernel), pool.stride[0]);
  return result;
}

std::unique_ptr<Layer> makeMaxPool(const PlanRequest& request, int axes) {
  return makePool<&maxPool>(request, axes);
}
std::unique_ptr<Layer> makeAvgPool(const PlanRequest& request, int axes) {
  return makePool<&avgPool>(request, axes);
}

ParamSchema adaptivePoolSchema(int axes) {
  return {axesParam("output_size", axes, 1).range(1, 4096).describe(outputHelp(axes))};
}

LayerPlan planAdaptivePool(const PlanRequest& request, int axes) {
  LayerPlan result;
  if (!wantSpatial(request, axes, result)) return result;
  const PortShape& in = request.inputs[0];
  const PerAxis size = perAxis(request.params, "output_size", axes);
  PortShape out{{in.sizes[0], in.sizes[1]}, in.dtype};
  out.sizes.insert(out.sizes.end(), size.begin(), size.end());
  result.outputs = {std::move(out)};
  result.flops = static_cast<double>(in.perSample());
  result.summary = sizeText(size);
  return result;
}

std::unique_ptr<Layer> makeAdaptiveMaxPool(const PlanRequest& request, int axes) {
  return makeAdaptivePool<&adaptiveMaxPool>(request, axes);
}
std::unique_ptr<Layer> makeAdaptiveAvgPool(const PlanRequest& request, int axes) {
  return makeAdaptivePool<&adaptiveAvgPool>(request, axes);
}

}  // namespace tenon
