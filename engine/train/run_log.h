// SPDX-License-Identifier: Apache-2.0
// RunLog: the run's pens. Metrics, events, recordings and checkpoints leave the training thread
// here without waiting for the disk.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/run_writer.h"
#include "engine/train/evaluate.h"
#include "engine/train/step_door.h"
#include "engine/train/train_sink.h"

namespace tenon {

/// What is logged of one step.
struct StepNumbers {
  int64_t step = 0;  ///< steps done, from 1
  int64_t epoch = 0;
  std::optional<double> loss;  ///< none: no target of the step counted
  double learningRate = 0;
  std::optional<double> gradNorm;  ///< before clipping; none: not clipped by norm
  double samplesPerSecond = 0;
  double dataWaitShare = 0;
  int64_t allocatedBytes = 0;  ///< between two steps: parameters and optimizer state
  int64_t peakBytes =
      0;  ///< most allocated at once since the step logged before, validation included
  int64_t reservedBytes = 0;
  int64_t deviceBytes = 0;  ///< in use on the device by everybody; 0: unknown
  std::span<const std::pair<std::string, double>> metrics;  ///< over the step's batch
};

/// @thread the run's thread; the door and the sink hear of trouble from the writers' threads
class RunLog {
 public:
  RunLog(std::shared_ptr<Store> store, RunId run, StepDoor& door, TrainSink& sink);
  ~RunLog();

  void step(const StepNumbers& numbers);
  void validation(int64_t step, int64_t epoch, const Evaluation& evaluation);
  void progress(int64_t step, int64_t epoch);
  void best(const std::string& name, double value, int64_t step);
  /// Training waits (a pause, a full disk) or goes on; saying it twice changes nothing.
  void training(bool goesOn);
  /// How long the run has trained until now, with what it trained before it was resumed.
  int64_t trainedUs() const;
  /// The settings as used have changed.
  void settings(const std::string& json);
  void event(EventLevel level, const char* code, const char* text, std::vector<std::string> args,
             int64_t step);
  /// Hands a checkpoint to the writer's thread.
  void checkpoint(CheckpointData&& data);
  /// Hands bytes to the writer's thread, which tells the sink when they are stored. Waits only
  /// while so many bytes wait for the disk that memory would run out.
  void artifact(const char* kind, int version, int64_t step, int64_t epoch,
                std::vector<std::byte>&& bytes);
  /// Tries the writers again at once.
  void retry();
  /// Waits until the checkpoints handed over are on the disk. @throws Error if the store is in
  /// trouble
  void settle();
  /// Waits until everything is on the disk. @throws Error if the store is in trouble.
  void finish(RunStatus status, const std::string& failure);

 private:
  void waitForRoom();

  std::shared_ptr<Store> store_;
  RunId run_;
  StepDoor& door_;
  TrainSink& sink_;
  std::unique_ptr<RunWriter> rows_;
  std::unique_ptr<CheckpointWriter> checkpoints_;
  MetricId loss_, rate_, speed_, wait_, allocated_, peak_, reserved_, device_;
};

}  // namespace tenon
