// SPDX-License-Identifier: Apache-2.0
// ReaderDef: one data format a file in readers/.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/data/dataset.h"
#include "engine/schema/param_schema.h"

namespace tenon {

struct ReadRequest {
  const ParamMap& params;     ///< complete and valid for the schema
  std::string projectFolder;  ///< relative paths start here
  int64_t classes = 0;        ///< number of class names in the project; 0: take what the data has
  std::stop_token stop = {};  ///< nobody waits for the data any more: end soon, with any outcome
};

struct OpenedData {
  DatasetPtr dataset;  ///< null if there are errors
  Issues issues;       ///< place.file, place.row, place.field (name of the parameter) where known
};

struct ReaderDef {
  std::string id;
  std::string title;
  std::string help;
  ParamSchema schema = {};
  /// Never throws for what a user can get wrong (missing, damaged or unfitting files): that is in
  /// the issues.
  OpenedData (*open)(const ReadRequest& request) = nullptr;
};

TENON_API std::span<const ReaderDef* const> allReaders();
TENON_API const ReaderDef* findReader(std::string_view id);

}  // namespace tenon
