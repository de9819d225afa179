// SPDX-License-Identifier: Apache-2.0
// WeightAverage: an exponential moving average of weights, which often generalizes better than the
// weights of the last step (Polyak and Juditsky 1992, SIAM J. Control Optim. 30(4)).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/optim/optimizer_def.h"

namespace tenon {

/// average = decay * average + (1 - decay) * weights, after each optimizer step; the first update
/// copies the weights. As PyTorch's AveragedModel with an exponential average.
class TENON_API WeightAverage {
 public:
  struct Options {
    double decay = 0.999;  ///< in [0, 1)
    /// true: the decay of update n is at most (1 + n) / (10 + n), so that early weights are soon
    /// forgotten (n counts from 0).
    bool warmUp = false;
  };
  /// @param weights f32 or f64 tensors: parameters, and buffers such as running statistics if they
  ///   shall be averaged too. @throws Error(Code::Input) for a decay that is out of range.
  WeightAverage(std::vector<OptimizedParameter> weights, const Options& options);
  ~WeightAverage();

  /// Moves the averages towards the weights. @throws Error(Code::Usage) while they are swapped.
  void update();
  /// Exchanges weights and averages, in place and bit for bit: once to evaluate with the averages,
  /// once more to train on. Gradients stay as they are.
  void swap();
  bool isSwapped() const { return swapped_; }
  int64_t updates() const { return updates_; }

  /// Tensors for a checkpoint: "NAME/average" each. Not to be saved while swapped.
  std::vector<OptimizerState> state() const;
  /// To be called when the tensors of state() have been restored.
  void setUpdates(int64_t updates) { updates_ = updates; }

 private:
  std::vector<OptimizedParameter> weights_;
  std::vector<Tensor> averages_;
  std::map<DType, Tensor> shares_;  ///< scalars, made at once so that update() allocates nothing
  Options options_;
  int64_t updates_ = 0;
  bool swapped_ = false;
};

/// Swaps for as long as it lives: evaluation with the averages.
class AveragedWeights {
 public:
  explicit AveragedWeights(WeightAverage& average) : average_(average) { average_.swap(); }
  ~AveragedWeights() { average_.swap(); }
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  WeightAverage& average_;
};

}  // namespace tenon
