// SPDX-License-Identifier: Apache-2.0
// The spine of a training. Read Trainer::run first; what it calls stands in the same order below,
// one step in trainer_step.cpp, the end of an epoch in trainer_epoch.cpp.
#include "engine/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/backend/registry/devices.h"
#include "engine/base/clock.h"
#include "engine/memory/scope.h"
#include "engine/project/project_file.h"
#include "engine/schema/json.h"
#include "engine/store/rewind.h"
#include "engine/train/engine_catalog.h"
#include "engine/train/resume.h"
#include "engine/train/run_story.h"
#include "engine/train/trainer_impl.h"

namespace tenon {

namespace {

/// Puts the thread count and the deterministic option back as whoever runs the training had them.
class ComputeSettings {
 public:
  ComputeSettings() = default;
  ~ComputeSettings() {
    backend::setThreads(threads_);
    gate::threadState().deterministic = deterministic_;
  }
  ComputeSettings(const ComputeSettings&) = delete;
  ComputeSettings& operator=(const ComputeSettings&) = delete;

 private:
  int threads_ = backend::threads();
  bool deterministic_ = gate::threadState().deterministic;
};

}  // namespace

TrainSink::~TrainSink() = default;

Trainer::Trainer(TrainRequest request, std::shared_ptr<Store> store, TrainControl& control,
                 TrainSink& sink)
    : impl_(new Impl{std::move(request), std::move(store), control, sink}) {}
Trainer::~Trainer() = default;

TrainResult Trainer::run() {
  Impl& t = *impl_;
  const ComputeSettings before;
  t.prepare();  // data, model, loss, optimizer, schedule: throws before a run exists
  t.openRun();  // the run's row and pens; with a resumed run its newest checkpoint
  try {
    const gate::GeneratorGuard randomness(t.state.generator);
    while (!t.ended && t.state.epoch < t.spec().epochs) {
      t.epochStartNs = monotonicNs();
      t.loader->start(t.state.epoch, t.state.batch);
      t.waitedNs = 0;
      while (!t.epochIsDone() && t.nextStep())
        if (!t.step()) break;  // a stop came before its first batch
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
  loss = makeLoss(spec(), {setup.data.training->meta().classes, 0});
  plan = optimizerPlan(spec(), setup.groups.stepsPerEpoch());
  weights = std::make_unique<WeightUpdate>(spec(), plan, *setup.model);
  schedule = std::make_unique<BoundSchedule>(spec());
  for (const PartSpec& part : spec().metrics)
    batchMetrics.push_back(findMetric(part.type)->make(loss.meaning));
  const auto seed = static_cast<uint64_t>(spec().seed);
  loader = std::make_unique<Loader>(
      setup.data.training, LoaderOptions{spec().batchSize, true, false, seed, spec().workers, 2});
  state.generator.seed = seed;
  state.peakLearningRate = plan.peakRate(0);
}

void Trainer::Impl::openRun() {
  door = std::make_unique<StepDoor>(control, [this](StepDoor::Waiting waiting) {
    // A full disk may come in between: what was said of the pause counts, not the state before.
    if (waiting == StepDoor::Waiting::Paused && !std::exchange(pauseSaid, true))
      story::paused(*log, state.step);
    if (waiting == StepDoor::Waiting::No && std::exchange(pauseSaid, false) &&
        !control.stopToken().stop_requested())
      story::continued(*log, state.step);
    log->training(waiting == StepDoor::Waiting::No);
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
  const RunInfo before = store->runs().get(from);
  std::vector<SettingChange> changes = changesOnResume(before, settingsText());
  const Checkpoint checkpoint = store->checkpoints().load(info->id);
  const OptimizerPlan was =
      optimizerPlan(*projectOfRun(before, request.project).train, setup.groups.stepsPerEpoch());
  refuseOtherPast(was, plan, stateOf(checkpoint).updates());
  restoreCheckpoint(checkpoint, state, weights->parts(*setup.model));
  schedule->restore(state.schedule);
  savedNs = monotonicNs();
  const double kept = std::exchange(state.peakLearningRate, plan.peakRate(state.updates()));
  const std::string path = was.ratePath(state.updates());
  const auto isRate = [&path](const SettingChange& change) { return change.path == path; };
  // Where the optimizer changes, checkpoints used to hold the rate of the optimizer before.
  const bool isOfStepBefore =
      was.changesAt(state.updates()) && kept == was.peakRate(state.updates() - 1);
  if (kept != was.peakRate(state.updates()) && !isOfStepBefore &&
      std::none_of(changes.begin(), changes.end(), isRate))
    changes.push_back(
        {path, numberText(kept), numberText(state.peakLearningRate)});  // set after it
  store->runs().takeOver(from, {spec().device, settingsText()});
  rewindRun(*store, from, rewindTo(state, setup.groups.batchesPerEpoch()));
  run = from;
  return changes;
}

bool Trainer::Impl::stepsAreOver() const {
  return request.maxSteps > 0 && state.step >= request.maxSteps;
}

/// After its last batch an epoch ends without passing the door: what is ordered there (a single
/// step, a recording) is meant for a step, and the next one is in the next epoch.
bool Trainer::Impl::epochIsDone() const {
  return state.batch >= setup.groups.batchesPerEpoch() && !stepsAreOver();
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

/// The run keeps it like any other setting, so that resuming goes on with it. It is the peak of the
/// optimizer that makes the next step.
void Trainer::Impl::setPeakLearningRate(double rate) {
  state.peakLearningRate = rate;
  request.project.train =
      std::make_shared<TrainSpec>(withPeakRate(spec(), plan, state.updates(), rate));
  plan = optimizerPlan(spec(), setup.groups.stepsPerEpoch());
  log->settings(settingsText());
  story::learningRateSet(*log, rate, state.step);
}

SchedulePoint Trainer::Impl::point() const {
  return {state.updates(), totalSteps(), setup.groups.stepsPerEpoch()};
}

double Trainer::Impl::learningRate() const {
  return plan.peakRate(state.updates()) * schedule->factor(point());
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

/// The log's last word, once nothing is on its way to the disk any more. Training ends before it,
/// so that the time it tells is the one that the run keeps.
void Trainer::Impl::tellEnd() {
  log->settle();
  log->training(false);
  story::ended(*log, ended, state.step);
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
