// SPDX-License-Identifier: Apache-2.0
// What a training tells while it runs. Numbers go to the store; these calls are for whoever shows
// the state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"

namespace tenon {

enum class TrainState { Preparing, Running, Paused, Validating, Saving, Trouble, Ended };

/// Where a training stands. Durations in seconds; rates are of the last seconds, NaN until known.
struct TrainProgress {
  RunId run = 0;
  TrainState state = TrainState::Preparing;
  int64_t step = 0;  ///< steps done
  int64_t totalSteps = 0;
  int64_t epoch = 0;  ///< current one, from 0
  int64_t epochs = 0;
  int64_t samples = 0;  ///< of the training data
  double loss = 0;      ///< of the last step whose loss was read
  double learningRate = 0;
  double samplesPerSecond = 0;
  double etaSeconds = 0;
  double dataWaitShare = 0;  ///< 0..1: share of time spent waiting for batches
  int64_t allocatedBytes = 0;
  int64_t reservedBytes = 0;
};

/// One logged step.
struct LoggedStep {
  RunId run = 0;
  int64_t step = 0;  ///< from 1: steps done
  int64_t epoch = 0;
  double loss = 0;  ///< NaN too if no target of the step counted
  double learningRate = 0;
  double samplesPerSecond = 0;
};

/// The end of an epoch.
struct EpochSummary {
  RunId run = 0;
  int64_t epoch = 0;  ///< from 0
  int64_t step = 0;
  double trainLoss = 0;
  double validationLoss = 0;                            ///< NaN without validation
  std::vector<std::pair<std::string, double>> metrics;  ///< "validation/accuracy" -> 91.3
  double seconds = 0;
  bool best = false;
};

/// @thread calls come on the run's thread; onTrouble, onRows and onArtifact come on a writer's.
/// Keep them short.
class TENON_API TrainSink {
 public:
  virtual ~TrainSink();
  /// The state changed, or some time has passed (at most ten times a second).
  virtual void onProgress(const TrainProgress& progress) { (void)progress; }
  virtual void onLogged(const LoggedStep& step) { (void)step; }
  virtual void onEpoch(const EpochSummary& epoch) { (void)epoch; }
  /// Rows of the run are committed in the store up to this count (coalesced).
  virtual void onRows(RunId run, int64_t rows) { (void)run, (void)rows; }
  /// A recording or predictions are in the store, whole, as this artifact.
  virtual void onArtifact(RunId run, const std::string& kind, int64_t artifact) {
    (void)run, (void)kind, (void)artifact;
  }
  /// It could not be stored, as `reason` says, and is given up.
  virtual void onArtifactLost(RunId run, const std::string& kind, const std::string& reason) {
    (void)run, (void)kind, (void)reason;
  }
  /// The store cannot be written; the training waits. `trouble.message` is empty when it is over.
  virtual void onTrouble(const StoreTrouble& trouble) { (void)trouble; }
};

}  // namespace tenon
