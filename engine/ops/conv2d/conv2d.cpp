// SPDX-License-Identifier: Apache-2.0
// Operators conv2d, conv2d_backward_data and conv2d_backward_weight: shape rules and gradients.
//
// The three are linear in each input and each other's gradients, so every order of derivative is
// again one of them.
#include "engine/ops/conv2d/conv2d.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/conv2d/conv2d_samples.h"
#include "engine/ops/gate/gate.h"

namespace tenon {
namespace {

constexpr const char* kImages = "[N, C, H, W]";
constexpr const char* kOutputs = "[N, O, H', W']";
constexpr const char* kWeights = "[O, C/groups, kh, kw]";

void checkParams(const OpCall& call, const Conv2dParams& p) {
  for (int a = 0; a < 2; ++a) {
    if (p.stride[a] >= 1 && p.padding[a] >= 0 && p.dilation[a] >= 1) continue;
    throw Error(
        Code::Usage,
        fmt::format("[{}] wants stride >= 1, padding >= 0, dilation >= 1, got {}, {}, {} along {}",
                    call.op.id, p.stride[a], p.padding[a], p.dilation[a], a ? "width" : "height"));
  }
  if (p.groups < 1)
    throw Error(Code::Usage, fmt::format("[{}] wants groups >= 1, got {}", call.op.id, p.groups));
}

/// Channels in and out against the weight and the groups.
void checkChannels(const OpCall& call, int64_t in, int64_t out, int64_t weightIn, int64_t weightOut,
                   int64_t groups) {
  if (weightIn * groups != in) {
    const std::string each = groups == 1 ? "" : fmt::format(" in each of {} groups", groups);
    refuseShapes(call, fmt::format("weight wants {} channels{}, input has {}", weightIn, each, in));
  }
  if (weightOut % groups != 0)
    refuseShapes(call,
                 fmt::format("{} output channels do not divide into {} groups", weightOut, groups));
  if (out != weightOut)
    refuseShapes(
        call, fmt::format("weight gives {} channels, the output gradient has {}", weightOut, out));
}

/// Output size along an axis. @throws Error(Shape) if the kernel does not fit once.
int64_t outputSize(const OpCall& call, const Conv2dParams& p, int axis, int64_t in,
                   int64_t kernel) {
  const int64_t reach = p.dilation[axis] * (kernel - 1) + 1;
  const int64_t room = in + 2 * p.padding[axis];
  if (kernel < 1 || room < reach)
    refuseShapes(call, fmt::format("kernel reaches over {} pixels along {}, the padded input has "
                                   "{}",
                                   reach, axis ? "width" : "height", room));
  return (room - reach) / p.stride[axis] + 1;
}

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<Conv2dParams>();
  requireAxes(call, 0, 4, kImages);
  requireAxes(call, 1, 4, kWeights);
  const DType type = requireOneFloatingType(call, {0, 1, 2});
  checkParams(call, p);
  const Shape& x = call.input(0).shape();
  const Shape& w = call.input(1).shape();
  checkChannels(call, x[1], w[0], w[1], w[0], p.groups);
  requireShape(call, 2, {w[0]}, "one value an output channel");
  out[0] = {{x[0], w[0], outputSize(call, p, 0, x[2], w[2]), outputSize(call, p, 1, x[3], w[3])},
            type};
}

void checkGradSize(const OpCall& call, const Conv2dParams& p, const int64_t (&input)[2],
                   const int64_t (&kernel)[2]) {
  const Shape& dy = call.input(0).shape();
  const int64_t height = outputSize(call, p, 0, input[0], kernel[0]);
  const int64_t width = outputSize(call, p, 1, input[1], kernel[1]);
  if (dy[2] != height || dy[3] != width)
    refuseShapes(
        call, fmt::format("output gradient wants size [{}, {}] for input [{}, {}] and "
                          "kernel [{}, {}], got [{}, {}]",
                          height, width, input[0], input[1], kernel[0], kernel[1], dy[2], dy[3]));
}

void dataMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<Conv2dGradParams>();
  requireAxes(call, 0, 4, kOutputs);
  requireAxes(call, 1, 4, kWeights);
  const DType type = requireOneFloatingType(call, {0, 1});
  checkParams(call, p.conv);
  const Shape& dy = call.input(0).shape();
  const Shape& w = call.input(1).shape();
  const int64_t channels = w[1] * p.conv.groups;
  checkChannels(call, channels, dy[1], w[1], w[0], p.conv.groups);
  checkGradSize(call, p.conv, p.size, {w[2], w[3]});
  out[0] = {{dy[0], channels, p.size[0], p.size[1]}, type};
}

void weightMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<Conv2dGradParams>();
  requireAxes(call, 0, 4, kOutputs);
  requireAxes(call, 1, 4, kImages);
  const DType type = requireOneFloatingType(call, {0, 1});
  checkParams(call, p.conv);
  const Shape& dy = call.input(0).shape();
  const Shape& x = call.input(1).shape();
  if (dy[0] != x[0])
    refuseShapes(call, fmt::format("output gradient has {} images, input {}", dy[0], x[0]));
  if (x[1] % p.conv.groups != 0 || dy[1] % p.conv.groups != 0)
    refuseShapes(call, fmt::format("{} input and {} output channels do not divide into {} groups",
                                   x[1], dy[1], p.conv.groups));
  checkGradSize(call, p.conv, {x[2], x[3]}, p.size);
  out[0] = {{dy[1], x[1] / p.conv.groups, p.size[0], p.size[1]}, type};
  out[1] = {{p.bias ? dy[1] : 0}, type};
}

Conv2dGradParams weightParams(const Conv2dParams& conv, const Shape& w, bool bias) {
  return {conv, {w[2], w[3]}, bias};
}

void forwardGrad(GradCall& call) {
  const auto& p = call.as<Conv2dParams>();
  const Tensor& dy = call.gradOutputs[0];
  if (call.needs(0)) {
    const Shape& x = call.inputMetas[0].shape;
    call.gradInputs[0] = conv2dBackwardData(dy, call.inputs[1], p, x[2], x[3]);
  }
  if (!call.needs(1) && !call.needs(2)) return;
  const Conv2dGradParams params = weightParams(p, call.inputMetas[1].shape, call.needs(2));
  auto [dw, db] = conv2dBackwardWeight(dy, call.inputs[0], params);
  if (call.needs(1)) call.gradInputs[1] = dw;
  if (call.needs(2)) call.gradInputs[2] = db;
}

void dataGrad(GradCall& call) {
  const auto& p = call.as<Conv2dGradParams>().conv;
  const Tensor& ddx = call.gradOutputs[0];
  if (call.needs(0)) call.gradInputs[0] = conv2d(ddx, call.inputs[1], {}, p);
  if (call.needs(1))
    call.gradInputs[1] =
        conv2dBackwardWeight(call.inputs[0], ddx, weightParams(p, call.inputMetas[1].shape, false))
            .first;
}

void weightGrad(GradCall& call) {
  const auto& p = call.as<Conv2dGradParams>();
  const Shape& dy = call.inputMetas[0].shape;
  const Shape& x = call.inputMetas[1].shape;
  const Tensor& dw = call.gradOutputs[0];
  if (call.needs(0)) {
    const Tensor w = dw ? dw
                        : Tensor::zeros({dy[1], x[1] / p.conv.groups, p.size[0], p.size[1]},
                                        call.inputMetas[0].dtype, call.inputs[0].device());
    call.gradInputs[0] = conv2d(call.inputs[1], w, p.bias ? call.gradOutputs[1] : Tensor(), p.conv);
  }
  if (call.needs(1) && dw)
    call.gradInputs[1] = conv2dBackwardData(call.inputs[0], dw, p.conv, x[2], x[3]);
}

const OpDef kConv2d = {.id = "conv2d",
                       .help = "Convolution of images with a set of kernels, plus a bias.",
                       .inputNames = {"x", "w", "b"},
                       .paramBytes = sizeof(Conv2dParams),
                       .meta = &forwardMeta,
                       .savesInputs = 0b011,
                       .grad = &forwardGrad,
                       .autocast = AutocastClass::LowPrecision,
                       .samples = &conv2dSamples};

const OpDef kBackwardData = {.id = "conv2d_backward_data",
                             .help = "Gradient of conv2d with respect to the images.",
                             .inputNames = {"dy", "w"},
                             .paramBytes = sizeof(Conv2dGradParams),
                             .meta = &dataMeta,
                             .savesInputs = 0b11,
                             .grad = &dataGrad,
                             .autocast = AutocastClass::LowPrecision,  // transposed convolution
                             .samples = &conv2dBackwardDataSamples};

const OpDef kBackwardWeight = {.id = "conv2d_backward_weight",
                               .help = "Gradients of conv2d with respect to kernels and bias.",
                               .inputNames = {"dy", "x"},
                               .outputs = 2,
                               .paramBytes = sizeof(Conv2dGradParams),
                               .meta = &weightMeta,
                               .savesInputs = 0b11,
                               .grad = &weightGrad,
                               .samples = &conv2dBackwardWeightSamples};

const OpDef* const kOps[] = {&kConv2d, &kBackwardData, &kBackwardWeight};

}  // namespace

OpDefList opDefs_conv2d();
OpDefList opDefs_conv2d() { return {kOps, 3}; }

Tensor conv2d(const Tensor& x, const Tensor& w, const Tensor& b, const Conv2dParams& params) {
  return gate::run(kConv2d, {&x, &w, &b}, &params);
}

Tensor conv2dBackwardData(const Tensor& dy, const Tensor& w, const Conv2dParams& params,
                          int64_t height, int64_t width) {
  const Conv2dGradParams grad{params, {height, width}, 0};
  return gate::run(kBackwardData, {&dy, &w}, &grad);
}

std::pair<Tensor, Tensor> conv2dBackwardWeight(const Tensor& dy, const Tensor& x,
                                               const Conv2dGradParams& params) {
  gate::Outputs out = gate::runAll(kBackwardWeight, {&dy, &x}, &params);
  return {std::move(out[0]), std::move(out[1])};
}

}  // namespace tenon
