// SPDX-License-Identifier: Apache-2.0
// Rules for arguments whose own texts would help nobody.
#include "app/cli/arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "engine/base/error.h"
#include "engine/schema/suggest.h"

namespace tenon::cli {
namespace {

/// "--name=" takes the argument after it as its value, which is never meant.
bool hasEmptyValue(const std::string& argument) {
  return argument.starts_with("--") && argument.find('=') == argument.size() - 1;
}

void refuseEmpty(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (hasEmptyValue(arguments[i]))
      throw Error(Code::Usage,
                  fmt::format("'{}' has no value: is a variable unset?", arguments[i]));
    if (!arguments[i].empty()) continue;
    throw Error(Code::Usage,
                i == 0 ? std::string("the first argument is empty: wanted a command")
                       : fmt::format("the argument after '{}' is empty: is a variable unset?",
                                     arguments[i - 1]));
  }
}

std::vector<std::string> commandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

}  // namespace

void checkArguments(const CLI::App& app, const std::vector<std::string>& arguments) {
  refuseEmpty(arguments);
  const std::vector<std::string> known = commandNames(app);
  if (arguments.empty())
    throw Error(Code::Usage, fmt::format("a command is missing: known are {} (--help tells more)",
                                         fmt::join(known, ", ")));
  const std::string& first = arguments[0];  // the program's own options take no values
  if (first.starts_with("-") || std::find(known.begin(), known.end(), first) != known.end()) return;
  const std::string nearest = nearestName(first, known);
  throw Error(Code::Usage,
              fmt::format("unknown command '{}'{}: known are {}", first,
                          nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest),
                          fmt::join(known, ", ")));
}

CLI::Validator wholeNumber(int64_t least, int64_t most) {
  const auto fault = [least, most](const std::string& text) -> std::string {
    int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    const bool isNumber = stop == end && failed == std::errc();
    if (isNumber && number >= least && number <= most) return {};
    const bool tooBig = stop == end &&
                        (failed == std::errc::result_out_of_range || number > most) &&
                        text[0] != '-';
    if (tooBig) return fmt::format("wants a whole number of at most {}, got '{}'", most, text);
    return fmt::format("wants a whole number of at least {}, got '{}'", least, text);
  };
  return CLI::Validator(fault, "");
}

std::optional<double> secondsFrom(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc() || stop != end || !std::isfinite(number) || number < 0) return {};
  return number;
}

CLI::Validator seconds() {
  const auto fault = [](const std::string& text) -> std::string {
    if (secondsFrom(text).value_or(0) > 0) return {};
    return fmt::format("wants a number of seconds above 0, got '{}'", text);
  };
  return CLI::Validator(fault, "");
}

}  // namespace tenon::cli
