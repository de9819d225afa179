// SPDX-License-Identifier: Apache-2.0
// One step of a training: its batches forward and backward, the weights, what is told of it.
//
// A step is an optimizer step everywhere (logs, progress, --steps, checkpoints), however many
// batches it takes; schedules and changes of optimizer count those that changed weights. Half a
// step cannot be kept: a stop or a pause comes between steps.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/autograd/autograd.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/clock.h"
#include "engine/memory/scope.h"
#include "engine/ops/gate/cast.h"
#include "engine/train/precision.h"
#include "engine/train/run_story.h"
#include "engine/train/trainer_impl.h"

namespace tenon {
namespace {
constexpr int64_t kSaveEveryNs = 60'000'000'000;  // where the project says no number of steps
}  // namespace

/// False if a stop was asked for before the first batch came.
bool Trainer::Impl::step() {
  const BatchGroup group = setup.groups.at(state.batch);
  StepResult result;
  std::unique_ptr<StepRecorder> recorder;
  for (const auto& metric : batchMetrics) metric->reset();
  for (int64_t i = 0; i < group.batches; ++i) {
    memory::currentScope() = {0, 0, memory::Phase::Data, state.step + 1};
    // Once begun, a step is finished: only its first batch is worth giving up.
    const std::optional<Batch> batch =
        loader->next(i == 0 ? control.stopToken() : std::stop_token());
    if (!batch) return false;
    const bool last = i + 1 == group.batches;
    const BatchShare share = shareOf(*batch, group);
    result.targets += batch->targets.numel();
    result.output = {};
    if (last && share.weight > 0) recorder = recorderOf(*batch);
    if (i == 0) weights->begin();
    if (share.weight > 0) runBatch(*batch, share, recorder.get(), result);
    if (!last) measure(result);
  }
  correctShares(group, result);
  updateWeights(result);
  if (recorder) keepRecording(recorder->finish());
  measure(result);
  ++state.step;
  state.peakLearningRate = plan.peakRate(state.updates());
  state.batch += group.batches;
  finishStep(result);
  return true;
}

/// Of the step's last batch, forward to optimizer, if a recording was asked for.
std::unique_ptr<StepRecorder> Trainer::Impl::recorderOf(const Batch& batch) {
  if (!std::exchange(recordNext, false)) return nullptr;
  auto recorder = std::make_unique<StepRecorder>(state.step + 1);
  for (const NamedTensor& named : setup.model->tensors()) recorder->name(named.tensor, named.name);
  recorder->name(batch.values, "batch");
  recorder->name(batch.targets, "targets");
  return recorder;
}

/// Of a mean the batch counts with what it is divided by, as a part of the samples of the step:
/// what is different in the end, correctShares() makes good. A sum is added as it is.
BatchShare Trainer::Impl::shareOf(const Batch& batch, const BatchGroup& group) const {
  const double weight = loss.weightOf(batch.targets);
  const bool whole = loss.isSum || group.batches == 1;
  return {weight, whole ? 1 : weight / static_cast<double>(group.samples)};
}

/// Forward and backward of a batch that counts with `share` in its step.
void Trainer::Impl::runBatch(const Batch& batch, const BatchShare& share, StepRecorder* recorder,
                             StepResult& result) {
  std::optional<PrecisionGuard> precision(spec());
  memory::currentScope().phase = memory::Phase::Forward;
  result.output = cast(setup.model->forward(batch.values, true), DType::F32);
  result.lastTargets = batch.targets;
  memory::currentScope().phase = memory::Phase::Loss;
  const Tensor lossTensor = loss(result.output, batch.targets);
  precision.reset();  // its casts are no longer needed
  const Tensor root = weights->scaled(lossTensor);
  if (recorder) recorder->captureGraph(root);
  const double value = static_cast<double>(lossTensor.data<float>()[0]);
  const double total = loss.total(value, share.weight);
  result.lossSum += total;
  result.lossWeight += share.weight;
  result.loss = result.lossSum / result.lossWeight;
  state.lossSum += total;
  state.lossWeight += share.weight;
  if (!root.requiresGrad()) return;  // the model took a way without weights
  memory::currentScope().phase = memory::Phase::Backward;
  if (share.gradient == 1) {
    autograd::backward(root);
  } else {
    autograd::backward(root, Tensor::full(root.shape(), share.gradient, root.dtype()));
  }
}

/// Where some targets do not count, or with a weight of their class, the shares of a step's batches
/// do not add up to 1.
void Trainer::Impl::correctShares(const BatchGroup& group, const StepResult& result) {
  const auto samples = static_cast<double>(group.samples);
  if (loss.isSum || group.batches == 1 || result.lossWeight == 0 || result.lossWeight == samples)
    return;
  memory::currentScope().phase = memory::Phase::Optimizer;
  weights->scaleGradients(samples / result.lossWeight);
}

/// A step of which no target counts: nothing is learned, weights do not decay either.
void Trainer::Impl::leaveOut() {
  ++state.skipped;
  if (!std::exchange(uncountedSaid, true)) story::nothingCounted(*log, state.step + 1);
}

void Trainer::Impl::updateWeights(StepResult& result) {
  memory::currentScope().phase = memory::Phase::Optimizer;
  result.learningRate = learningRate();
  if (result.lossWeight == 0) return leaveOut();
  const WeightStep update = weights->step(result.learningRate);
  result.gradNorm = update.gradNorm;
  if (!update.made) {
    ++state.skipped;
    story::stepSkipped(*log, weights->scaler().scaleFactor(), state.step + 1, ++skippedInARow);
    return;
  }
  skippedInARow = 0;
  if (plan.changesAt(state.updates())) {
    story::optimizerChanged(*log, plan.at(state.updates()).def->title, state.step + 1);
  }
}

bool Trainer::Impl::isLogged(int64_t ofStep) const {
  return ofStep == 1 || ofStep % std::max<int64_t>(spec().logEvery, 1) == 0;
}

/// Adds the last batch to what is measured of the step being made, if that will be told.
void Trainer::Impl::measure(const StepResult& result) {
  if (!isLogged(state.step + 1) || !result.output.defined()) return;
  for (const auto& metric : batchMetrics) metric->add(result.output, result.lastTargets);
}

void Trainer::Impl::finishStep(const StepResult& result) {
  if (result.lossWeight > 0) told.loss = result.loss;
  told.learningRate = result.learningRate;
  const int64_t waited = loader->waitedNs();
  meter.step(monotonicNs(), result.targets, waited - std::exchange(waitedNs, waited));
  if (!std::isfinite(result.loss))
    log->event(
        EventLevel::Warning, "train.loss-not-finite", TENON_TEXT("The loss of step {0} is {1}"),
        {std::to_string(state.step), std::isnan(result.loss) ? "NaN" : "infinite"}, state.step);
  if (isLogged(state.step)) logStep(result);
  log->progress(state.step, state.epoch);
  const int64_t every = spec().checkpoint.everySteps;
  const bool saves =
      every > 0 ? state.step % every == 0 : savedNs == 0 || monotonicNs() - savedNs >= kSaveEveryNs;
  if (saves) saveCheckpoint(CheckpointKind::Last);
  tell(TrainState::Running, false);
}

void Trainer::Impl::logStep(const StepResult& result) {
  std::vector<std::pair<std::string, double>> values;
  const bool counted = result.lossWeight > 0;
  for (size_t i = 0; counted && i < batchMetrics.size(); ++i)
    values.emplace_back(spec().metrics[i].type, batchMetrics[i]->value());
  StepNumbers numbers;
  numbers.step = state.step;
  numbers.epoch = state.epoch;
  if (counted) numbers.loss = result.loss;
  numbers.learningRate = result.learningRate;
  numbers.gradNorm = result.gradNorm;
  numbers.samplesPerSecond = meter.samplesPerSecond();
  numbers.dataWaitShare = meter.dataWaitShare();
  numbers.allocatedBytes = static_cast<int64_t>(allocator->allocatedBytes());
  numbers.peakBytes = allocator->statistics().allocatedBytes[0].peak;
  allocator->resetPeaks();
  numbers.reservedBytes = static_cast<int64_t>(allocator->reservedBytes());
  // Of the CPU it would be the memory of all programs on the machine, which says nothing of a run.
  if (setup.device.kind != DeviceKind::Cpu) {
    const backend::DeviceMemory device =
        backend::deviceMemory(static_cast<int>(setup.device.kind), setup.device.index);
    numbers.deviceBytes = static_cast<int64_t>(device.totalBytes - device.freeBytes);
  }
  numbers.metrics = values;
  log->step(numbers);
  sink.onLogged({run, state.step, state.epoch, counted ? result.loss : NAN, result.learningRate,
                 numbers.samplesPerSecond});
}

void Trainer::Impl::keepRecording(const StepRecording& recording) {
  const int64_t at = state.step + 1;
  log->artifact("graph", kGraphRecordingVersion, at, state.epoch, encode(recording.graph));
  log->artifact("memory", kMemoryRecordingVersion, at, state.epoch, encode(recording.memory));
}

}  // namespace tenon
