// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...?": the known names that are close to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/export.h"

namespace tenon {

/// Number of insertions, deletions, replacements and swaps of neighbours between two names, case
/// ignored.
TENON_API int editDistance(std::string_view a, std::string_view b);

/// The closest candidate within a third of the name's length (at least 2 edits), or one that the
/// name begins or is the beginning of; empty if nothing is close.
TENON_API std::string nearestName(std::string_view name,
                                  const std::vector<std::string>& candidates);

/// The candidates that come closest, best first, at most `limit`.
TENON_API std::vector<std::string> nearestNames(std::string_view name,
                                                const std::vector<std::string>& candidates,
                                                size_t limit = 3);

}  // namespace tenon
