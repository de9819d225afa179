// SPDX-License-Identifier: Apache-2.0
// Rules of going on with a run.
#include "engine/train/resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/base/error.h"
#include "engine/schema/json.h"
#include "engine/train/engine_catalog.h"
#include "engine/train/trainer.h"

namespace tenon {
namespace {

/// Settings that a person may change on purpose; a name that ends with '.' stands for all below it.
constexpr std::string_view kChangeable[] = {"train.epochs",
                                            "train.optimizer.",
                                            "train.optimizer_changes",  // what has not begun yet
                                            "train.schedule.",
                                            "train.clip_norm",
                                            "train.clip_value",
                                            "train.ema_decay",
                                            "train.ema_warm_up",
                                            "train.device",
                                            "train.threads",
                                            "train.workers",
                                            "train.deterministic",
                                            "train.log_every",
                                            "train.validate_every",
                                            "train.checkpoint.every_steps",
                                            "train.checkpoint.keep"};

bool mayChange(std::string_view path) {
  if (path == "train.optimizer.type") return false;  // its state is another one
  return std::any_of(std::begin(kChangeable), std::end(kChangeable),
                     [path](std::string_view allowed) {
                       return allowed.ends_with('.') ? path.starts_with(allowed) : path == allowed;
                     });
}

/// What is done cannot be taken back: the run would only be called finished earlier than it was.
void refuseFewerEpochs(const RunInfo& run, const Json& settings) {
  const Json* train = settings.find("train");
  const Json* epochs = train ? train->find("epochs") : nullptr;
  const int64_t begun = int64_t{run.epoch} + 1;
  if (!epochs || epochs->asInt() >= begun) return;
  throw Error(Code::Usage, fmt::format("run {} is in its epoch {} after {} steps and cannot be "
                                       "trained for {} epochs in all: ask for {} or more",
                                       run.id, begun, run.step, epochs->asInt(), begun));
}

std::string shown(const std::string& value) { return value.empty() ? "none" : value; }

}  // namespace

Json settingsOfToday(const RunInfo& run) {
  return settingsJson(projectOfRun(run, {}), engineCatalog());
}

std::vector<SettingChange> changesOnResume(const RunInfo& run, const std::string& settings) {
  std::vector<SettingChange> changes = diffSettings(settingsOfToday(run), parseJson(settings));
  for (const SettingChange& change : changes)
    if (!mayChange(change.path))
      throw Error(Code::Usage,
                  fmt::format("run {} was trained with {} = {} and can only go on with that, not "
                              "with {}: start a new run",
                              run.id, change.path, shown(change.before), shown(change.after)));
  refuseFewerEpochs(run, parseJson(settings));
  return changes;
}

Rewind rewindTo(const RunState& state, int64_t batchesPerEpoch) {
  Rewind rewind;
  rewind.lastStep = state.step;
  // A checkpoint of an epoch's last step stands before its validation, which may have come since.
  const bool endComes = state.batch > 0 && state.batch == batchesPerEpoch;
  rewind.lastEpochEnd = endComes ? state.step - 1 : state.step;
  rewind.epochSeries = "validation/";
  rewind.epochEvents = {"train.epoch", "train.best"};
  rewind.epochArtifacts = {"predictions"};
  return rewind;
}

}  // namespace tenon
