// SPDX-License-Identifier: Apache-2.0
// From a project to the parts of a training: data, checked model, loss, schedule.
#pragma once

#include <memory>
#include <string>

#include "engine/data/pipeline.h"
#include "engine/graph/model.h"
#include "engine/metrics/loss_def.h"
#include "engine/optim/schedule_def.h"
#include "engine/project/specs.h"
#include "engine/train/batch_groups.h"
#include "engine/train/train_sink.h"

namespace tenon {

struct RunSetup {
  DataPipeline data;
  std::unique_ptr<Model> model;
  Device device;
  BatchGroups groups;  ///< of an epoch of the training data
};

/// Everything that is wrong with a project before it can train: parts, data, graph, device;
/// warnings too. Opens the data, trains nothing.
TENON_API Issues checkProject(const ProjectSpec& project, const std::string& folder);
/// The same with data that is open already (opened from the project's DataSpec).
TENON_API Issues checkProject(const ProjectSpec& project, const DataPipeline& data);
/// The graph of a project checked against its opened data (which may have issues; then the sample's
/// shape is unknown).
TENON_API CheckedGraph checkGraphOf(const ProjectSpec& project, const DataPipeline& data);
/// What kind of error a project with these issues is: Device if the device is among the errors,
/// else Input.
TENON_API Code codeOfIssues(const Issues& issues);
/// Opens the data and builds the model. @throws Error(codeOfIssues) listing all errors.
TENON_API RunSetup setUpModel(const ProjectSpec& project, const std::string& folder);

/// @param facts of data and model, as far as known
/// @throws Error(Code::Input) for an unknown loss, or settings that do not fit.
TENON_API Loss makeLoss(const TrainSpec& train, const LossFacts& facts = {});

/// A schedule with its parameters bound.
class TENON_API BoundSchedule {
 public:
  /// @throws Error(Code::Input) for an unknown schedule, or one that watches a value that no epoch
  /// of this training has.
  explicit BoundSchedule(const TrainSpec& train);
  double factor(const SchedulePoint& at) const { return schedule_->factor(at); }
  /// Tells it an epoch's values: the loss of validation if there was one, else of training, and the
  /// metrics.
  void epochEnded(const SchedulePoint& at, const EpochSummary& epoch, bool validated);
  /// Its state, for RunState.
  ParamMap memory() const { return schedule_->memory(); }
  void restore(const ParamMap& memory) { schedule_->restore(memory); }

 private:
  std::unique_ptr<Schedule> schedule_;
};

}  // namespace tenon
