// SPDX-License-Identifier: Apache-2.0
// WeightUpdate: what happens once all gradients of a step are there: clipping, the optimizer, the
// average of weights.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/optim/weight_average.h"
#include "engine/train/optimizer_plan.h"

namespace tenon {

class TENON_API WeightUpdate {
 public:
  /// @throws Error(Code::Input) for what an optimizer refuses
  WeightUpdate(const TrainSpec& train, const OptimizerPlan& plan, const Model& model);

  /// Drops all gradients, so that the next backward writes fresh ones.
  void zeroGrad();
  /// Clips by norm, then by value, as the settings say; then one optimizer step; then the average.
  /// @returns the joint norm of the gradients before clipping if they are clipped by norm
  std::optional<double> step(double learningRate);

  Optimizer& optimizer() { return *optimizer_; }
  /// Of all weights and running statistics; null if the settings want none.
  WeightAverage* average() { return average_.get(); }

 private:
  double clipNorm_;
  double clipValue_;
  std::vector<OptimizedParameter> parameters_;
  std::unique_ptr<Optimizer> optimizer_;
  std::unique_ptr<WeightAverage> average_;
};

}  // namespace tenon
