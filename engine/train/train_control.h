// SPDX-License-Identifier: Apache-2.0
// TrainControl: what others may ask of a running training. Everything is served between two steps.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "engine/base/export.h"

namespace tenon {

class Model;
class Dataset;

/// What a request may look at; valid during the call only, on the run's thread.
struct RunView {
  const Model& model;
  const Dataset& validation;  ///< as fed to the model
  int64_t step;
  int64_t epoch;
};

/// @thread every call from any thread
class TENON_API TrainControl {
 public:
  TrainControl();
  ~TrainControl();

  /// Ends the training after the current step, with a checkpoint.
  void stop();
  void pause();
  void resume();
  /// Does one step and pauses again; only while paused.
  void stepOnce();
  /// The peak learning rate from the next step on, > 0; the schedule's factor applies to it.
  void setPeakLearningRate(double rate);
  /// The next step is recorded (graph and memory) and stored with the run.
  void recordNextStep();
  /// Takes that order back. False if there is none any more: the step is being recorded.
  bool withdrawRecording();
  /// A checkpoint of kind Manual after the current step.
  void checkpointNow();
  /// Runs `request` on the run's thread between steps (also while paused); dropped if the run ends
  /// first.
  void post(std::function<void(const RunView&)> request);
  /// The store works again: try at once instead of waiting.
  void retryStore();

  bool stopRequested() const;
  bool paused() const;
  std::stop_token stopToken() const;

 private:
  friend class Trainer;
  friend class StepDoor;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
