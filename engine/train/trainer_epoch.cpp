// SPDX-License-Identifier: Apache-2.0
// The end of an epoch: validation (with the average of weights if there is one), predictions, which
// checkpoint is the best; and checkpoints.
#include <cmath>

#include "engine/base/clock.h"
#include "engine/memory/scope.h"
#include "engine/train/evaluate.h"
#include "engine/train/precision.h"
#include "engine/train/predictions.h"
#include "engine/train/run_story.h"
#include "engine/train/trainer_impl.h"

namespace tenon {

/// After the last batch: validation, predictions, best and last checkpoint, on to the next epoch.
void Trainer::Impl::finishEpoch() {
  if (door->stopRequested()) {  // the loader gave up waiting
    ended = true;
    return;
  }
  EpochSummary summary;
  summary.run = run;
  summary.epoch = state.epoch;
  summary.step = state.step;
  summary.trainLoss = state.lossWeight > 0 ? state.lossSum / state.lossWeight : NAN;
  summary.validationLoss = NAN;
  state.lastTrainLoss = summary.trainLoss;
  const int64_t every = spec().validateEvery;
  const bool due =
      every > 0 && ((state.epoch + 1) % every == 0 || state.epoch + 1 == spec().epochs);
  if (due && setup.data.validation) {
    try {
      validateEpoch(summary);
    } catch (const Error& error) {
      if (error.code() != Code::Stopped) throw;
      ended = true;  // the checkpoint stands before validation, so that resuming does it
      return;
    }
  }
  const bool validated = setup.data.validation != nullptr;
  if (due || !validated) schedule->epochEnded(point(), summary, validated);
  state.schedule = schedule->memory();
  story::epochEnded(*log, summary, spec());
  ++state.epoch;
  state.batch = 0;
  state.lossSum = 0;
  state.lossWeight = 0;
  tell(TrainState::Saving, true);
  saveCheckpoint(summary.best ? CheckpointKind::Best : CheckpointKind::Last);
  if (summary.best) saveCheckpoint(CheckpointKind::Last);
  summary.seconds = static_cast<double>(monotonicNs() - epochStartNs) * 1e-9;
  sink.onEpoch(summary);
  meter.restart(monotonicNs());
  tell(TrainState::Running, true);
}

void Trainer::Impl::validateEpoch(EpochSummary& summary) {
  tell(TrainState::Validating, true);
  memory::currentScope() = {0, 0, memory::Phase::Validation, state.step};
  std::optional<AveragedWeights> averaged;  // in place of the weights until this ends
  if (WeightAverage* average = weights->average()) averaged.emplace(*average);
  const PrecisionGuard precision(spec());
  EvaluateOptions options;
  options.stop = [this] { return door->stopRequested(); };
  const Evaluation evaluation = evaluate(*setup.model, setup.data.validation, spec(), options);
  log->validation(state.step, state.epoch, evaluation);
  summary.validationLoss = evaluation.loss;
  double decides = evaluation.loss;
  for (const auto& [name, value] : evaluation.metrics) {
    summary.metrics.emplace_back("validation/" + name, value);
    if (name == spec().checkpoint.bestBy) decides = value;
  }
  log->artifact("predictions", kPredictionsVersion, state.step, state.epoch,
                encode(predictSamples(*setup.model, setup.data, loss.meaning.reading)));
  if (!isBetter(decides)) return;
  summary.best = true;
  state.bestValue = decides;
  state.bestStep = state.step;
  log->best("validation/" + spec().checkpoint.bestBy, decides, state.step);
}

bool Trainer::Impl::isBetter(double value) const {
  if (!std::isfinite(value)) return false;
  if (!std::isfinite(state.bestValue)) return true;
  const MetricDef* metric = findMetric(spec().checkpoint.bestBy);
  return metric && metric->higherIsBetter ? value > state.bestValue : value < state.bestValue;
}

void Trainer::Impl::saveCheckpoint(CheckpointKind kind) {
  CheckpointData data;
  data.head.run = run;
  data.head.step = state.step;
  data.head.epoch = static_cast<int32_t>(state.epochOfLastStep());
  data.head.kind = kind;
  const TrainedParts trained = weights->parts(*setup.model);
  data.head.version = checkpointVersion(trained);
  data.parts = checkpointParts(state, trained);
  const int64_t keep = spec().checkpoint.keep;
  data.retention.keepLast = keep > 0 ? static_cast<int>(keep) : 1 << 30;
  savedNs = monotonicNs();
  log->checkpoint(std::move(data));
}

}  // namespace tenon
