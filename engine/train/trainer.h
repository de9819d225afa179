// SPDX-License-Identifier: Apache-2.0
// Trainer: the spine. run() names the way of the data in order: data, graph, optimizer, steps,
// validation, checkpoints.
#pragma once

#include <memory>
#include <string>

#include "engine/project/specs.h"
#include "engine/store/store.h"
#include "engine/train/train_control.h"
#include "engine/train/train_sink.h"

namespace tenon {

struct TrainRequest {
  ProjectSpec project;
  std::string folder;    ///< of the project; holds the store
  RunId resume = 0;      ///< go on with this run from its newest whole checkpoint; 0: a new run
  int64_t maxSteps = 0;  ///< stop after so many steps in all; 0: none
};

struct TrainResult {
  RunId run = 0;
  RunStatus status = RunStatus::Finished;
  int64_t step = 0;
  double bestValue = 0;
  double lastTrainLoss = 0;
};

/// The settings of a run as stored can train again: this gives the project back.
TENON_API ProjectSpec projectOfRun(const RunInfo& run, const ProjectSpec& current);

class TENON_API Trainer {
 public:
  Trainer(TrainRequest request, std::shared_ptr<Store> store, TrainControl& control,
          TrainSink& sink);
  ~Trainer();

  /// Trains to the end, to a stop or to an error. Blocking; needs no GUI.
  /// @throws Error(Input | Device) listing all issues before a run is made; Error(Usage) if a run
  ///   cannot go on with other settings (engine/train/resume.h); Error(Memory | Device | ...) after
  ///   the run was marked as failed. A stop is no error.
  TrainResult run();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
