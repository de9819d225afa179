// SPDX-License-Identifier: Apache-2.0
// Operators batch_norm, batch_norm_eval (each also with a fused ReLU), batch_norm_backward and
// batch_norm_update_stats.
//
// The fused backward operator is not differentiable itself: where the graph of a gradient is wanted
// the rule is spelled out with differentiable operators. A fused ReLU is undone by recomputing its
// sign from x with the arithmetic of the forward pass, so nothing more than x is saved.
#include "engine/ops/batch_norm/batch_norm.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/batch_norm/batch_norm_samples.h"
#include "engine/ops/checks.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

constexpr const char* kPerChannel = "one value a channel";

int64_t valuesPerChannel(const Shape& x) {
  int64_t count = x[0];
  for (int i = 2; i < x.ndim(); ++i) count *= x[i];
  return count;
}

void checkInput(const OpCall& call, size_t x, double eps) {
  requirePresent(call, {x});
  if (call.input(x).ndim() < 2)
    refuseShapes(call, fmt::format("{} wants at least 2 axes [N, C, ...], got {}",
                                   call.op.inputNames[x], call.input(x).ndim()));
  if (!(eps > 0))
    throw Error(Code::Usage, fmt::format("[{}] wants eps > 0, got {}", call.op.id, eps));
}

void trainingMeta(const OpCall& call, std::span<TensorMeta> out) {
  const DType statistics = requireParameterTypes(call, 0, {1, 2});
  checkInput(call, 0, call.as<BatchNormParams>().eps);
  const Shape& x = call.input(0).shape();
  const Shape channels = {x[1]};
  requireShape(call, 1, channels, kPerChannel);
  requireShape(call, 2, channels, kPerChannel);
  if (valuesPerChannel(x) < 2)
    refuseShapes(call, fmt::format("wants more than one value per channel in training, got {}",
                                   valuesPerChannel(x)));
  out[0] = {x, call.input(0).dtype()};
  out[1] = out[2] = {channels, statistics};
}

void evalMeta(const OpCall& call, std::span<TensorMeta> out) {
  requireParameterTypes(call, 0, {1, 2, 3, 4});
  checkInput(call, 0, call.as<BatchNormParams>().eps);
  const Shape& x = call.input(0).shape();
  requirePresent(call, {3, 4});
  for (size_t i = 1; i < 5; ++i) requireShape(call, i, {x[1]}, kPerChannel);
  out[0] = {x, call.input(0).dtype()};
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const DType type = requireOneFloatingType(call, {0, 1});
  const DType statistics = requireParameterTypes(call, 1, {2, 3, 4, 5});
  checkInput(call, 1, call.as<BatchNormGradParams>().eps);
  const Shape& x = call.input(1).shape();
  requireShape(call, 0, x, "the shape of x");
  requirePresent(call, {0, 4, 5});
  for (size_t i = 2; i < 6; ++i) requireShape(call, i, {x[1]}, kPerChannel);
  out[0] = {x, type};
  out[1] = out[2] = {{x[1]}, call.has(2) ? call.input(2).dtype() : statistics};
}

void updateMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<BatchNormUpdateParams>();
  requirePresent(call, {0, 1, 2, 3});
  // A network of f16 or bf16 may keep its running statistics in f32; those of a batch are f32.
  const DType type = requireOneFloatingType(call, {0, 1});
  requireParameterTypes(call, 0, {2, 3});
  requireAxes(call, 0, 1, "[C]");
  for (size_t i = 1; i < 4; ++i) requireShape(call, i, call.input(0).shape(), kPerChannel);
  if (p.count < 2 || !(p.momentum >= 0 && p.momentum <= 1))
    throw Error(Code::Usage,
                fmt::format("[{}] wants momentum 0 .. 1 and a count of at least 2, got {} and {}",
                            call.op.id, p.momentum, p.count));
  out[0] = out[1] = {call.input(0).shape(), type};
}

extern const OpDef kTraining, kTrainingRelu, kEval, kEvalRelu, kBackward;

bool hasRelu(const OpDef& op) { return &op == &kTrainingRelu || &op == &kEvalRelu; }
bool isEval(const OpDef& op) { return &op == &kEval || &op == &kEvalRelu; }

/// Mean and variance of a forward call: computed outputs or given inputs.
const Tensor& meanOf(const GradCall& call) {
  return isEval(call.op) ? call.inputs[3] : call.outputs[1];
}
const Tensor& varOf(const GradCall& call) {
  return isEval(call.op) ? call.inputs[4] : call.outputs[2];
}

void fusedGrad(GradCall& call) {
  const BatchNormGradParams params{call.as<BatchNormParams>().eps, hasRelu(call.op),
                                   isEval(call.op)};
  gate::Outputs out = gate::runAll(kBackward,
                                   {&call.gradOutputs[0], &call.inputs[0], &call.inputs[1],
                                    &call.inputs[2], &meanOf(call), &varOf(call)},
                                   &params);
  for (size_t i = 0; i < 3; ++i)
    if (call.needs(i)) call.gradInputs[i] = cast(out[i], call.inputMetas[i].dtype);
}

/// [C] as [1, C, 1, ...], to broadcast against x.
Tensor perChannel(const Tensor& t, int ndim) {
  Shape shape;
  shape.resize(ndim, 1);
  shape[1] = t.numel();
  return reshape(t, shape);
}

Axes allButChannels(int ndim) {
  Axes axes;
  for (int i = 0; i < ndim; ++i)
    if (i != 1) axes.push_back(i);
  return axes;
}

/// The rule built from differentiable operators: the statistics are functions of x again.
void spelledGrad(GradCall& call) {
  const DType statistics = statisticsType(call.inputMetas[0].dtype);
  const auto wide = [&](const Tensor& t) { return cast(t, statistics); };
  const auto give = [&](size_t i, const Tensor& t) {
    call.gradInputs[i] = cast(t, call.inputMetas[i].dtype);
  };
  const Tensor x = wide(call.inputs[0]);
  const int ndim = x.ndim();
  const Axes axes = allButChannels(ndim);
  const bool eval = isEval(call.op);
  const Tensor average = eval ? perChannel(wide(call.inputs[3]), ndim) : mean(x, axes, true);
  const Tensor centred = sub(x, average);
  const Tensor var =
      eval ? perChannel(wide(call.inputs[4]), ndim) : mean(mul(centred, centred), axes, true);
  const Tensor rstd = rsqrt(addScalar(var, call.as<BatchNormParams>().eps));
  const Tensor xhat = mul(centred, rstd);
  Tensor dy = wide(call.gradOutputs[0]);
  const Tensor gamma = call.inputs[1] ? perChannel(wide(call.inputs[1]), ndim) : Tensor();
  if (hasRelu(call.op)) {
    Tensor y = gamma ? mul(xhat, gamma) : xhat;
    if (call.inputs[2]) y = add(y, perChannel(wide(call.inputs[2]), ndim));
    const Tensor zero = Tensor::zeros({}, x.dtype(), x.device());
    dy = where(greater(y, zero), dy, zero);
  }
  if (call.needs(0)) {
    const Tensor dxhat = gamma ? mul(dy, gamma) : dy;
    Tensor dx = dxhat;
    if (!eval) {
      dx = sub(dx, mean(dxhat, axes, true));
      dx = sub(dx, mul(xhat, mean(mul(dxhat, xhat), axes, true)));
    }
    give(0, mul(dx, rstd));
  }
  if (call.needs(1)) give(1, sum(mul(dy, xhat), axes));
  if (call.needs(2)) give(2, sum(dy, axes));
}

constexpr uint64_t kStatistics = 0b110;

const OpDef kTraining = {.id = "batch_norm",
                         .help =
                             "Each channel brought to mean 0 and variance 1 over the batch, "
                             "then scaled and shifted.",
                         .inputNames = {"x", "gamma", "beta"},
                         .outputs = 3,
                         .paramBytes = sizeof(BatchNormParams),
                         .meta = &trainingMeta,
                         .savesInputs = 0b011,
                         .savesOutputs = kStatistics,
                         .nonDifferentiable = kStatistics,
                         .grad = &fusedGrad,
                         .gradDifferentiable = &spelledGrad,
                         .samples = &batchNormSamples};
const OpDef kTrainingRelu = {.id = "batch_norm_relu",
                             .help = "batch_norm followed by a ReLU in the same pass.",
                             .inputNames = {"x", "gamma", "beta"},
                             .outputs = 3,
                             .paramBytes = sizeof(BatchNormParams),
                             .meta = &trainingMeta,
                             .savesInputs = 0b111,
                             .savesOutputs = kStatistics,
                             .nonDifferentiable = kStatistics,
                             .grad = &fusedGrad,
                             .gradDifferentiable = &spelledGrad,
                             .samples = &batchNormSamples};
const OpDef kEval = {.id = "batch_norm_eval",
                     .help =
                         "Each channel normalized with a given mean and variance, then scaled "
                         "and shifted.",
                     .inputNames = {"x", "gamma", "beta", "mean", "var"},
                     .paramBytes = sizeof(BatchNormParams),
                     .meta = &evalMeta,
                     .savesInputs = 0b11011,
                     .grad = &fusedGrad,
                     .gradDifferentiable = &spelledGrad,
                     .samples = &batchNormEvalSamples};
const OpDef kEvalRelu = {.id = "batch_norm_eval_relu",
                         .help = "batch_norm_eval followed by a ReLU in the same pass.",
                         .inputNames = {"x", "gamma", "beta", "mean", "var"},
                         .paramBytes = sizeof(BatchNormParams),
                         .meta = &evalMeta,
                         .savesInputs = 0b11111,
                         .grad = &fusedGrad,
                         .gradDifferentiable = &spelledGrad,
                         .samples = &batchNormEvalSamples};
const OpDef kBackward = {.id = "batch_norm_backward",
                         .help = "Gradients of batch norm with respect to x, gamma and beta.",
                         .inputNames = {"dy", "x", "gamma", "beta", "mean", "var"},
                         .outputs = 3,
                         .paramBytes = sizeof(BatchNormGradParams),
                         .meta = &backwardMeta,
                         .samples = &batchNormBackwardSamples};
const OpDef kUpdate = {.id = "batch_norm_update_stats",
                       .help = "Moves running mean and variance towards those of a batch.",
                       .inputNames = {"running_mean", "running_var", "mean", "var"},
                       .outputs = 2,
                       .paramBytes = sizeof(BatchNormUpdateParams),
                       .meta = &updateMeta,
                       .mutates = 0b11,
                       .samples = &batchNormUpdateSamples};

const OpDef* const kOps[] = {&kTraining, &kTrainingRelu, &kEval, &kEvalRelu, &kBackward, &kUpdate};

}  // namespace

OpDefList opDefs_batch_norm();
OpDefList opDefs_batch_norm() { return {kOps, 6}; }

BatchNormResult batchNormTraining(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                                  double eps, bool relu) {
  const BatchNormParams params{eps};
  gate::Outputs out = gate::runAll(relu ? kTrainingRelu : kTraining, {&x, &gamma, &beta}, &params);
  return {std::move(out[0]), std::move(out[1]), std::move(out[2])};
}

Tensor batchNormEval(const Tensor& x, const Tensor& gamma, const Tensor& beta, const Tensor& mean,
                     const Tensor& var, double eps, bool relu) {
  const BatchNormParams params{eps};
  return gate::run(relu ? kEvalRelu : kEval, {&x, &gamma, &beta, &mean, &var}, &params);
}

void batchNormUpdateStats(const Tensor& runningMean, const Tensor& runningVar,
                          const BatchNormResult& batch, double momentum, int64_t count) {
  const BatchNormUpdateParams params{momentum, count};
  gate::runAll(kUpdate, {&runningMean, &runningVar, &batch.mean, &batch.var}, &params);
}

}  // namespace tenon
