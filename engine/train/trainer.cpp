// SPDX-License-Identifier: Apache-2.0
// The spine of a training. Read Trainer::run first; what it calls stands in the same order below.
#include "engine/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/autograd/autograd.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/clock.h"
#include "engine/data/loader/loader.h"
#include "engine/memory/allocator.h"
#include "engine/memory/scope.h"
#include "engine/metrics/metric_def.h"
#include "engine/observe/step_recorder.h"
#include "engine/project/project_file.h"
#include "engine/project/settings.h"
#include "engine/schema/json.h"
#include "engine/store/rewind.h"
#include "engine/train/engine_catalog.h"
#include "engine/train/evaluate.h"
#include "engine/train/predictions.h"
#include "engine/train/progress_meter.h"
#include "engine/train/resume.h"
#include "engine/train/run_log.h"
#include "engine/train/run_setup.h"
#include "engine/train/run_state.h"
#include "engine/train/run_story.h"

namespace tenon {

TrainSink::~TrainSink() = default;

namespace {
constexpr const char* kRatePath = "train.optimizer.lr";
constexpr int64_t kSaveEveryNs = 60'000'000'000;  // where the project says no number of steps
}  // namespace

struct Trainer::Impl {
  TrainRequest request;
  std::shared_ptr<Store> store;
  TrainControl& control;
  TrainSink& sink;

  const TrainSpec& spec() const { return *request.project.train; }
  RunSetup setup{};
  Loss loss{};
  std::unique_ptr<Optimizer> optimizer{};
  std::vector<OptimizedParameter> parameters{};
  std::unique_ptr<BoundSchedule> schedule{};
  std::unique_ptr<Loader> loader{};
  std::vector<std::unique_ptr<Metric>> batchMetrics{};
  std::unique_ptr<StepDoor> door{};
  std::unique_ptr<RunLog> log{};
  memory::CachingAllocator* allocator = nullptr;

  RunId run = 0;
  RunState state{};
  ProgressMeter meter{};
  TrainProgress told{};
  bool pauseSaid = false;  ///< The log's last word is "Paused".
  int64_t toldNs = 0;
  int64_t startNs = 0;
  int64_t savedNs = 0;  ///< the last checkpoint; 0: none, so that the first step is saved at once
  int64_t epochStartNs = 0;
  int64_t waitedNs = 0;  // the loader's count at the step before
  bool recordNext = false;
  bool ended = false;  // a stop or the step limit came

  void prepare();
  void openRun();
  std::vector<SettingChange> resumeFrom(RunId from);
  std::string settingsText() const;
  void tellBeginning(const std::vector<SettingChange>& changes);
  bool stepsAreOver() const;
  bool epochIsDone() const;
  bool nextStep();
  Tensor forward(const Batch& batch, Tensor& output, StepRecorder* recorder);
  void step(const Batch& batch);
  void finishStep(const Batch& batch, double lossValue, const Tensor& output);
  void logStep(const Batch& batch, double lossValue, const Tensor& output, double rate);
  void keepRecording(const StepRecording& recording);
  void finishEpoch();
  void validateEpoch(EpochSummary& summary);
  bool isBetter(double value) const;
  void saveCheckpoint(CheckpointKind kind);
  void takeOrders(const StepOrders& orders);
  void setPeakLearningRate(double rate);
  double learningRate() const;
  SchedulePoint point() const;
  int64_t totalSteps() const { return spec().epochs * loader->batchesPerEpoch(); }
  void tell(TrainState now, bool atOnce);
  void tellEnd();
  void fail(const Error& error) noexcept;
  TrainResult result(RunStatus status) const;
};

Trainer::Trainer(TrainRequest request, std::shared_ptr<Store> store, TrainControl& control,
                 TrainSink& sink)
    : impl_(new Impl{std::move(request), std::move(store), control, sink}) {}
Trainer::~Trainer() = default;

TrainResult Trainer::run() {
  Impl& t = *impl_;
  t.prepare();  // data, model, loss, optimizer, schedule: throws before a run exists
  t.openRun();  // the run's row and pens; with a resumed run its newest checkpoint
  try {
    const gate::GeneratorGuard randomness(t.state.generator);
    while (!t.ended && t.state.epoch < t.spec().epochs) {
      t.epochStartNs = monotonicNs();
      t.loader->start(t.state.epoch, t.state.batch);
      t.waitedNs = 0;
      while (!t.epochIsDone() && t.nextStep()) {
        memory::currentScope() = {0, 0, memory::Phase::Data, t.state.step + 1};
        const std::optional<Batch> batch = t.loader->next(t.control.stopToken());
        if (!batch) break;
        t.step(*batch);
      }
      if (!t.ended) t.finishEpoch();
    }
    memory::currentScope() = {};
    if (t.ended) t.saveCheckpoint(CheckpointKind::Last);
    t.tellEnd();
    t.log->finish(t.ended ? RunStatus::Stopped : RunStatus::Finished, "");
  } catch (const Error& error) {
    t.fail(error);
    throw;
  } catch (const std::exception& error) {
    t.fail(Error(Code::Internal, error.what()));
    throw;
  }
  t.tell(TrainState::Ended, true);
  return t.result(t.ended ? RunStatus::Stopped : RunStatus::Finished);
}

void Trainer::Impl::prepare() {
  tell(TrainState::Preparing, true);
  backend::setThreads(static_cast<int>(spec().threads));
  gate::threadState().deterministic = spec().deterministic;
  setup = setUpModel(request.project, request.folder);
  allocator = &backend::allocatorOf(static_cast<int>(setup.device.kind), setup.device.index);
  loss = makeLoss(spec());
  optimizer = makeOptimizer(spec(), *setup.model);
  for (const NamedTensor& named : setup.model->parameters())
    parameters.push_back({named.name, named.tensor, named.decays});
  schedule = std::make_unique<BoundSchedule>(spec());
  for (const PartSpec& part : spec().metrics) batchMetrics.push_back(findMetric(part.type)->make());
  const auto seed = static_cast<uint64_t>(spec().seed);
  loader = std::make_unique<Loader>(
      setup.data.training, LoaderOptions{spec().batchSize, true, false, seed, spec().workers, 2});
  state.generator.seed = seed;
  const OptimizerDef* def = findOptimizer(spec().optimizer.type);
  const ParamValue* rate = spec().optimizer.params.find("lr");
  state.peakLearningRate = (rate ? spec().optimizer.params : def->schema.defaults()).getFloat("lr");
}

void Trainer::Impl::openRun() {
  door = std::make_unique<StepDoor>(control, [this](StepDoor::Waiting waiting) {
    // A full disk may come in between: what was said of the pause counts, not the state before.
    if (waiting == StepDoor::Waiting::Paused && !std::exchange(pauseSaid, true))
      story::paused(*log, state.step);
    if (waiting == StepDoor::Waiting::No && std::exchange(pauseSaid, false) &&
        !control.stopToken().stop_requested())
      story::continued(*log, state.step);
    if (waiting == StepDoor::Waiting::No) meter.restart(monotonicNs());
    tell(waiting == StepDoor::Waiting::Paused    ? TrainState::Paused
         : waiting == StepDoor::Waiting::Trouble ? TrainState::Trouble
                                                 : TrainState::Running,
         true);
  });
  std::vector<SettingChange> changes;
  if (request.resume) {
    changes = resumeFrom(request.resume);
  } else {
    NewRun fresh;
    fresh.seed = static_cast<uint64_t>(spec().seed);
    fresh.device = spec().device;
    fresh.settings = settingsText();
    run = store->runs().create(fresh);
  }
  log = std::make_unique<RunLog>(store, run, *door, sink);
  startNs = monotonicNs();
  tellBeginning(changes);
  meter.restart(monotonicNs());
  tell(TrainState::Running, true);
}

void Trainer::Impl::tellBeginning(const std::vector<SettingChange>& changes) {
  story::began(*log, {state.step, spec().device, setup.data.training->size(), request.resume != 0});
  for (const SettingChange& change : changes) story::changed(*log, change, state.step);
  if (!request.resume) return;
  log->progress(state.step, state.epochOfLastStep());
  if (state.bestStep >= 0)
    log->best("validation/" + spec().checkpoint.bestBy, state.bestValue, state.bestStep);
}

std::string Trainer::Impl::settingsText() const {
  return writeJson(settingsJson(request.project, engineCatalog()), JsonStyle::OneLine);
}

/// The run as its newest checkpoint has it, to go on with the settings of the request.
std::vector<SettingChange> Trainer::Impl::resumeFrom(RunId from) {
  const auto info = store->checkpoints().newestWhole(from);
  if (!info) throw Error(Code::Input, fmt::format("run {} has no checkpoint to resume from", from));
  std::vector<SettingChange> changes = changesOnResume(store->runs().get(from), settingsText());
  const double asked = state.peakLearningRate;
  restoreCheckpoint(store->checkpoints().load(info->id), state, *setup.model, *optimizer);
  schedule->restore(state.schedule);
  savedNs = monotonicNs();
  const double kept = std::exchange(state.peakLearningRate, asked);
  const auto isRate = [](const SettingChange& change) { return change.path == kRatePath; };
  if (kept != asked && std::none_of(changes.begin(), changes.end(), isRate))  // set after it
    changes.push_back({kRatePath, numberText(kept), numberText(asked)});
  store->runs().takeOver(from, {spec().device, settingsText()});
  rewindRun(*store, from, rewindTo(state, loader->batchesPerEpoch()));
  run = from;
  return changes;
}

bool Trainer::Impl::stepsAreOver() const {
  return request.maxSteps > 0 && state.step >= request.maxSteps;
}

/// After its last batch an epoch ends without passing the door: what is ordered there (a single
/// step, a recording) is meant for a step, and the next one is in the next epoch.
bool Trainer::Impl::epochIsDone() const {
  return state.batch >= loader->batchesPerEpoch() && !stepsAreOver();
}

/// Serves what was asked for since the last step; false if the training ends here.
bool Trainer::Impl::nextStep() {
  takeOrders(door->pass(
      {*setup.model, setup.data.validation ? *setup.data.validation : *setup.data.training,
       state.step, state.epoch},
      [this] { log->retry(); }));
  if (stepsAreOver()) ended = true;
  return !ended;
}

void Trainer::Impl::takeOrders(const StepOrders& orders) {
  if (orders.stop) ended = true;
  recordNext = orders.record || recordNext;
  if (orders.peakLearningRate) setPeakLearningRate(*orders.peakLearningRate);
  if (orders.checkpoint) saveCheckpoint(CheckpointKind::Manual);
}

/// The run keeps it like any other setting, so that resuming goes on with it.
void Trainer::Impl::setPeakLearningRate(double rate) {
  state.peakLearningRate = rate;
  TrainSpec train = spec();
  train.optimizer.params.set("lr", rate);
  request.project.train = std::make_shared<TrainSpec>(std::move(train));
  log->settings(settingsText());
  story::learningRateSet(*log, rate, state.step);
}

SchedulePoint Trainer::Impl::point() const {
  return {state.step, totalSteps(), loader->batchesPerEpoch()};
}

double Trainer::Impl::learningRate() const {
  return state.peakLearningRate * schedule->factor(point());
}

Tensor Trainer::Impl::forward(const Batch& batch, Tensor& output, StepRecorder* recorder) {
  memory::currentScope().phase = memory::Phase::Forward;
  output = setup.model->forward(batch.values, true);
  memory::currentScope().phase = memory::Phase::Loss;
  Tensor value = loss(output, batch.targets);
  if (recorder) recorder->captureGraph(value);
  return value;
}

void Trainer::Impl::step(const Batch& batch) {
  std::unique_ptr<StepRecorder> recorder;
  if (std::exchange(recordNext, false)) {
    recorder = std::make_unique<StepRecorder>(state.step + 1);
    for (const NamedTensor& named : setup.model->tensors())
      recorder->name(named.tensor, named.name);
    recorder->name(batch.values, "batch");
    recorder->name(batch.targets, "targets");
  }
  zeroGrad(parameters);
  Tensor output;
  const Tensor lossTensor = forward(batch, output, recorder.get());
  const double lossValue = static_cast<double>(lossTensor.data<float>()[0]);
  memory::currentScope().phase = memory::Phase::Backward;
  autograd::backward(lossTensor);
  memory::currentScope().phase = memory::Phase::Optimizer;
  const double rate = learningRate();
  optimizer->step(rate);
  if (recorder) keepRecording(recorder->finish());
  ++state.step;
  ++state.batch;
  state.lossSum += lossValue * static_cast<double>(batch.targets.numel());
  state.lossSamples += batch.targets.numel();
  told.loss = lossValue;
  told.learningRate = rate;
  finishStep(batch, lossValue, output);
}

void Trainer::Impl::finishStep(const Batch& batch, double lossValue, const Tensor& output) {
  const int64_t waited = loader->waitedNs();
  meter.step(monotonicNs(), batch.targets.numel(), waited - std::exchange(waitedNs, waited));
  if (!std::isfinite(lossValue))
    log->event(
        EventLevel::Warning, "train.loss-not-finite", TENON_TEXT("The loss of step {0} is {1}"),
        {std::to_string(state.step), std::isnan(lossValue) ? "NaN" : "infinite"}, state.step);
  const bool due = state.step == 1 || state.step % std::max<int64_t>(spec().logEvery, 1) == 0;
  if (due) logStep(batch, lossValue, output, told.learningRate);
  log->progress(state.step, state.epoch);
  const int64_t every = spec().checkpoint.everySteps;
  const bool saves =
      every > 0 ? state.step % every == 0 : savedNs == 0 || monotonicNs() - savedNs >= kSaveEveryNs;
  if (saves) saveCheckpoint(CheckpointKind::Last);
  tell(TrainState::Running, false);
}

void Trainer::Impl::logStep(const Batch& batch, double lossValue, const Tensor& output,
                            double rate) {
  std::vector<std::pair<std::string, double>> values;
  for (size_t i = 0; i < batchMetrics.size(); ++i) {
    batchMetrics[i]->reset();
    batchMetrics[i]->add(output, batch.targets);
    values.emplace_back(spec().metrics[i].type, batchMetrics[i]->value());
  }
  StepNumbers numbers;
  numbers.step = state.step;
  numbers.epoch = state.epoch;
  numbers.loss = lossValue;
  numbers.learningRate = rate;
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
  sink.onLogged({run, state.step, state.epoch, lossValue, rate, numbers.samplesPerSecond});
}

void Trainer::Impl::keepRecording(const StepRecording& recording) {
  const int64_t at = state.step + 1;
  log->artifact("graph", kGraphRecordingVersion, at, state.epoch, encode(recording.graph));
  log->artifact("memory", kMemoryRecordingVersion, at, state.epoch, encode(recording.memory));
}

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
  summary.trainLoss =
      state.lossSamples > 0 ? state.lossSum / static_cast<double>(state.lossSamples) : NAN;
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
  state.lossSamples = 0;
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
                encode(predictSamples(*setup.model, setup.data)));
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
  data.head.version = kCheckpointVersion;
  data.parts = checkpointParts(state, *setup.model, *optimizer);
  const int64_t keep = spec().checkpoint.keep;
  data.retention.keepLast = keep > 0 ? static_cast<int>(keep) : 1 << 30;
  savedNs = monotonicNs();
  log->checkpoint(std::move(data));
}

void Trainer::Impl::tell(TrainState now, bool atOnce) {
  const int64_t ns = monotonicNs();
  if (!atOnce && ns - toldNs < 100'000'000) return;
  toldNs = ns;
  told.run = run;
  told.state = now;
  told.step = state.step;
  told.epoch = state.epochOfLastStep();
  told.epochs = spec().epochs;
  told.totalSteps = loader ? totalSteps() : 0;
  told.samples = loader ? setup.data.training->size() : 0;
  told.samplesPerSecond = meter.samplesPerSecond();
  told.etaSeconds = meter.secondsPerStep() * static_cast<double>(told.totalSteps - state.step);
  told.dataWaitShare = meter.dataWaitShare();
  if (allocator) {
    told.allocatedBytes = static_cast<int64_t>(allocator->allocatedBytes());
    told.reservedBytes = static_cast<int64_t>(allocator->reservedBytes());
  }
  sink.onProgress(told);
}

/// The log's last word, once nothing is on its way to the disk any more.
void Trainer::Impl::tellEnd() {
  log->settle();
  story::ended(*log, ended, state.step, static_cast<double>(monotonicNs() - startNs) * 1e-9);
}

void Trainer::Impl::fail(const Error& error) noexcept {
  memory::currentScope() = {};
  try {
    log->event(EventLevel::Error, "train.failed", TENON_TEXT("{0}"), {error.what()}, state.step);
    log->finish(RunStatus::Failed, error.what());
  } catch (...) {
    // The store cannot be written either; reopening will show the run as interrupted.
  }
  try {
    tell(TrainState::Ended, true);
  } catch (...) {
  }
}

TrainResult Trainer::Impl::result(RunStatus status) const {
  return {run, status, state.step, state.bestValue, state.lastTrainLoss};
}

ProjectSpec projectOfRun(const RunInfo& run, const ProjectSpec& current) {
  Json settings = parseJson(run.settings);
  settings.set("format_version", kProjectFormat);
  const ReadResult read =
      readProjectText(writeJson(settings), fmt::format("settings of run {}", run.id));
  throwIfErrors(read.issues);
  ProjectSpec project = read.project;
  project.layout = current.layout;
  return project;
}

}  // namespace tenon
