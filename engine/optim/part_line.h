// SPDX-License-Identifier: Apache-2.0
// PartLine: a part of a list setting as a person writes it on one line, such as a parameter group
// ("head.* lr_factor=10") or a schedule of a sequence ("linear 5 start_factor=0.1").
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/schema/param_schema.h"

namespace tenon {

struct PartLine {
  std::string name;                                           ///< the first word
  std::vector<std::string> words;                             ///< further words without '='
  std::vector<std::pair<std::string, std::string>> settings;  ///< key=value, as written
};

/// Words are apart by blanks; a value in double quotes may hold blanks.
/// @throws Error(Code::Input) beginning with `owner` if the line is empty, or says a key twice.
PartLine parsePartLine(std::string_view owner, std::string_view line);

/// The settings of a line as typed values; those not given stay away.
/// @throws Error(Code::Input) beginning with `owner` that lists unknown keys (with the nearest one)
///   and values the schema refuses.
ParamMap settingsOf(std::string_view owner, const PartLine& line, const ParamSchema& schema);

}  // namespace tenon
