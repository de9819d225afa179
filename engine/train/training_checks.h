// SPDX-License-Identifier: Apache-2.0
// What optimizers and schedules themselves refuse of their settings, told before a run exists and
// at the setting that is to blame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/graph/check.h"
#include "engine/optim/optimizer_def.h"
#include "engine/project/specs.h"

namespace tenon {

/// What is known of a training besides its settings.
struct TrainingFacts {
  std::vector<OptimizedParameter> parameters;  ///< names only; none: the model is not known
  int64_t stepsPerEpoch = 0;                   ///< 0: the data is not known
};

/// The names of a checked graph's trainable weights; none if it has errors.
std::vector<OptimizedParameter> parameterNames(const CheckedGraph& graph);

/// Parameter groups, numbers that do not fit each other, and changes of the optimizer: every line
/// that cannot be read, matches nothing or comes in the wrong order; a warning for one that is
/// never reached. What the catalog says of types and ranges (checkParts) is not said again.
Issues checkOptimizers(const TrainSpec& train, const TrainingFacts& facts);
/// Settings of the loss that do not fit the classes (0: not known) or the model's output; a warning
/// where the model's last layer is none that the loss wants.
Issues checkLoss(const ProjectSpec& project, int64_t classes, const CheckedGraph& graph);
/// Lines of a sequence, and values to watch that no epoch has.
Issues checkSchedule(const TrainSpec& train);

}  // namespace tenon
