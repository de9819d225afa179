// SPDX-License-Identifier: Apache-2.0
// WeightUpdate: what happens around the gradients of a step: the scale of its loss, and once they
// are all there clipping, the optimizer, the average of weights.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/amp/grad_scaler.h"
#include "engine/optim/weight_average.h"
#include "engine/train/optimizer_plan.h"
#include "engine/train/run_state.h"

namespace tenon {

/// What became of a step.
struct WeightStep {
  std::optional<double> gradNorm;  ///< joint norm before clipping, if gradients are clipped by norm
  bool made = true;                ///< false: left out, since a gradient was Inf or NaN
};

class TENON_API WeightUpdate {
 public:
  /// @throws Error(Code::Input) for what an optimizer refuses
  WeightUpdate(const TrainSpec& train, const OptimizerPlan& plan, const Model& model);

  /// Before the forward pass of a step: drops all gradients, so that backward writes fresh ones;
  /// with f16 also keeps the running statistics, which the pass changes.
  void begin();
  /// What backward begins from: the loss, scaled for f16.
  Tensor scaled(const Tensor& loss) const { return scaler_.scale(loss); }
  /// Multiplies all gradients, e.g. to correct what accumulated batches counted with.
  void scaleGradients(double factor);
  /// Unscales; clips by norm, then by value, as the settings say; then one optimizer step; then the
  /// average. If no parameter has a gradient the step is made and leaves the weights. With f16
  /// nothing of it happens where a gradient is Inf or NaN; running statistics are put back then,
  /// since they have met the same numbers.
  WeightStep step(double learningRate);

  const amp::GradScaler& scaler() const { return scaler_; }
  /// What checkpoints of this training hold.
  TrainedParts parts(const Model& model) {
    return {model, *optimizer_, average_.get(), scaler_.enabled() ? &scaler_ : nullptr};
  }
  /// Of all weights and running statistics; null if the settings want none.
  WeightAverage* average() { return average_.get(); }

 private:
  double clipNorm_;
  double clipValue_;
  /// A running statistic, and what it was before the step.
  struct Statistic {
    Tensor now;
    Tensor before;
  };

  void putStatisticsBack();
  WeightStep stepWithout(double learningRate);

  std::vector<OptimizedParameter> parameters_;
  std::vector<Statistic> statistics_;  ///< with f16 only
  amp::GradScaler scaler_;
  std::unique_ptr<Optimizer> optimizer_;
  std::unique_ptr<WeightAverage> average_;
};

}  // namespace tenon
