// SPDX-License-Identifier: Apache-2.0
// The end of a step, from gradients to weights.
#include "engine/train/weight_update.h"

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

}  // namespace

WeightUpdate::WeightUpdate(const TrainSpec& train, const OptimizerPlan& plan, const Model& model)
    : clipNorm_(train.clipNorm),
      clipValue_(train.clipValue),
      parameters_(optimizedParameters(model)),
      optimizer_(makeOptimizer(plan, parameters_)) {
  if (train.emaDecay > 0)
    average_ = std::make_unique<WeightAverage>(
        averagedTensors(model), WeightAverage::Options{train.emaDecay, train.emaWarmUp});
}

void WeightUpdate::zeroGrad() { tenon::zeroGrad(parameters_); }

std::optional<double> WeightUpdate::step(double learningRate) {
  std::optional<double> norm;
  if (clipNorm_ > 0) norm = clipGradNorm(parameters_, clipNorm_);
  if (clipValue_ > 0) clipGradValue(parameters_, clipValue_);
  optimizer_->step(learningRate);
  if (average_) average_->update();
  return norm;
}

}  // namespace tenon
