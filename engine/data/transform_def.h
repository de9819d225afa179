// SPDX-License-Identifier: Apache-2.0
// TransformDef: one transform a file in transforms/; each wraps a data set.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/data/dataset.h"
#include "engine/schema/param_schema.h"

namespace tenon {

struct TransformRequest {
  const ParamMap& params;  ///< complete and valid for the schema
  DatasetPtr inner;
  bool training = true;  ///< random transforms do nothing for validation data
  int position = 0;      ///< in the chain; part of the random key
};

struct TransformedData {
  DatasetPtr dataset;
  Issues issues;  ///< e.g. a shape that does not fit
};

struct TransformDef {
  std::string id;
  std::string title;
  std::string help;
  ParamSchema schema = {};
  TransformedData (*make)(const TransformRequest& request) = nullptr;
};

TENON_API std::span<const TransformDef* const> allTransforms();
TENON_API const TransformDef* findTransform(std::string_view id);

}  // namespace tenon
