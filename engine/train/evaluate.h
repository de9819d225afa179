// SPDX-License-Identifier: Apache-2.0
// Validation of a model, and of a stored checkpoint.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/graph/model.h"
#include "engine/project/specs.h"
#include "engine/store/checkpoints.h"
#include "engine/store/store.h"

namespace tenon {

struct Evaluation {
  double loss = 0;  ///< mean over what counts, of a sum too; NaN if nothing does
  std::vector<std::pair<std::string, double>> metrics;  ///< metric id -> value
  int64_t samples = 0;
};

struct EvaluateOptions {
  int64_t batchSize = 256;
  /// Asked between batches; true ends early with Error(Code::Stopped).
  std::function<bool()> stop;
};

/// Loss and metrics of `train` over a data set (as fed to the model), in evaluation mode.
TENON_API Evaluation evaluate(const Model& model, const DatasetPtr& dataset, const TrainSpec& train,
                              const EvaluateOptions& options = {});
/// Loads a checkpoint of a run and evaluates it on the project's validation data.
/// @throws Error(Input) if the run, the checkpoint or validation data is missing.
TENON_API Evaluation evaluateRun(Store& store, RunId run, CheckpointKind which,
                                 const ProjectSpec& current, const std::string& folder);

}  // namespace tenon
