// SPDX-License-Identifier: Apache-2.0
// Operators linear, linear_backward_input and linear_backward_weight: shape rules and gradients.
//
// Each is linear in each input, and the three are each other's gradients.
#include "engine/ops/linear/linear.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/linear/linear_samples.h"

namespace tenon {
namespace {

constexpr const char* kWeights = "[out, in]";

void requireRows(const OpCall& call, size_t i) {
  requirePresent(call, {i});
  if (call.input(i).ndim() >= 1) return;
  refuseShapes(call, fmt::format("{} wants at least one axis", call.op.inputNames[i]));
}

Shape withLast(Shape shape, int64_t last) {
  shape[shape.ndim() - 1] = last;
  return shape;
}

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  requireAxes(call, 1, 2, kWeights);
  const DType type = requireOneFloatingType(call, {0, 1, 2});
  requireRows(call, 0);
  const Shape& x = call.input(0).shape();
  const Shape& w = call.input(1).shape();
  if (x.at(-1) != w[1])
    refuseShapes(call, fmt::format("weight wants {} features, input has {}", w[1], x.at(-1)));
  requireShape(call, 2, {w[0]}, "one value an output feature");
  out[0] = {withLast(x, w[0]), type};
}

void inputMeta(const OpCall& call, std::span<TensorMeta> out) {
  requireAxes(call, 1, 2, kWeights);
  const DType type = requireOneFloatingType(call, {0, 1});
  requireRows(call, 0);
  const Shape& dy = call.input(0).shape();
  const Shape& w = call.input(1).shape();
  if (dy.at(-1) != w[0])
    refuseShapes(
        call, fmt::format("weight gives {} features, the output gradient has {}", w[0], dy.at(-1)));
  out[0] = {withLast(dy, w[1]), type};
}

void weightMeta(const OpCall& call, std::span<TensorMeta> out) {
  const DType type = requireOneFloatingType(call, {0, 1});
  requireRows(call, 0);
  requireRows(call, 1);
  const Shape& dy = call.input(0).shape();
  const Shape& x = call.input(1).shape();
  if (withLast(dy, 0) != withLast(x, 0))
    refuseShapes(call, "output gradient and input differ in more than the last axis");
  out[0] = {{dy.at(-1), x.at(-1)}, type};
  out[1] = {{call.as<LinearGradParams>().bias ? dy.at(-1) : 0}, type};
}

void passBack(GradCall& call, const Tensor& dy) {
  if (call.needs(0)) call.gradInputs[0] = linearBackwardInput(dy, call.inputs[1]);
  if (!call.needs(1) && !call.needs(2)) return;
  auto [dw, db] = linearBackwardWeight(dy, call.inputs[0], call.needs(2));
  if (call.needs(1)) call.gradInputs[1] = dw;
  if (call.needs(2)) call.gradInputs[2] = db;
}

void forwardGrad(GradCall& call) { passBack(call, call.gradOutputs[0]); }

void reluGrad(GradCall& call) {
  passBack(call, reluBackward(call.gradOutputs[0], call.outputs[0]));
}

void reluGradRecorded(GradCall& call) {
  const Tensor& dy = call.gradOutputs[0];
  const Tensor zero = Tensor::zeros({}, dy.dtype(), dy.device());
  passBack(call, where(greater(call.outputs[0], zero), dy, zero));
}

void inputGrad(GradCall& call) {
  const Tensor& ddx = call.gradOutputs[0];
  if (call.needs(0)) call.gradInputs[0] = linear(ddx, call.inputs[1], {});
  if (call.needs(1)) call.gradInputs[1] = linearBackwardWeight(call.inputs[0], ddx, false).first;
}

void weightGrad(GradCall& call) {
  const Tensor& dw = call.gradOutputs[0];
  if (call.needs(0)) {
    const TensorMeta& dy = call.inputMetas[0];
    const Tensor w = dw ? dw
                        : Tensor::zeros({dy.shape.at(-1), call.inputMetas[1].shape.at(-1)},
                                        dy.dtype, call.inputs[0].device());
    const bool bias = call.as<LinearGradParams>().bias != 0;
    call.gradInputs[0] = linear(call.inputs[1], w, bias ? call.gradOutputs[1] : Tensor());
  }
  if (call.needs(1) && dw) call.gradInputs[1] = linearBackwardInput(call.inputs[0], dw);
}

const OpDef kLinear = {.id = "linear",
                       .help =
                           "Affine map of the last axis: x times the transposed weight, plus a "
                           "bias.",
                       .inputNames = {"x", "w", "b"},
                       .meta = &forwardMeta,
                       .savesInputs = 0b011,
                       .grad = &forwardGrad,
                       .autocast = AutocastClass::LowPrecision,
                       .samples = &linearSamples};

const OpDef kLinearRelu = {.id = "linear_relu",
                           .help = "Affine map of the last axis, negative results made zero.",
                           .inputNames = {"x", "w", "b"},
                           .meta = &forwardMeta,
                           .savesInputs = 0b011,
                           .savesOutputs = 0b1,
                           .grad = &reluGrad,
                           .gradDifferentiable = &reluGradRecorded,
                           .autocast = AutocastClass::LowPrecision,
                           .samples = &linearReluSamples};

const OpDef kBackwardInput = {.id = "linear_backward_input",
                              .help = "Gradient of linear with respect to its input.",
                              .inputNames = {"dy", "w"},
                              .meta = &inputMeta,
                              .savesInputs = 0b11,
                              .grad = &inputGrad,
                              .samples = &linearBackwardInputSamples};

const OpDef kBackwardWeight = {.id = "linear_backward_weight",
                               .help = "Gradients of linear with respect to weight and bias.",
                               .inputNames = {"dy", "x"},
                               .outputs = 2,
                               .paramBytes = sizeof(LinearGradParams),
                               .meta = &weightMeta,
                               .savesInputs = 0b11,
                               .grad = &weightGrad,
                               .samples = &linearBackwardWeightSamples};

const OpDef* const kOps[] = {&kLinear, &kLinearRelu, &kBackwardInput, &kBackwardWeight};

}  // namespace

OpDefList opDefs_linear();
OpDefList opDefs_linear() { return {kOps, 4}; }

Tensor linear(const Tensor& x, const Tensor& w, const Tensor& b) {
  return gate::run(kLinear, {&x, &w, &b});
}

Tensor linearRelu(const Tensor& x, const Tensor& w, const Tensor& b) {
  return gate::run(kLinearRelu, {&x, &w, &b});
}

Tensor linearBackwardInput(const Tensor& dy, const Tensor& w) {
  return gate::run(kBackwardInput, {&dy, &w});
}

std::pair<Tensor, Tensor> linearBackwardWeight(const Tensor& dy, const Tensor& x, bool bias) {
  const LinearGradParams params{bias};
  gate::Outputs out = gate::runAll(kBackwardWeight, {&dy, &x}, &params);
  return {std::move(out[0]), std::move(out[1])};
}

}  // namespace tenon
