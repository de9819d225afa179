// SPDX-License-Identifier: Apache-2.0
// Forms, shapes, weights and cost of convolutions; sizes and initial values as PyTorch's.
#include "engine/layers/convolution.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/layers/padding.h"
#include "engine/ops/conv/conv.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

const char* kernelHelp(int axes) {
  static constexpr const char* kTexts[] = {TENON_TEXT("Length of a filter."),
                                           TENON_TEXT("Height and width of a filter."),
                                           TENON_TEXT("Depth, height and width of a filter.")};
  return kTexts[axes - 1];
}

/// The head of both forms: filters, their size and step.
std::vector<ParamSpec> filterParams(int axes, int64_t stride, const char* strideHelp) {
  return {intParam("out_channels", 32)
              .range(1, 65536)
              .describe(TENON_TEXT("Number of filters, and so of output channels.")),
          axesParam("kernel_size", axes, 3).range(1, 255).describe(kernelHelp(axes)),
          axesParam("stride", axes, stride).range(1, 255).describe(strideHelp)};
}

ParamSpec dilationParam(int axes) {
  return axesParam("dilation", axes, 1)
      .range(1, 255)
      .describe(TENON_TEXT("Distance between the points of a filter."))
      .forExperts();
}
ParamSpec groupsParam() {
  return intParam("groups", 1)
      .range(1, 65536)
      .describe(TENON_TEXT("Channels are cut into so many groups that do not mix."))
      .forExperts();
}
ParamSpec biasParam() {
  return boolParam("bias", true)
      .describe(
          TENON_TEXT("Adds a learned number per channel. Not needed before a normalization."));
}

/// What both kinds of layer are asked for and have in common.
struct Filters {
  PerAxis kernel;
  int64_t in = 0, out = 0, groups = 1, taps = 1;
  bool bias = true;

  Filters(const PlanRequest& request, int axes)
      : kernel(perAxis(request.params, "kernel_size", axes)),
        in(request.inputs[0].sizes[1]),
        out(request.params.getInt("out_channels")),
        groups(request.params.getInt("groups")),
        bias(request.params.getBool("bias")) {
    for (int64_t size : kernel) taps *= size;
  }
};

bool groupsFit(const Filters& filters, LayerPlan& plan) {
  if (filters.in % filters.groups == 0 && filters.out % filters.groups == 0) return true;
  plan.issues.push_back(layerIssue(
      "graph.groups",
      TENON_TEXT("groups {0} must divide the {1} input and the {2} output channels"),
      {std::to_string(filters.groups), std::to_string(filters.in), std::to_string(filters.out)},
      "groups"));
  return false;
}

/// Weight of shape [first, second, kernel...] and bias; their bound follows from second * taps.
void addWeights(const Filters& filters, int64_t first, int64_t second, LayerPlan& plan) {
  Shape shape = {first, second};
  for (int64_t size : filters.kernel) shape.push(size);
  const Init init = fanInUniform(second * filters.taps);
  plan.weights.push_back({"weight", shape, init});
  if (filters.bias) plan.weights.push_back({"bias", {filters.out}, init, true, false});
}

void summarize(const Filters& filters, int64_t stride, LayerPlan& plan) {
  plan.summary = fmt::format("{}, {}, s{}", sizeText(filters.kernel), filters.out, stride);
}

ConvOptions convOptions(const ParamMap& params, int axes) {
  ConvOptions conv;
  conv.stride = perAxis(params, "stride", axes);
  conv.padding = perAxis(params, "padding", axes);
  conv.dilation = perAxis(params, "dilation", axes);
  conv.groups = params.getInt("groups");
  conv.paddingMode = padMode(params, "padding_mode");
  return conv;
}

ConvTransposeOptions transposeOptions(const ParamMap& params, int axes) {
  ConvTransposeOptions conv;
  conv.stride = perAxis(params, "stride", axes);
  conv.padding = perAxis(params, "padding", axes);
  conv.outputPadding = perAxis(params, "output_padding", axes);
  conv.dilation = perAxis(params, "dilation", axes);
  conv.groups = params.getInt("groups");
  return conv;
}

int64_t convolvedSize(int64_t in, int64_t kernel, const ConvOptions& conv, size_t axis) {
  const int64_t reach = conv.dilation[axis] * (kernel - 1) + 1;
  const int64_t room = in + 2 * conv.padding[axis] - reach;
  return room < 0 ? 0 : room / conv.stride[axis] + 1;
}

class Convolution final : public Layer {
 public:
  Convolution(ConvOptions options, int axes) : options_(std::move(options)), axes_(axes) {}

  void forward(LayerCall& call) const override {
    const Tensor bias = call.weights.size() > 1 ? call.weights[1] : Tensor();
    call.outputs[0] = conv(call.inputs[0], call.weights[0], bias, options_);
    // The gradients want no result, so the activation may overwrite it.
    if (relu_) reluInPlace(call.outputs[0]);
  }
  /// Lines and volumes come as views of images, which are better left alone.
  bool absorb(std::string_view type) override {
    return axes_ == 2 && type == "relu" && (relu_ = true);
  }

 private:
  ConvOptions options_;
  int axes_;
  bool relu_ = false;
};

bool outputPaddingFits(const ConvTransposeOptions& conv, size_t axis, LayerPlan& plan) {
  const int64_t most = std::max(conv.stride[axis], conv.dilation[axis]) - 1;
  if (conv.outputPadding[axis] <= most) return true;
  plan.issues.push_back(layerIssue(
      "graph.padding", TENON_TEXT("output padding must be below stride or dilation, {0}; got {1}"),
      {std::to_string(most + 1), std::to_string(conv.outputPadding[axis])}, "output_padding"));
  return false;
}

}  // namespace

ParamSchema convSchema(int axes) {
  std::vector<ParamSpec> specs =
      filterParams(axes, 1, TENON_TEXT("Step of the filter; 2 halves the size."));
  specs.push_back(
      axesParam("padding", axes, 0)
          .range(0, 255)
          .describe(TENON_TEXT("Elements added on each side; 1 keeps the size for filters of 3.")));
  specs.push_back(dilationParam(axes));
  specs.push_back(groupsParam());
  specs.push_back(padModeParam("padding_mode").forExperts());
  specs.push_back(biasParam());
  return ParamSchema(std::move(specs));
}

LayerPlan planConv(const PlanRequest& request, int axes) {
  LayerPlan result;
  if (!wantSpatial(request, axes, result)) return result;
  const PortShape& in = request.inputs[0];
  const ConvOptions conv = convOptions(request.params, axes);
  const Filters filters(request, axes);
  if (!groupsFit(filters, result)) return result;
  PortShape out{{in.sizes[0], filters.out}, in.dtype};
  for (size_t a = 0; a < filters.kernel.size(); ++a) {
    if (!padFits(conv.paddingMode, conv.padding[a], in.sizes[a + 2], "padding", result))
      return result;
    out.sizes.push_back(convolvedSize(in.sizes[a + 2], filters.kernel[a], conv, a));
    if (out.sizes.back() > 0) continue;
    result.issues.push_back(
        layerIssue("graph.kernel-too-large",
                   TENON_TEXT("kernel {0} does not fit into the input {1} with its padding"),
                   {sizeText(filters.kernel), toString(in)}, "kernel_size"));
    return result;
  }
  const int64_t perGroup = filters.in / filters.groups;
  addWeights(filters, filters.out, perGroup, result);
  result.flops = static_cast<double>(out.perSample()) *
                 static_cast<double>(2 * perGroup * filters.taps + (filters.bias ? 1 : 0));
  result.outputs = {std::move(out)};
  summarize(filters, conv.stride[0], result);
  return result;
}

std::unique_ptr<Layer> makeConv(const PlanRequest& request, int axes) {
  return std::make_unique<Convolution>(convOptions(request.params, axes), axes);
}

ParamSchema convTransposeSchema(int axes) {
  std::vector<ParamSpec> specs = filterParams(
      axes, 2, TENON_TEXT("Distance of the filters in the output; 2 doubles the size."));
  specs.push_back(axesParam("padding", axes, 0)
                      .range(0, 255)
                      .describe(TENON_TEXT("Elements taken away on each side of the output.")));
  specs.push_back(
      axesParam("output_padding", axes, 0)
          .range(0, 254)
          .describe(TENON_TEXT("Elements added at the far end of the output; below the stride or "
                               "the dilation."))
          .forExperts());
  specs.push_back(dilationParam(axes));
  specs.push_back(groupsParam());
  specs.push_back(biasParam());
  return ParamSchema(std::move(specs));
}

LayerPlan planConvTranspose(const PlanRequest& request, int axes) {
  LayerPlan result;
  if (!wantSpatial(request, axes, result)) return result;
  const PortShape& in = request.inputs[0];
  const ConvTransposeOptions conv = transposeOptions(request.params, axes);
  const Filters filters(request, axes);
  if (!groupsFit(filters, result)) return result;
  PortShape out{{in.sizes[0], filters.out}, in.dtype};
  for (size_t a = 0; a < filters.kernel.size(); ++a) {
    if (!outputPaddingFits(conv, a, result)) return result;
    out.sizes.push_back((in.sizes[a + 2] - 1) * conv.stride[a] - 2 * conv.padding[a] +
                        conv.dilation[a] * (filters.kernel[a] - 1) + conv.outputPadding[a] + 1);
    if (out.sizes.back() > 0) continue;
    result.issues.push_back(layerIssue(
        "graph.padding", TENON_TEXT("padding takes away the whole output of the input {0}"),
        {toString(in)}, "padding"));
    return result;
  }
  const int64_t perGroup = filters.out / filters.groups;
  addWeights(filters, filters.in, perGroup, result);
  result.flops =
      2.0 * static_cast<double>(in.perSample()) * static_cast<double>(perGroup * filters.taps) +
      (filters.bias ? static_cast<double>(out.perSample()) : 0.0);
  result.outputs = {std::move(out)};
  summarize(filters, conv.stride[0], result);
  return result;
}

std::unique_ptr<Layer> makeConvTranspose(const PlanRequest& request, int axes) {
  return functionLayer([options = transposeOptions(request.params, axes)](const LayerCall& call) {
    return convTranspose(call.inputs[0], call.weights[0],
                         call.weights.size() > 1 ? call.weights[1] : Tensor(), options);
  });
}

}  // namespace tenon
