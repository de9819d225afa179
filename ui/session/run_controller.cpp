// SPDX-License-Identifier: GPL-3.0-or-later
// One training at a time on a thread of its own.
#include "ui/session/run_controller.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include "engine/base/log.h"
#include "engine/schema/param_schema.h"
#include "engine/store/project_lock.h"
#include "engine/train/engine_catalog.h"
#include "engine/train/train_control.h"
#include "engine/train/trainer.h"
#include "ui/session/background.h"
#include "ui/session/document.h"
#include "ui/session/live_check.h"
#include "ui/session/run_mailbox.h"

namespace tenon::ui {
namespace {

Issues refusal(const char* code, const QString& text) {
  return {{Severity::Error, code, TENON_TEXT("{0}"), {text.toStdString()}, {}}};
}

Issues errorsOf(const Issues& issues) {
  Issues errors;
  for (const Issue& issue : issues)
    if (issue.severity == Severity::Error) errors.push_back(issue);
  return errors;
}

RunState stateOf(TrainState state) {
  switch (state) {
    case TrainState::Preparing:
      return RunState::Preparing;
    case TrainState::Running:
      return RunState::Running;
    case TrainState::Paused:
      return RunState::Paused;
    case TrainState::Validating:
      return RunState::Validating;
    case TrainState::Saving:
    case TrainState::Ended:
      return RunState::Saving;
    case TrainState::Trouble:
      return RunState::Trouble;
  }
  return RunState::Running;
}

}  // namespace

double configuredPeakRate(const TrainSpec& train) {
  const ParamSchema* schema = engineCatalog().schema(PartKind::Optimizer, train.optimizer.type);
  if (!schema || !schema->find("lr")) return 0;
  ParamMap all = schema->defaults();
  for (const auto& [name, value] : train.optimizer.params) all.set(name, value);
  return all.getFloat("lr");
}

double timeLeft(RunState state, const TrainProgress& progress) {
  const bool moves = state == RunState::Running || state == RunState::Validating;
  const bool known = moves && progress.totalSteps > 0 && std::isfinite(progress.etaSeconds);
  return known ? progress.etaSeconds : std::numeric_limits<double>::quiet_NaN();
}

qint64 epochOf(const TrainProgress& progress) {
  return progress.totalSteps > 0 ? progress.epoch + 1 : 0;
}

/// The run's thread with its orders. Joins when destroyed.
class RunController::Worker {
 public:
  using Ended = std::function<void(const RunOutcome&, const Issues&)>;

  Worker(TrainRequest request, Ended ended) {
    thread_ = std::thread([this, request = std::move(request), ended = std::move(ended)]() mutable {
      RunOutcome outcome;
      Issues reasons;
      work(std::move(request), outcome, reasons);
      QMetaObject::invokeMethod(
          &mailbox, [outcome, reasons, ended = std::move(ended)] { ended(outcome, reasons); },
          Qt::QueuedConnection);
    });
  }
  ~Worker() {
    control.stop();
    if (thread_.joinable()) thread_.join();
  }

  TrainControl control;
  RunMailbox mailbox;

 private:
  void work(TrainRequest request, RunOutcome& outcome, Issues& reasons) {
    const std::string folder = request.folder;
    try {
      const ProjectLock lock(folder);
      const std::shared_ptr<Store> store = Store::open(folder);
      if (request.resume > 0)  // a run goes on with its own settings, not with later edits
        request.project = projectOfRun(store->runs().get(request.resume), request.project);
      mailbox.onConfigured(configuredPeakRate(*request.project.train), request.project.graph);
      Trainer trainer(std::move(request), store, control, mailbox);
      const TrainResult result = trainer.run();
      outcome = {result.run, result.status, result.step, {}};
    } catch (...) {
      outcome.status = RunStatus::Failed;
      outcome.failure = currentExceptionText();
      reasons = refusal("run.failed", outcome.failure);
      logError("session", outcome.failure.toStdString());
    }
  }

  std::thread thread_;
};

RunController::RunController(Document& document, LiveCheck& check, QObject* parent)
    : QObject(parent), document_(document), check_(check) {
  connect(&check_, &LiveCheck::changed, this, [this] {
    if (wanted_ && check_.isCurrent()) begin(*std::exchange(wanted_, std::nullopt));
  });
}

RunController::~RunController() = default;

void RunController::start() { request(0); }

void RunController::resumeRun(qint64 run) { request(run); }

void RunController::request(qint64 resume) {
  if (isLive()) return;
  if (!document_.isOpen()) {
    Q_EMIT refused(refusal("run.no-project", tr("Open a project first.")));
    return;
  }
  if (document_.isOpening()) {
    Q_EMIT refused(
        refusal("run.opening", tr("A project is being opened: start when it is there.")));
    return;
  }
  announced_ = false;
  setState(RunState::Starting);
  if (check_.isCurrent() && !check_.isChecking()) {
    begin(resume);
  } else {
    wanted_ = resume;  // as soon as the check of what is there now is done
  }
}

void RunController::begin(qint64 resume) {
  const Issues errors = errorsOf(check_.result()->issues);
  if (!errors.empty() && resume == 0) {
    setState(RunState::Idle);
    Q_EMIT refused(errors);
    return;
  }
  TrainRequest order;
  order.project = document_.spec();
  order.folder = document_.folder().toStdString();
  order.resume = resume;
  progress_ = {};
  worker_ = std::make_unique<Worker>(
      std::move(order),
      [this](const RunOutcome& outcome, const Issues& reasons) { finish(outcome, reasons); });
  const RunMailbox& mail = worker_->mailbox;
  connect(&mail, &RunMailbox::progress, this, &RunController::takeProgress);
  connect(&mail, &RunMailbox::epoch, this, &RunController::epochEnded);
  connect(&mail, &RunMailbox::rows, this, &RunController::rowsWritten);
  connect(&mail, &RunMailbox::artifact, this, &RunController::artifactStored);
  connect(&mail, &RunMailbox::artifactLost, this, &RunController::artifactLost);
  // Of a recording the memory comes last.
  const auto came = [this](qint64, const QString& kind) {
    if (kind == QLatin1String("memory")) setRecordingDue(false);
  };
  connect(&mail, &RunMailbox::artifact, this, came);
  connect(&mail, &RunMailbox::artifactLost, this, came);
  connect(&mail, &RunMailbox::configured, this,
          [this](double rate, const std::shared_ptr<const GraphSpec>& graph) {
            graph_ = graph;
            showPeakRate(rate);
          });
  connect(&mail, &RunMailbox::trouble, this, &RunController::takeTrouble);
}

void RunController::takeProgress(const TrainProgress& progress) {
  progress_ = progress;
  if (progress.run > 0 && !std::exchange(announced_, true)) {
    run_ = progress.run;
    Q_EMIT started(run_);
  }
  followTrainer();
  Q_EMIT progressChanged(progress_);
}

/// The store has two writers, and each tells of its own trouble: over is it when both can write.
void RunController::takeTrouble(const StoreTrouble& what) {
  troubled_ = std::max(0, troubled_ + (what.message.empty() ? -1 : 1));
  if (what.message.empty() && troubled_ > 0) return;
  trouble_ = troubleOf(what, document_.folder());
  Q_EMIT troubleChanged(trouble_);
  followTrainer();
}

/// A trainer that is paused already is not told that it could not go on: it is known here.
void RunController::followTrainer() {
  if (state_ == RunState::Idle || state_ == RunState::Stopping) return;
  const RunState told = stateOf(progress_.state);
  setState(told == RunState::Paused && !trouble_.isEmpty() ? RunState::Trouble : told);
}

void RunController::finish(RunOutcome outcome, const Issues& reasons) {
  worker_.reset();  // its thread is done
  graph_.reset();
  troubled_ = 0;
  if (!std::exchange(trouble_, {}).isEmpty()) Q_EMIT troubleChanged({});
  const bool began = announced_ || outcome.run > 0;
  setRecordingDue(false);
  setState(RunState::Idle);
  if (!began) {
    Q_EMIT refused(reasons);
    return;
  }
  if (outcome.run == 0) outcome.run = run_;
  if (outcome.step == 0) outcome.step = progress_.step;
  run_ = outcome.run;
  Q_EMIT ended(outcome);
}

void RunController::setState(RunState state) {
  if (std::exchange(state_, state) != state) Q_EMIT stateChanged(state);
}

void RunController::pause() {
  if (worker_) worker_->control.pause();
}

void RunController::resume() {
  if (worker_) worker_->control.resume();
}

void RunController::step() {
  if (!worker_) return;
  worker_->control.pause();
  worker_->control.stepOnce();
}

void RunController::stop() {
  if (wanted_) {
    wanted_.reset();
    setState(RunState::Idle);
  }
  if (!worker_) return;
  worker_->control.stop();
  setState(RunState::Stopping);
}

void RunController::recordNextStep() {
  if (!worker_ || recordingDue_) return;
  worker_->control.recordNextStep();
  setRecordingDue(true);
}

bool RunController::withdrawRecording() {
  if (!worker_ || !canWithdraw_) return false;
  if (!worker_->control.withdrawRecording()) {
    setCanWithdraw(false);  // its step has begun
    return false;
  }
  setRecordingDue(false);
  Q_EMIT recordingWithdrawn();
  return true;
}

void RunController::setRecordingDue(bool due) {
  const bool changed = std::exchange(recordingDue_, due) != due;
  setCanWithdraw(due);
  if (changed) Q_EMIT recordingDueChanged(due);
}

void RunController::setCanWithdraw(bool can) {
  if (std::exchange(canWithdraw_, can) != can) Q_EMIT canWithdrawRecordingChanged(can);
}

void RunController::checkpointNow() {
  if (worker_) worker_->control.checkpointNow();
}

void RunController::setPeakLearningRate(double rate) {
  if (!worker_ || !(rate > 0) || rate == peakRate_) return;
  worker_->control.setPeakLearningRate(rate);
  showPeakRate(rate);
}

void RunController::showPeakRate(double rate) {
  if (std::exchange(peakRate_, rate) != rate) Q_EMIT peakLearningRateChanged(rate);
}

void RunController::retryStore() {
  if (worker_) worker_->control.retryStore();
}

bool RunController::post(std::function<void(const RunView&)> request) {
  if (!worker_ || state_ == RunState::Stopping) return false;
  worker_->control.post(std::move(request));
  return true;
}

}  // namespace tenon::ui
