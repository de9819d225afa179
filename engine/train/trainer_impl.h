// SPDX-License-Identifier: Apache-2.0
// Inside of the Trainer: what its files share. trainer.cpp is the spine, trainer_step.cpp one step,
// trainer_epoch.cpp the end of an epoch.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/data/loader/loader.h"
#include "engine/memory/allocator.h"
#include "engine/metrics/metric_def.h"
#include "engine/observe/step_recorder.h"
#include "engine/project/settings.h"
#include "engine/train/optimizer_plan.h"
#include "engine/train/progress_meter.h"
#include "engine/train/run_log.h"
#include "engine/train/run_setup.h"
#include "engine/train/run_state.h"
#include "engine/train/step_door.h"
#include "engine/train/trainer.h"
#include "engine/train/weight_update.h"

namespace tenon {

/// What comes out of a step.
struct StepResult {
  double loss = 0;        ///< mean over all that counts in its batches, of a sum too
  double lossSum = 0;     ///< over all that counts
  double lossWeight = 0;  ///< of what counts; 0: no target does
  double learningRate = 0;
  std::optional<double> gradNorm;  ///< before clipping; none: not clipped by norm
  int64_t targets = 0;             ///< of all batches
  Tensor output;                   ///< of the last batch
  Tensor lastTargets;
};

/// With how much a batch counts.
struct BatchShare {
  double weight = 0;    ///< in means of losses
  double gradient = 1;  ///< in the gradient of its step
};

struct Trainer::Impl {
  TrainRequest request;
  std::shared_ptr<Store> store;
  TrainControl& control;
  TrainSink& sink;

  const TrainSpec& spec() const { return *request.project.train; }
  RunSetup setup{};
  Loss loss{};
  OptimizerPlan plan{};
  std::unique_ptr<WeightUpdate> weights{};
  std::unique_ptr<BoundSchedule> schedule{};
  std::unique_ptr<Loader> loader{};
  std::vector<std::unique_ptr<Metric>> batchMetrics{};
  std::unique_ptr<StepDoor> door{};
  std::unique_ptr<RunLog> log{};
  memory::CachingAllocator* allocator = nullptr;

  RunId run = 0;
  RunState state{};
  ProgressMeter meter{};
  TrainProgress told{};
  bool pauseSaid = false;  ///< The log's last word is "Paused".
  int64_t toldNs = 0;
  bool uncountedSaid = false;  ///< that no target of a step counted
  int64_t skippedInARow = 0;   ///< steps left out up to the last one
  int64_t savedNs = 0;  ///< the last checkpoint; 0: none, so that the first step is saved at once
  int64_t epochStartNs = 0;
  int64_t waitedNs = 0;  // the loader's count at the step before
  bool recordNext = false;
  bool ended = false;  // a stop or the step limit came

  void prepare();
  void openRun();
  std::vector<SettingChange> resumeFrom(RunId from);
  std::string settingsText() const;
  void tellBeginning(const std::vector<SettingChange>& changes);
  bool stepsAreOver() const;
  bool epochIsDone() const;
  bool nextStep();
  bool step();
  std::unique_ptr<StepRecorder> recorderOf(const Batch& batch);
  BatchShare shareOf(const Batch& batch, const BatchGroup& group) const;
  void runBatch(const Batch& batch, const BatchShare& share, StepRecorder* recorder,
                StepResult& result);
  void correctShares(const BatchGroup& group, const StepResult& result);
  void updateWeights(StepResult& result);
  void leaveOut();
  bool isLogged(int64_t ofStep) const;
  void measure(const StepResult& result);
  void finishStep(const StepResult& result);
  void logStep(const StepResult& result);
  void keepRecording(const StepRecording& recording);
  void finishEpoch();
  void validateEpoch(EpochSummary& summary);
  bool isBetter(double value) const;
  void saveCheckpoint(CheckpointKind kind);
  void takeOrders(const StepOrders& orders);
  void setPeakLearningRate(double rate);
  double learningRate() const;
  SchedulePoint point() const;
  int64_t totalSteps() const { return spec().epochs * setup.groups.stepsPerEpoch(); }
  void tell(TrainState now, bool atOnce);
  void tellEnd();
  void fail(const Error& error) noexcept;
  TrainResult result(RunStatus status) const;
};

}  // namespace tenon
