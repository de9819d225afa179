// SPDX-License-Identifier: Apache-2.0
// RunState: where a training stands, and the parts of a checkpoint that bring it back bit for bit.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/amp/grad_scaler.h"
#include "engine/graph/model.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/optim/weight_average.h"
#include "engine/store/checkpoints.h"

namespace tenon {

/// Everything besides tensors that the next step depends on.
struct RunState {
  int64_t step = 0;  ///< steps done
  /// Of them without a change of weights: a gradient overflowed, or no target counted.
  int64_t skipped = 0;
  int64_t epoch = 0;  ///< current one, from 0
  /// Batches of the epoch that are done, in whole steps; as many as there are: validation is due.
  int64_t batch = 0;
  double lossSum = 0;           ///< of the epoch's batches, over all that counts in them
  double lossWeight = 0;        ///< of what counts: samples, or the weights of their classes
  double peakLearningRate = 0;  ///< of the optimizer that makes the next step
  double bestValue = std::numeric_limits<double>::quiet_NaN();
  int64_t bestStep = -1;
  double lastTrainLoss = std::numeric_limits<double>::quiet_NaN();
  Generator generator;
  ParamMap schedule;           ///< what the schedule remembers
  int64_t averageUpdates = 0;  ///< of the average of weights, if there is one

  /// Steps that optimizers and schedules have made.
  int64_t updates() const { return step - skipped; }
  /// What a person calls this moment by: at an epoch's end `epoch` is already the next one.
  int64_t epochOfLastStep() const { return batch == 0 && epoch > 0 ? epoch - 1 : epoch; }
};

/// What a checkpoint holds beside a RunState.
struct TrainedParts {
  const Model& model;
  Optimizer& optimizer;
  WeightAverage* average = nullptr;         ///< null: none is kept
  const amp::GradScaler* scaler = nullptr;  ///< null: losses are not scaled
};

/// The stored form of a checkpoint's parts: 1; 2 with averages of weights, 3 with a gradient
/// scaler, which a program that knows none would drop without a word.
inline constexpr int kCheckpointVersion = 3;
TENON_API int checkpointVersion(const TrainedParts& trained);

/// Copies all parts and the state into memory that a writer thread can take.
TENON_API std::vector<Part> checkpointParts(const RunState& state, const TrainedParts& trained);
/// Puts a checkpoint back. An average that the checkpoint does not have begins anew.
/// @throws Error(Code::Input) naming a part that is missing or does not fit; Error(Code::Version)
///   if a newer Tenon wrote it.
TENON_API void restoreCheckpoint(const Checkpoint& checkpoint, RunState& state,
                                 const TrainedParts& trained);
/// Where a checkpoint's training stood, without its tensors. @throws as restoreCheckpoint()
TENON_API RunState stateOf(const Checkpoint& checkpoint);
/// The weights alone, for evaluation: their averages if the checkpoint has them.
TENON_API void restoreModel(const Checkpoint& checkpoint, const Model& model);

/// {"dtype":"f32","shape":[8,3]}
TENON_API std::string tensorMeta(const Tensor& tensor);

}  // namespace tenon
