// SPDX-License-Identifier: Apache-2.0
// Reading of optimizer changes; what stands on a line is that of any one-line part (part_line.h).
#include "engine/optim/optimizer_changes.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/optim/part_line.h"
#include "engine/schema/json.h"
#include "engine/schema/suggest.h"

namespace tenon {
namespace {

constexpr const char* kOwner = "optimizer change";
constexpr const char* kAfterEpochs = "after_epochs";
constexpr const char* kAfterSteps = "after_steps";

/// What may stand on a line: when, and the optimizer's own settings.
ParamSchema lineSchema(const OptimizerDef& def) {
  std::vector<ParamSpec> all = {intParam(kAfterEpochs, 1).range(1, 1e9),
                                intParam(kAfterSteps, 1).range(1, 1e12)};
  all.insert(all.end(), def.schema.begin(), def.schema.end());
  return ParamSchema(std::move(all));
}

const OptimizerDef& optimizerOf(const PartLine& line) {
  if (const OptimizerDef* def = findOptimizer(line.name)) return *def;
  std::vector<std::string> known;
  for (const OptimizerDef* def : allOptimizers()) known.push_back(def->id);
  const std::string nearest = nearestName(line.name, known);
  throw Error(
      Code::Input,
      fmt::format("{}: there is no optimizer '{}'{}", kOwner, line.name,
                  nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest)));
}

std::string quoted(const std::string& value) {
  return value.find_first_of(" \t") == std::string::npos ? value : '"' + value + '"';
}

}  // namespace

OptimizerChange readOptimizerChange(const std::string& text) {
  const PartLine line = parsePartLine(kOwner, text);
  const OptimizerDef& def = optimizerOf(line);
  if (!line.words.empty())
    throw Error(Code::Input, fmt::format("{}: '{}' wants 'optimizer key=value ...', got '{}'",
                                         kOwner, text, line.words.front()));
  ParamMap given = settingsOf(kOwner, line, lineSchema(def));
  const bool epochs = given.contains(kAfterEpochs);
  if (epochs == given.contains(kAfterSteps))
    throw Error(Code::Input, fmt::format("{}: '{}' wants either {} or {}{}", kOwner, text,
                                         kAfterEpochs, kAfterSteps, epochs ? ", got both" : ""));
  OptimizerChange change;
  change.def = &def;
  change.countsEpochs = epochs;
  change.after = given.getInt(epochs ? kAfterEpochs : kAfterSteps);
  given.erase(epochs ? kAfterEpochs : kAfterSteps);
  change.params = def.schema.defaults();
  for (const auto& [name, value] : given) change.params.set(name, value);
  return change;
}

std::string changeWithRate(const std::string& text, double rate) {
  PartLine line = parsePartLine(kOwner, text);
  bool found = false;
  for (auto& [key, value] : line.settings) {
    if (key != "lr") continue;
    value = numberText(rate);
    found = true;
  }
  if (!found) line.settings.emplace_back("lr", numberText(rate));
  std::string out = line.name;
  for (const auto& [key, value] : line.settings) out += " " + key + "=" + quoted(value);
  return out;
}

}  // namespace tenon
