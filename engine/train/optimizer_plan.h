// SPDX-License-Identifier: Apache-2.0
// OptimizerPlan: the optimizers of a training in order, as its settings say.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/graph/model.h"
#include "engine/optim/optimizer_sequence.h"
#include "engine/project/specs.h"

namespace tenon {

struct TENON_API OptimizerPlan {
  std::vector<OptimizerPhase> phases;  ///< at least one; the first from step 0

  const OptimizerPhase& at(int64_t steps) const { return phases[phaseAt(phases, steps)]; }
  /// Peak learning rate of the optimizer that makes the next step when `steps` are done.
  double peakRate(int64_t steps) const { return at(steps).params.getFloat("lr"); }
  /// True if that step is the first one of another optimizer than the step before.
  bool changesAt(int64_t steps) const { return steps > 0 && at(steps).fromStep == steps; }
  /// Path of the setting that holds peakRate(steps).
  std::string ratePath(int64_t steps) const;
};

/// @throws Error(Code::Input) for an unknown optimizer, a line of "optimizer_changes" that cannot
///   be read or does not come after the one before it.
TENON_API OptimizerPlan optimizerPlan(const TrainSpec& train, int64_t stepsPerEpoch);

/// The settings with another peak learning rate of the optimizer that makes the next step.
TENON_API TrainSpec withPeakRate(TrainSpec train, const OptimizerPlan& plan, int64_t steps,
                                 double rate);

/// The optimizer of a plan over the model's parameters. @throws Error(Code::Input) for what an
///   optimizer refuses.
TENON_API std::unique_ptr<Optimizer> makeOptimizer(const OptimizerPlan& plan,
                                                   std::vector<OptimizedParameter> parameters);
/// The trainable weights of a model as optimizers see them.
TENON_API std::vector<OptimizedParameter> optimizedParameters(const Model& model);

/// A run goes on after `steps` with the optimizers it had until then; what comes later may change.
/// @throws Error(Code::Usage) naming the optimizer that had begun
TENON_API void refuseOtherPast(const OptimizerPlan& before, const OptimizerPlan& after,
                               int64_t steps);

}  // namespace tenon
