// SPDX-License-Identifier: Apache-2.0
// Operator "ctc_loss" of each sample, its fused gradient, and the loss made of it.
#include "engine/ops/ctc_loss/ctc_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

/// Checks what forward and backward have in common; the log-probabilities are input `first`.
void checkSequences(const OpCall& call, size_t first) {
  requireAxes(call, first, 3, "[T, N, C]");
  needFloating(call, first);
  const Shape& x = call.input(first).shape();
  requireAxes(call, first + 1, 2, "[N, S]");
  needType(call, first + 1, DType::I64);
  const Shape& targets = call.input(first + 1).shape();
  if (x[2] < 1 || targets[0] != x[1])
    refuseShapes(call, fmt::format("wants classes, and targets for {} samples", x[1]));
  for (size_t i = first + 2; i <= first + 3; ++i) {
    if (!call.has(i)) continue;
    needType(call, i, DType::I64);
    requireShape(call, i, {x[1]}, "one length a sample");
  }
  const int64_t blank = call.as<CtcLossParams>().blank;
  if (blank < 0 || blank >= x[2])
    throw Error(Code::Usage, fmt::format("[{}] blank must be a class, 0 .. {}, got {}", call.op.id,
                                         x[2] - 1, blank));
}

Shape alphaShape(const Shape& x, const Shape& targets) { return {x[1], x[0], 2 * targets[1] + 1}; }

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  checkSequences(call, 0);
  const Tensor& x = call.input(0);
  out[0] = {{x.size(1)}, x.dtype()};
  out[1] = {alphaShape(x.shape(), call.input(1).shape()), DType::F64};
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 3);
  checkSequences(call, 1);
  requirePresent(call, {5});
  needShape(call, 0, {call.input(1).size(1)});
  needSameType(call, 0, 1);
  needType(call, 5, DType::F64);
  needShape(call, 5, alphaShape(call.input(1).shape(), call.input(2).shape()));
  out[0] = {call.input(1).shape(), call.input(1).dtype()};
}

void describeParams(const void* params, ParamMap& out) {
  const auto* p = static_cast<const CtcLossParams*>(params);
  out.set("blank", p->blank);
  out.set("zeroInfinity", p->zeroInfinity != 0);
}

/// Log-probabilities, and labels of the classes below `labels`.
std::vector<SampleInput> sequences(const Shape& x, int64_t length, double labels) {
  return {{x, Values::Uniform, -3, 0},
          {{x[1], length}, Values::Index, 0, labels, false},
          {{}, Values::Absent},
          {{}, Values::Absent}};
}

SampleInput lengths(int64_t samples, int64_t most) {
  return {{samples}, Values::Index, 0, static_cast<double>(most + 1), false};
}

std::vector<OpSample> forwardSamples() {
  const auto with = [](int64_t blank, int64_t zeroInfinity = 0) {
    return sampleParams(CtcLossParams{blank, zeroInfinity});
  };
  std::vector<OpSample> all = {
      {"small", sequences({4, 2, 4}, 1, 3), with(3), {}},
      {"longer", sequences({12, 3, 6}, 5, 5), with(5), {}},
      {"two labels, so with repeats", sequences({15, 4, 3}, 6, 2), with(2), {}},
      {"no labels", sequences({3, 2, 3}, 0, 2), with(2), {}},
      {"no samples", sequences({3, 0, 3}, 2, 2), with(2), {}},
      {"lengths", sequences({9, 7, 4}, 3, 3), with(3, 1), {}},
      {"blank among labels", sequences({9, 5, 4}, 3, 4), with(3), {"blank", "sample"}},
      {"label too large", sequences({9, 2, 4}, 3, 900), with(3), {"label", "sample 0", "0 .. 3"}},
      {"no such blank", sequences({9, 2, 4}, 3, 3), with(4), {"blank", "0 .. 3", "4"}},
      {"other samples", sequences({9, 2, 4}, 3, 3), with(3), {"2 samples"}},
      {"lengths too large", sequences({9, 2, 4}, 3, 3), with(3), {"frames", "0 .. 9"}}};
  all[5].inputs[2] = lengths(7, 9);
  all[5].inputs[3] = lengths(7, 3);
  all[9].inputs[1].shape = {3, 3};
  all[10].inputs[2] = {{2}, Values::Index, 0, 100000, false};
  return all;
}

const OpDef kBackward = {
    .id = "ctc_loss_backward",
    .help = "Gradient of ctc_loss.",
    .inputNames = {"dy", "log_probs", "targets", "input_lengths", "target_lengths", "log_alpha"},
    .paramBytes = sizeof(CtcLossParams),
    .meta = &backwardMeta,
    .describe = &describeParams};

void fusedGrad(GradCall& call) {
  call.gradInputs[0] = gate::run(kBackward,
                                 {&call.gradOutputs[0], &call.inputs[0], &call.inputs[1],
                                  &call.inputs[2], &call.inputs[3], &call.outputs[1]},
                                 call.params);
}

const OpDef kCtcLoss = {
    .id = "ctc_loss",
    .help = "Negative log-likelihood of label sequences under all alignments with frames.",
    .inputNames = {"log_probs", "targets", "input_lengths", "target_lengths"},
    .outputs = 2,
    .paramBytes = sizeof(CtcLossParams),
    .meta = &forwardMeta,
    .savesInputs = 15,
    .savesOutputs = 2,
    .nonDifferentiable = 2,
    .grad = &fusedGrad,
    .gradDifferentiable = &ctcLossTracedGrad,
    .autocast = AutocastClass::Float32,
    .describe = &describeParams,
    .samples = &forwardSamples};
const OpDef* const kOps[] = {&kCtcLoss, &kBackward};

void needTensor(const char* name, const Tensor& x) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[ctc_loss] {} is undefined: it holds no tensor", name));
}

/// Labels one after the other as rows of the longest's length.
Tensor paddedTargets(const Tensor& targets, const Tensor& targetLengths) {
  needTensor("target_lengths of targets without rows", targetLengths);
  const std::vector<int64_t> lengths = targetLengths.toVector<int64_t>();
  const std::vector<int64_t> labels = targets.toVector<int64_t>();
  int64_t longest = 0;
  int64_t total = 0;
  for (size_t n = 0; n < lengths.size(); ++n) {
    if (lengths[n] < 0 || lengths[n] > targets.numel())
      throw Error(Code::Input, fmt::format("[ctc_loss] sample {} has {} labels, wanted 0 .. {}", n,
                                           lengths[n], targets.numel()));
    longest = std::max(longest, lengths[n]);
    total += lengths[n];
  }
  if (total != targets.numel())
    throw Error(Code::Shape, fmt::format("[ctc_loss] target_lengths add up to {}, but targets has "
                                         "{} labels",
                                         total, targets.numel()));
  std::vector<int64_t> rows(lengths.size() * static_cast<size_t>(longest));
  auto next = labels.begin();
  for (size_t n = 0; n < lengths.size(); ++n) {
    std::copy(next, next + lengths[n], rows.begin() + static_cast<int64_t>(n) * longest);
    next += lengths[n];
  }
  return Tensor::fromValues(rows, {static_cast<int64_t>(lengths.size()), longest});
}

/// Mean over samples of each loss by its number of labels, at least 1.
Tensor meanByLabels(const Tensor& losses, const Tensor& targets, const Tensor& targetLengths) {
  if (!targetLengths.defined())
    return mulScalar(mean(losses),
                     1.0 / static_cast<double>(std::max<int64_t>(targets.size(1), 1)));
  return mean(div(losses, cast(clamp(targetLengths, 1, HUGE_VAL), losses.dtype())));
}

}  // namespace

OpDefList opDefs_ctc_loss();
OpDefList opDefs_ctc_loss() { return {kOps, 2}; }

Tensor ctcLoss(const Tensor& logProbs, const Tensor& targets, const Tensor& inputLengths,
               const Tensor& targetLengths, const CtcOptions& options) {
  needTensor("log_probs", logProbs);
  needTensor("targets", targets);
  if (logProbs.ndim() == 2) {
    const auto one = [](const Tensor& t) { return t.defined() ? reshape(t, {1}) : t; };
    const Tensor loss = ctcLoss(unsqueeze(logProbs, 1), unsqueeze(targets, 0), one(inputLengths),
                                one(targetLengths), options);
    return reshape(loss, {});
  }
  Tensor rows = targets;
  if (targets.ndim() == 1) {
    if (targets.dtype() != DType::I64)
      throw Error(Code::Type,
                  fmt::format("[ctc_loss] targets must be i64, got {}", describe(targets)));
    rows = paddedTargets(targets, targetLengths);
  }
  const CtcLossParams params{options.blank, options.zeroInfinity ? 1 : 0};
  const Tensor losses =
      gate::runAll(kCtcLoss, {&logProbs, &rows, &inputLengths, &targetLengths}, &params)[0];
  if (options.reduction == Reduction::None) return losses;
  return options.reduction == Reduction::Sum ? sum(losses)
                                             : meanByLabels(losses, rows, targetLengths);
}

}  // namespace tenon
