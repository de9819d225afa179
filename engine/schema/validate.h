// SPDX-License-Identifier: Apache-2.0
// Checks values against a schema, fills in defaults, and turns typed text into values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/export.h"
#include "engine/schema/param_schema.h"

namespace tenon {

/// One value as `spec` wants it: an int becomes a float, a single number a list, 1.0 the int 1.
struct ParamCheck {
  std::optional<ParamValue> value;  ///< none if refused
  std::optional<Issue>
      issue;  ///< codes schema.wrong-type, schema.out-of-range, schema.unknown-choice, schema.count
};
TENON_API ParamCheck checkParam(const ParamSpec& spec, const ParamValue& value,
                                const Place& at = {});

/// Everything that is wrong with `map`: also schema.unknown-parameter (with the nearest name) and
/// schema.missing. Each issue's field is `at.field` + "." + name (or the name alone).
TENON_API Issues validate(const ParamSchema& schema, const ParamMap& map, const Place& at = {});

/// All parameters of the schema in its order and types, defaults filled in.
/// @throws Error(Code::Input) listing every issue.
TENON_API ParamMap completeParams(const ParamSchema& schema, const ParamMap& map,
                                  const Place& at = {});

/// A value typed by a person: "0.01", "true", "[3, 3]" or "3, 3", text without quotes.
TENON_API ParamCheck parseParam(const ParamSpec& spec, std::string_view text, const Place& at = {});

}  // namespace tenon
