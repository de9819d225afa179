// SPDX-License-Identifier: Apache-2.0
// Operator "cross_entropy", its fused gradient, and "smoothed_targets", from which the gradient can
// be written with recorded operators.
#include "engine/ops/cross_entropy/cross_entropy.h"

#include <fmt/format.h>

#include <limits>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/softmax/softmax.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

/// Shape of the targets: the logits' without the class axis.
Shape rowsOf(const Shape& logits) {
  Shape rows;
  for (int i = 0; i < logits.ndim(); ++i)
    if (i != 1) rows.push(logits[i]);
  return rows;
}

void needLogits(const OpCall& call, size_t logits, size_t targets) {
  const Tensor& x = call.input(logits);
  if (x.ndim() < 2 || x.size(1) < 1)
    throw Error(Code::Shape, fmt::format("[{}] logits must be [N, C, ...] with C >= 1, got {}",
                                         call.op.id, describe(x)));
  needFloating(call, logits);
  needType(call, targets, DType::I64);
  needShape(call, targets, rowsOf(x.shape()));
}

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needLogits(call, 0, 1);
  const auto& params = call.as<CrossEntropyParams>();
  if (!(params.labelSmoothing >= 0 && params.labelSmoothing <= 1))
    throw Error(Code::Usage, fmt::format("[cross_entropy] label smoothing must be 0 .. 1, got {}",
                                         params.labelSmoothing));
  const Tensor& x = call.input(0);
  const Shape rows = rowsOf(x.shape());
  out[0] = {params.reduction == Reduction::None ? rows : Shape{}, x.dtype()};
  // of 16 bits it would move the gradient of a row that is nearly right by a third and more
  out[1] = {rows, statisticsType(x.dtype())};
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 4);
  needLogits(call, 1, 2);
  needShape(call, 3, rowsOf(call.input(1).shape()));
  out[0] = {call.input(1).shape(), call.input(1).dtype()};
}

void smoothedMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needLogits(call, 0, 1);
  likeFirst(call, out);
}

void describeParams(const void* params, ParamMap& out) {
  const auto* p = static_cast<const CrossEntropyParams*>(params);
  constexpr const char* kReductions[] = {"none", "mean", "sum"};
  out.set("ignoreIndex", p->ignoreIndex);
  out.set("labelSmoothing", p->labelSmoothing);
  out.set("reduction", std::string(kReductions[static_cast<int>(p->reduction)]));
}

SampleInput targetsOf(const Shape& shape, double classes) {
  return {shape, Values::Index, 0, classes, false};
}

std::vector<OpSample> forwardSamples() {
  const auto with = [](Reduction reduction, double smoothing = 0, int64_t ignored = -100) {
    return sampleParams(CrossEntropyParams{ignored, smoothing, reduction});
  };
  const SampleInput x{{6, 5}, Values::Uniform, -3, 3};
  const SampleInput t = targetsOf({6}, 5);
  return {{"mean", {x, t}, with(Reduction::Mean), {}},
          {"sum, smoothed", {x, t}, with(Reduction::Sum, 0.1), {}},
          {"none, one class ignored", {x, t}, with(Reduction::None, 0, 2), {}},
          {"mean, smoothed, one class ignored", {x, t}, with(Reduction::Mean, 0.3, 2), {}},
          {"images", {{{2, 11, 3, 2}}, targetsOf({2, 3, 2}, 11)}, with(Reduction::Mean, 0.1), {}},
          {"target too large", {x, targetsOf({6}, 500)}, with(Reduction::Mean), {"row", "0 .. 4"}},
          {"other rows", {x, targetsOf({7}, 5)}, with(Reduction::Mean), {"targets", "[6]"}},
          {"vector", {{{5}}, targetsOf({}, 5)}, with(Reduction::Mean), {"[N, C, ...]"}},
          {"smoothing", {x, t}, with(Reduction::Mean, 1.5), {"0 .. 1", "1.5"}}};
}

std::vector<OpSample> backwardSamples() {
  const auto params = sampleParams(CrossEntropyParams{2, 0.1, Reduction::Mean});
  return {{"mean", {{{}}, {{6, 5}}, targetsOf({6}, 5), {{6}, Values::Uniform, 1, 3}}, params, {}}};
}

std::vector<OpSample> smoothedSamples() {
  const auto params = sampleParams(CrossEntropyParams{2, 0.1, Reduction::Mean});
  return {{"rows", {{{6, 5}}, targetsOf({6}, 5)}, params, {}},
          {"images", {{{2, 3, 4}}, targetsOf({2, 4}, 3)}, params, {}}};
}

const OpDef kBackward = {.id = "cross_entropy_backward",
                         .help = "Gradient of cross_entropy.",
                         .inputNames = {"dy", "logits", "targets", "log_sums"},
                         .paramBytes = sizeof(CrossEntropyParams),
                         .meta = &backwardMeta,
                         .describe = &describeParams,
                         .samples = &backwardSamples};
const OpDef kSmoothed = {.id = "smoothed_targets",
                         .help = "Wanted probability of each class; zeros in ignored rows.",
                         .inputNames = {"logits", "targets"},
                         .paramBytes = sizeof(CrossEntropyParams),
                         .meta = &smoothedMeta,
                         .nonDifferentiable = 1,
                         .describe = &describeParams,
                         .samples = &smoothedSamples};

void fusedGrad(GradCall& call) {
  call.gradInputs[0] = gate::run(
      kBackward, {&call.gradOutputs[0], &call.inputs[0], &call.inputs[1], &call.outputs[1]},
      call.params);
}

// dx = weight (counted softmax(x) - wanted), weight = dy (/ counted rows)
void tracedGrad(GradCall& call) {
  const auto& params = call.as<CrossEntropyParams>();
  const Tensor wanted = gate::run(kSmoothed, {&call.inputs[0], &call.inputs[1]}, call.params);
  const Tensor counted = sum(wanted, {1}, true);  // 1, or 0 for an ignored row
  Tensor weight = call.gradOutputs[0];
  if (params.reduction == Reduction::Mean)  // where all are ignored too the gradient is zeros
    weight = div(weight, clamp(sum(counted), 1, std::numeric_limits<double>::infinity()));
  if (params.reduction == Reduction::None) weight = unsqueeze(weight, 1);
  call.gradInputs[0] = mul(sub(mul(softmax(call.inputs[0], 1), counted), wanted), weight);
}

const OpDef kCrossEntropy = {.id = "cross_entropy",
                             .help = "Negative log-likelihood of class indices under softmax.",
                             .inputNames = {"logits", "targets"},
                             .outputs = 2,
                             .paramBytes = sizeof(CrossEntropyParams),
                             .meta = &forwardMeta,
                             .savesInputs = 3,
                             .savesOutputs = 2,
                             .nonDifferentiable = 2,
                             .grad = &fusedGrad,
                             .gradDifferentiable = &tracedGrad,
                             .autocast = AutocastClass::Float32,
                             .describe = &describeParams,
                             .samples = &forwardSamples};
const OpDef* const kOps[] = {&kCrossEntropy, &kBackward, &kSmoothed};

}  // namespace

OpDefList opDefs_cross_entropy();
OpDefList opDefs_cross_entropy() { return {kOps, 3}; }

Tensor crossEntropy(const Tensor& logits, const Tensor& targets, const CrossEntropyParams& params) {
  return gate::runAll(kCrossEntropy, {&logits, &targets}, &params)[0];
}

}  // namespace tenon
