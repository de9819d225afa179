// SPDX-License-Identifier: Apache-2.0
// The end of a step, from gradients to weights.
#include "engine/train/weight_update.h"

#include <algorithm>

#include "engine/autograd/autograd.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/optimizer/optimizer.h"
#include "engine/train/precision.h"

namespace tenon {
namespace {

/// Weights and running statistics: averaged weights want statistics of their own.
std::vector<OptimizedParameter> averagedTensors(const Model& model) {
  std::vector<OptimizedParameter> out;
  for (const NamedTensor& named : model.tensors())
    if (named.tensor.dtype() == DType::F32 || named.tensor.dtype() == DType::F64)
      out.push_back({named.name, named.tensor, named.decays});
  return out;
}

bool hasGradients(const std::vector<OptimizedParameter>& parameters) {
  return std::any_of(parameters.begin(), parameters.end(), [](const OptimizedParameter& each) {
    return autograd::gradOf(each.tensor).defined();
  });
}

}  // namespace

WeightUpdate::WeightUpdate(const TrainSpec& train, const OptimizerPlan& plan, const Model& model)
    : clipNorm_(train.clipNorm),
      clipValue_(train.clipValue),
      parameters_(optimizedParameters(model)),
      scaler_({.enabled = scalesLoss(train)}),
      optimizer_(makeOptimizer(plan, parameters_)) {
  if (scaler_.enabled())
    for (const NamedTensor& named : model.tensors())
      if (!named.trainable) statistics_.push_back({named.tensor, clone(named.tensor)});
  if (train.emaDecay > 0)
    average_ = std::make_unique<WeightAverage>(
        averagedTensors(model), WeightAverage::Options{train.emaDecay, train.emaWarmUp});
}

void WeightUpdate::begin() {
  zeroGrad(parameters_);
  const gate::NoGradGuard noGrad;
  for (const Statistic& each : statistics_) copyInPlace(each.before, each.now);
}

void WeightUpdate::putStatisticsBack() {
  const gate::NoGradGuard noGrad;
  for (const Statistic& each : statistics_) copyInPlace(each.now, each.before);
}

void WeightUpdate::scaleGradients(double factor) {
  const gate::NoGradGuard noGrad;
  std::vector<Tensor> gradients;
  gradients.reserve(parameters_.size());
  for (const OptimizedParameter& each : parameters_)
    if (const Tensor gradient = autograd::gradOf(each.tensor); gradient.defined())
      gradients.push_back(gradient);
  scaleInPlace(gradients, Tensor::full({}, factor));
}

WeightStep WeightUpdate::step(double learningRate) {
  WeightStep result;
  if (!hasGradients(parameters_)) return stepWithout(learningRate);
  if (scaler_.unscale(*optimizer_, parameters_)) {
    if (clipNorm_ > 0) result.gradNorm = clipGradNorm(parameters_, clipNorm_);
    if (clipValue_ > 0) clipGradValue(parameters_, clipValue_);
  }
  result.made = scaler_.step(*optimizer_, parameters_, learningRate);
  scaler_.update();
  if (!result.made) putStatisticsBack();
  if (result.made && average_) average_->update();
  return result;
}

/// No weight ran, as where a condition took a way without any: the step counts, its weights stay.
/// The scaler has nothing to judge its scale by.
WeightStep WeightUpdate::stepWithout(double learningRate) {
  WeightStep result;
  if (clipNorm_ > 0) result.gradNorm = 0;
  optimizer_->step(learningRate);
  if (average_) average_->update();
  return result;
}

}  // namespace tenon
