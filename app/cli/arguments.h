// SPDX-License-Identifier: Apache-2.0
// What the arguments of the command line must look like before any command sees them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cli {

/// Refuses empty arguments and values (an unset variable of a shell), and unknown commands with the
/// known ones. @throws Error(Code::Usage)
void checkArguments(const CLI::App& app, const std::vector<std::string>& arguments);

/// "wants a whole number of at least 1, got 'x'" for what is none within the range.
CLI::Validator wholeNumber(int64_t least, int64_t most = std::numeric_limits<int64_t>::max());
/// The text as a finite number of seconds, 0 or more.
std::optional<double> secondsFrom(std::string_view text);
/// "wants a number of seconds above 0, got 'x'" for what is none.
CLI::Validator seconds();

}  // namespace tenon::cli
