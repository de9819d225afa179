// SPDX-License-Identifier: Apache-2.0
// Patterns and lines of parameter groups.
#include "engine/optim/parameter_groups.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/optim/part_line.h"
#include "engine/schema/suggest.h"

namespace tenon {
namespace {

std::string nearestOf(std::string_view pattern, std::span<const OptimizedParameter> parameters) {
  std::vector<std::string> names;
  for (const OptimizedParameter& parameter : parameters) names.push_back(parameter.name);
  std::string nearest = nearestName(pattern, names);
  return nearest.empty() && !names.empty() ? names.front() : nearest;
}

void applyLine(std::string_view id, const std::string& text,
               std::span<const OptimizedParameter> parameters, std::vector<GroupNumbers>& numbers) {
  const std::string owner = fmt::format("{}: groups", id);
  const PartLine line = parsePartLine(owner, text);
  if (!line.words.empty())
    throw Error(Code::Input, fmt::format("{}: '{}' wants 'pattern key=value ...', got '{}'", owner,
                                         text, line.words.front()));
  const ParamMap settings = settingsOf(owner, line, groupSchema());
  if (settings.empty())
    throw Error(Code::Input,
                fmt::format("{}: '{}' sets neither lr_factor nor weight_decay", owner, text));
  bool matched = false;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!matchesPattern(line.name, parameters[i].name)) continue;
    matched = true;
    if (settings.contains("lr_factor")) numbers[i].rateFactor = settings.getFloat("lr_factor");
    if (settings.contains("weight_decay")) numbers[i].decay = settings.getFloat("weight_decay");
  }
  if (!matched && !parameters.empty())
    throw Error(Code::Input,
                fmt::format("{}: '{}' matches none of the {} parameters, e.g. '{}'", owner,
                            line.name, parameters.size(), nearestOf(line.name, parameters)));
}

}  // namespace

const ParamSchema& groupSchema() {
  static const ParamSchema kSchema = {
      floatParam("lr_factor", 1.0)
          .range(0, 1e6)
          .describe(TENON_TEXT("Factor on the learning rate; 0 keeps the weights as they are.")),
      floatParam("weight_decay", 0.0)
          .range(0, 10)
          .describe(TENON_TEXT("Weight decay of these parameters."))};
  return kSchema;
}

bool matchesPattern(std::string_view pattern, std::string_view name) noexcept {
  size_t p = 0;
  size_t n = 0;
  size_t star = std::string_view::npos;  // the last one seen, and where its match ends so far
  size_t matched = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*') {
      ++p;
      ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      matched = n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++matched;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<GroupNumbers> groupNumbers(std::string_view id, const ParamMap& params,
                                       std::span<const OptimizedParameter> parameters) {
  const double decay = params.getFloat("weight_decay");
  const bool decayAll = params.getBool("decay_norm_and_bias");
  std::vector<GroupNumbers> numbers;
  for (const OptimizedParameter& parameter : parameters)
    numbers.push_back({1.0, parameter.decays || decayAll ? decay : 0.0});
  for (const std::string& line : params.getStrings("groups"))
    applyLine(id, line, parameters, numbers);
  return numbers;
}

}  // namespace tenon
