// SPDX-License-Identifier: Apache-2.0
// Making and gathering issues.
#pragma once

#include <string>
#include <vector>

#include "engine/base/error.h"

namespace tenon {

/// An error at `field`: a setting of the project, or a parameter whose part adds the path.
Issue fieldIssue(std::string code, std::string text, std::vector<std::string> args,
                 std::string field);
/// Moves `from` behind what `to` holds.
void append(Issues& to, Issues from);

}  // namespace tenon
