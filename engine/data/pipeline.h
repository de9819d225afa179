// SPDX-License-Identifier: Apache-2.0
// From a DataSpec to the data sets that a training uses: reader, split, transforms.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/project/specs.h"

namespace tenon {

/// The data of a project, opened.
struct DataPipeline {
  DatasetPtr rawTraining;          ///< before transforms, for galleries and statistics
  DatasetPtr rawValidation;        ///< null if the project has none
  DatasetPtr training;             ///< as fed to the model
  DatasetPtr validation;           ///< null if the project has none
  std::vector<DatasetPtr> stages;  ///< training data after each transform; stages[0] is rawTraining
  std::vector<std::string>
      classes;  ///< names, one per class ("0", "1", ... where the project has none)
  Issues issues;
  bool ok() const { return !hasErrors(issues); }
};

/// Opens everything. Never throws for what a user can get wrong; issues carry "data.reader.images"
/// and the like as field.
/// @param stop once it is requested, unpacking ends soon. @throws Error(Code::Stopped) then
TENON_API DataPipeline openData(const DataSpec& data, const std::string& projectFolder,
                                const std::stop_token& stop = {});

/// Number of samples of each class. Reads targets only.
TENON_API std::vector<int64_t> classCounts(const Dataset& dataset);

}  // namespace tenon
