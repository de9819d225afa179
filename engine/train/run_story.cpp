// SPDX-License-Identifier: Apache-2.0
// Sentences of a run's log.
#include "engine/train/run_story.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "engine/base/duration.h"
#include "engine/metrics/metric_def.h"
#include "engine/schema/json.h"

namespace tenon::story {
namespace {

std::string short4(double value) { return fmt::format("{:.4g}", value); }

/// "accuracy 91.3 %, ..." of the metrics over validation samples.
std::string metricsText(const EpochSummary& epoch) {
  std::string text;
  for (const auto& [name, value] : epoch.metrics) {
    const std::string id = name.substr(name.find('/') + 1);
    const MetricDef* def = findMetric(id);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", id, short4(value));
    if (def && !def->unit.empty()) text += " " + std::string(def->unit);
  }
  return text;
}

}  // namespace

void began(RunLog& log, const Beginning& beginning) {
  log.event(EventLevel::Info, beginning.resumed ? "train.resumed" : "train.started",
            beginning.resumed ? TENON_TEXT("Resumed at step {0} on {1}")
                              : TENON_TEXT("Started on {1}: {2} training samples"),
            {std::to_string(beginning.step), beginning.device, std::to_string(beginning.samples)},
            beginning.step);
}

void changed(RunLog& log, const SettingChange& change, int64_t step) {
  log.event(EventLevel::Info, "train.setting-changed", TENON_TEXT("{0} changed from {1} to {2}"),
            {change.path, change.before, change.after}, step);
}

void learningRateSet(RunLog& log, double peak, int64_t step) {
  log.event(EventLevel::Info, "train.learning-rate", TENON_TEXT("Peak learning rate set to {0}"),
            {numberText(peak)}, step);
}

void optimizerChanged(RunLog& log, const std::string& title, int64_t step) {
  log.event(EventLevel::Info, "train.optimizer",
            TENON_TEXT("From step {0} on the optimizer is {1}"), {std::to_string(step), title},
            step);
}

void stepSkipped(RunLog& log, double scale, int64_t step, int64_t inARow) {
  constexpr int64_t kUsual = 15;  // the scale needs no more halvings to come down to 2
  if (inARow > kUsual) {
    if (std::has_single_bit(static_cast<uint64_t>(inARow)))
      log.event(EventLevel::Warning, "train.steps-skipped",
                TENON_TEXT("The {0} steps up to {1} were left out, since a gradient overflowed in "
                           "each, now with a loss scale of {2}: nothing is learned"),
                {std::to_string(inARow), std::to_string(step), numberText(scale)}, step);
    return;
  }
  log.event(EventLevel::Info, "train.step-skipped",
            TENON_TEXT("Step {0} was left out, since a gradient overflowed; the loss scale is now "
                       "{1}"),
            {std::to_string(step), numberText(scale)}, step);
}

void nothingCounted(RunLog& log, int64_t step) {
  log.event(EventLevel::Warning, "train.nothing-counts",
            TENON_TEXT("No target of step {0} counts for the loss, so it is left out; further "
                       "steps like it will be without a word"),
            {std::to_string(step)}, step);
}

void paused(RunLog& log, int64_t step) {
  log.event(EventLevel::Info, "train.paused", TENON_TEXT("Paused after step {0}"),
            {std::to_string(step)}, step);
}

void continued(RunLog& log, int64_t step) {
  log.event(EventLevel::Info, "train.continued", TENON_TEXT("Continued after step {0}"),
            {std::to_string(step)}, step);
}

void epochEnded(RunLog& log, const EpochSummary& epoch, const TrainSpec& train) {
  const char* text =
      !std::isfinite(epoch.validationLoss) ? TENON_TEXT("Epoch {0} of {1}: training loss {2}")
      : epoch.metrics.empty()
          ? TENON_TEXT("Epoch {0} of {1}: training loss {2}, validation loss {3}")
          : TENON_TEXT("Epoch {0} of {1}: training loss {2}, validation loss {3}, {4}");
  log.event(EventLevel::Info, "train.epoch", text,
            {std::to_string(epoch.epoch + 1), std::to_string(train.epochs), short4(epoch.trainLoss),
             short4(epoch.validationLoss), metricsText(epoch)},
            epoch.step);
  if (!epoch.best) return;
  std::string value = short4(epoch.validationLoss);
  for (const auto& [name, each] : epoch.metrics)
    if (name == "validation/" + train.checkpoint.bestBy) value = short4(each);
  log.event(EventLevel::Info, "train.best", TENON_TEXT("Best so far: {0} {1}"),
            {train.checkpoint.bestBy, value}, epoch.step);
}

void saved(RunLog& log, const CheckpointInfo& checkpoint) {
  log.event(EventLevel::Info, "train.checkpoint", TENON_TEXT("Checkpoint of step {0} saved ({1})"),
            {std::to_string(checkpoint.step), std::string(checkpointKindName(checkpoint.kind))},
            checkpoint.step);
}

void ended(RunLog& log, bool stopped, int64_t step) {
  log.event(EventLevel::Info, stopped ? "train.stopped" : "train.finished",
            stopped ? TENON_TEXT("Stopped after step {0}, {1}")
                    : TENON_TEXT("Finished after {0} steps, {1}"),
            {std::to_string(step), durationText(log.trainedUs())}, step);
}

}  // namespace tenon::story
