// SPDX-License-Identifier: Apache-2.0
// Operators max_pool2d, avg_pool2d and adaptive_avg_pool2d with their backward operators.
//
// max_pool2d also gives which position of its window each value came from (row-major number within
// the whole window): u8, or i32 for windows of more than 256 positions. The two operators that take
// such positions have no samples, since drawn values are none; pool2d_test.cpp tests them.
#include "engine/ops/pool2d/pool2d.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/pool2d/pool2d_samples.h"

namespace tenon {
namespace {

constexpr const char* kImages = "[N, C, H, W]";
const char* axisName(int axis) { return axis ? "width" : "height"; }

void checkParams(const OpCall& call, const Pool2dParams& p) {
  for (int a = 0; a < 2; ++a) {
    if (p.kernel[a] >= 1 && p.stride[a] >= 1 && p.padding[a] >= 0 &&
        2 * p.padding[a] <= p.kernel[a])
      continue;
    throw Error(Code::Usage,
                fmt::format("[{}] wants kernel >= 1, stride >= 1, padding 0 .. kernel "
                            "/ 2, got {}, {}, {} along {}",
                            call.op.id, p.kernel[a], p.stride[a], p.padding[a], axisName(a)));
  }
}

/// Windows along an axis; a last window that starts in the far padding does not count.
int64_t windows(const OpCall& call, const Pool2dParams& p, int axis, int64_t in) {
  const int64_t room = in + 2 * p.padding[axis] - p.kernel[axis];
  if (in < 1 || room < 0)
    refuseShapes(call, fmt::format("window of {} is larger than the padded {} {}", p.kernel[axis],
                                   axisName(axis), in + 2 * p.padding[axis]));
  const int64_t stride = p.stride[axis];
  int64_t out = (room + (p.ceilMode ? stride - 1 : 0)) / stride + 1;
  if (p.ceilMode && (out - 1) * stride >= in + p.padding[axis]) --out;
  return out;
}

Shape pooledShape(const OpCall& call, const Pool2dParams& p, const Shape& x) {
  checkParams(call, p);
  return {x[0], x[1], windows(call, p, 0, x[2]), windows(call, p, 1, x[3])};
}

DType whichType(const Pool2dParams& p) {
  return p.kernel[0] * p.kernel[1] <= 256 ? DType::U8 : DType::I32;
}

void requireWhich(const OpCall& call, const Pool2dParams& p, const Shape& pooled) {
  requirePresent(call, {1});
  requireShape(call, 1, pooled, "one position a window");
  const DType wanted = whichType(p), got = call.input(1).dtype();
  if (got != wanted)
    throw Error(Code::Type, fmt::format("[{}] which wants {}, got {}", call.op.id,
                                        dtypeName(wanted), dtypeName(got)));
}

void maxMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<Pool2dParams>();
  requireAxes(call, 0, 4, kImages);
  const DType type = requireOneFloatingType(call, {0});
  out[0] = {pooledShape(call, p, call.input(0).shape()), type};
  out[1] = {out[0].shape, whichType(p)};
}

/// Shape of the pooled input of a backward operator whose input 0 is the output gradient.
Shape inputShape(const OpCall& call, const int64_t (&size)[2]) {
  const Shape& dy = call.input(0).shape();
  return {dy[0], dy[1], size[0], size[1]};
}

void gradMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<Pool2dGradParams>();
  requireAxes(call, 0, 4, kImages);
  const DType type = requireOneFloatingType(call, {0});
  const Shape x = inputShape(call, p.size);
  requireShape(call, 0, pooledShape(call, p.pool, x), "the pooled size of the input");
  out[0] = {x, type};
}

void maxGradMeta(const OpCall& call, std::span<TensorMeta> out) {
  gradMeta(call, out);
  requireWhich(call, call.as<Pool2dGradParams>().pool, call.input(0).shape());
}

void gatherMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<Pool2dParams>();
  requireAxes(call, 0, 4, kImages);
  const DType type = requireOneFloatingType(call, {0});
  out[0] = {pooledShape(call, p, call.input(0).shape()), type};
  requireWhich(call, p, out[0].shape);
}

void avgMeta(const OpCall& call, std::span<TensorMeta> out) {
  requireAxes(call, 0, 4, kImages);
  const DType type = requireOneFloatingType(call, {0});
  out[0] = {pooledShape(call, call.as<Pool2dParams>(), call.input(0).shape()), type};
}

void adaptiveMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<AdaptivePool2dParams>();
  requireAxes(call, 0, 4, kImages);
  const DType type = requireOneFloatingType(call, {0});
  if (p.size[0] < 1 || p.size[1] < 1)
    throw Error(Code::Usage, fmt::format("[{}] wants a size of at least [1, 1], got [{}, {}]",
                                         call.op.id, p.size[0], p.size[1]));
  const Shape& x = call.input(0).shape();
  if (x[2] < 1 || x[3] < 1) refuseShapes(call, "pools nothing: the image has no pixels");
  out[0] = {inputShape(call, p.size), type};
}

Pool2dGradParams gradParams(const Pool2dParams& pool, const Shape& x) {
  return {pool, {x[2], x[3]}};
}

extern const OpDef kMaxBackward, kMaxGather, kAvgBackward, kAvg, kAdaptive, kAdaptiveBackward;

void maxGrad(GradCall& call) {
  const auto params = gradParams(call.as<Pool2dParams>(), call.inputMetas[0].shape);
  call.gradInputs[0] = gate::run(kMaxBackward, {&call.gradOutputs[0], &call.outputs[1]}, &params);
}
void maxBackwardGrad(GradCall& call) {
  const Pool2dParams& params = call.as<Pool2dGradParams>().pool;
  call.gradInputs[0] = gate::run(kMaxGather, {&call.gradOutputs[0], &call.inputs[1]}, &params);
}
void maxGatherGrad(GradCall& call) {
  const auto params = gradParams(call.as<Pool2dParams>(), call.inputMetas[0].shape);
  call.gradInputs[0] = gate::run(kMaxBackward, {&call.gradOutputs[0], &call.inputs[1]}, &params);
}
void avgGrad(GradCall& call) {
  const auto params = gradParams(call.as<Pool2dParams>(), call.inputMetas[0].shape);
  call.gradInputs[0] = gate::run(kAvgBackward, {&call.gradOutputs[0]}, &params);
}
void avgBackwardGrad(GradCall& call) {
  const Pool2dParams& params = call.as<Pool2dGradParams>().pool;
  call.gradInputs[0] = gate::run(kAvg, {&call.gradOutputs[0]}, &params);
}
void adaptiveGrad(GradCall& call) {
  const Shape& x = call.inputMetas[0].shape;
  const AdaptivePool2dParams params{{x[2], x[3]}};
  call.gradInputs[0] = gate::run(kAdaptiveBackward, {&call.gradOutputs[0]}, &params);
}
void adaptiveBackwardGrad(GradCall& call) {
  const Shape& dy = call.inputMetas[0].shape;
  const AdaptivePool2dParams params{{dy[2], dy[3]}};
  call.gradInputs[0] = gate::run(kAdaptive, {&call.gradOutputs[0]}, &params);
}

const OpDef kMax = {.id = "max_pool2d",
                    .help = "Largest value of each window, and where in the window it was.",
                    .inputNames = {"x"},
                    .outputs = 2,
                    .paramBytes = sizeof(Pool2dParams),
                    .meta = &maxMeta,
                    .savesOutputs = 0b10,
                    .nonDifferentiable = 0b10,
                    .grad = &maxGrad,
                    .samples = &maxPool2dSamples};
const OpDef kMaxBackward = {
    .id = "max_pool2d_backward",
    .help = "Gradient of max_pool2d: each value goes where its maximum was.",
    .inputNames = {"dy", "which"},
    .paramBytes = sizeof(Pool2dGradParams),
    .meta = &maxGradMeta,
    .savesInputs = 0b10,
    .grad = &maxBackwardGrad};
const OpDef kMaxGather = {.id = "max_pool2d_gather",
                          .help = "Takes from each window the value at a given position.",
                          .inputNames = {"x", "which"},
                          .paramBytes = sizeof(Pool2dParams),
                          .meta = &gatherMeta,
                          .savesInputs = 0b10,
                          .grad = &maxGatherGrad};
const OpDef kAvg = {.id = "avg_pool2d",
                    .help = "Mean of each window.",
                    .inputNames = {"x"},
                    .paramBytes = sizeof(Pool2dParams),
                    .meta = &avgMeta,
                    .grad = &avgGrad,
                    .samples = &avgPool2dSamples};
const OpDef kAvgBackward = {.id = "avg_pool2d_backward",
                            .help = "Gradient of avg_pool2d.",
                            .inputNames = {"dy"},
                            .paramBytes = sizeof(Pool2dGradParams),
                            .meta = &gradMeta,
                            .grad = &avgBackwardGrad,
                            .samples = &avgPool2dBackwardSamples};
const OpDef kAdaptive = {.id = "adaptive_avg_pool2d",
                         .help = "Mean over as many bins as the wanted output size has.",
                         .inputNames = {"x"},
                         .paramBytes = sizeof(AdaptivePool2dParams),
                         .meta = &adaptiveMeta,
                         .grad = &adaptiveGrad,
                         .samples = &adaptiveAvgPool2dSamples};
const OpDef kAdaptiveBackward = {.id = "adaptive_avg_pool2d_backward",
                                 .help = "Gradient of adaptive_avg_pool2d.",
                                 .inputNames = {"dy"},
                                 .paramBytes = sizeof(AdaptivePool2dParams),
                                 .meta = &adaptiveMeta,
                                 .grad = &adaptiveBackwardGrad,
                                 .samples = &adaptiveAvgPool2dBackwardSamples};

const OpDef* const kOps[] = {&kMax,         &kMaxBackward, &kMaxGather,       &kAvg,
                             &kAvgBackward, &kAdaptive,    &kAdaptiveBackward};

}  // namespace

OpDefList opDefs_pool2d();
OpDefList opDefs_pool2d() { return {kOps, 7}; }

Tensor maxPool2d(const Tensor& x, const Pool2dParams& params) {
  return gate::runAll(kMax, {&x}, &params)[0];
}

MaxPool2dResult maxPool2dWithPlaces(const Tensor& x, const Pool2dParams& params) {
  gate::Outputs out = gate::runAll(kMax, {&x}, &params);
  return {std::move(out[0]), std::move(out[1])};
}

Tensor avgPool2d(const Tensor& x, const Pool2dParams& params) {
  return gate::run(kAvg, {&x}, &params);
}

Tensor adaptiveAvgPool2d(const Tensor& x, int64_t height, int64_t width) {
  const AdaptivePool2dParams params{{height, width}};
  return gate::run(kAdaptive, {&x}, &params);
}

}  // namespace tenon
