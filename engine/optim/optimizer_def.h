// SPDX-License-Identifier: Apache-2.0
// OptimizerDef: one optimizer a file in optimizers/. An optimizer holds its state and updates
// parameters in one pass.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/schema/param_schema.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// A parameter as an optimizer sees it.
struct OptimizedParameter {
  std::string name;
  Tensor tensor;  ///< a leaf; its gradient is autograd's gradOf(tensor)
  bool decays =
      true;  ///< false: left out of weight decay if the optimizer's decay_norm_and_bias is off
};

/// State that a checkpoint keeps: "conv1.weight/exp_avg", or "steps" of all parameters.
struct OptimizerState {
  std::string name;
  Tensor tensor;
  bool optional = false;  ///< older checkpoints lack it; setSteps() has set it well enough
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Updates every parameter that has a gradient; those without one are left alone, their state
  /// too. A step that fails for want of memory has changed nothing and does not count.
  /// @param learningRate of this step, > 0 or 0
  /// @throws Error(Memory) naming the optimizer
  virtual void step(double learningRate) = 0;
  /// Tensors to save and restore in place, made on the first call if they are not there yet.
  virtual std::vector<OptimizerState> state() = 0;
  /// Steps done so far; part of a checkpoint.
  virtual int64_t steps() const = 0;
  /// To be called before the tensors of state() are restored.
  virtual void setSteps(int64_t steps) = 0;
};

struct OptimizerDef {
  std::string id;
  std::string title;
  std::string help;
  ParamSchema schema = {};  ///< always has "lr", the peak learning rate
  std::unique_ptr<Optimizer> (*make)(const ParamMap& params,
                                     std::vector<OptimizedParameter> parameters) = nullptr;
};

TENON_API std::span<const OptimizerDef* const> allOptimizers();
TENON_API const OptimizerDef* findOptimizer(std::string_view id);

/// Drops the gradients of all parameters, so that the next backward writes fresh ones.
TENON_API void zeroGrad(std::span<const OptimizedParameter> parameters);
/// Scales all gradients so that their joint 2-norm is at most `maxNorm`: factor = maxNorm / (norm +
/// 1e-6), at most 1.
/// @returns the norm before clipping.
TENON_API double clipGradNorm(std::span<const OptimizedParameter> parameters, double maxNorm);
/// Brings every element of all gradients into [-limit, limit].
/// @throws Error(Code::Input) if the limit is not above 0.
TENON_API void clipGradValue(std::span<const OptimizedParameter> parameters, double limit);
/// The joint 2-norm of all gradients.
TENON_API double gradNorm(std::span<const OptimizedParameter> parameters);

}  // namespace tenon
