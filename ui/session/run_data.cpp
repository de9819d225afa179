// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the store on a thread of its own and announces what is new in it.
#include "ui/session/run_data.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <mutex>

#include "engine/base/log.h"
#include "ui/session/document.h"

namespace tenon::ui {

namespace {

constexpr int kFollowMs = 2000;
constexpr int kFollowLateMs = 60'000;  ///< while the store cannot be read

}  // namespace

/// The store of one project as the reader's thread has it. Opened when first wanted and there.
struct RunData::Source {
  std::string folder;
  std::mutex mutex;
  std::shared_ptr<Store> store;
};

/// The runs as the store lists them, and which of them have nothing to go on from.
struct RunData::Listing {
  std::vector<RunInfo> runs;
  QSet<qint64> withoutCheckpoint;
};

std::shared_ptr<Store> RunData::openSource(Source& source) {
  const std::lock_guard lock(source.mutex);
  if (source.store || source.folder.empty()) return source.store;
  if (!QFileInfo::exists(QString::fromStdString(source.folder) + QLatin1String("/tenon.sqlite")))
    return nullptr;
  source.store = Store::open(source.folder, OpenMode::ReadOnly);
  return source.store;
}

RunData::RunData(Document& document, RunController& controller, QObject* parent)
    : QObject(parent),
      document_(document),
      controller_(controller),
      source_(std::make_shared<Source>()),
      runs_(std::make_unique<RunsModel>()),
      reader_(1, "tenon-runs") {
  announce_.setSingleShot(true);
  announce_.setInterval(100);
  connect(&announce_, &QTimer::timeout, this, &RunData::announceRows);
  follow_.setInterval(kFollowMs);
  connect(&follow_, &QTimer::timeout, this, &RunData::followOthers);
  connect(&document_, &Document::opened, this, &RunData::changeSource);
  connect(&document_, &Document::closed, this, &RunData::changeSource);
  connect(&controller_, &RunController::started, this, [this](qint64 run) {
    ended_.erase({source_->folder, run});
    Q_EMIT artifactsChanged(run, {});  // a resume takes predictions back
    refreshRuns();
  });
  connect(&controller_, &RunController::epochEnded, this, &RunData::refreshRuns);
  connect(&controller_, &RunController::ended, this, [this](const RunOutcome& outcome) {
    noteEnd(outcome);
    grow(outcome.run);
    refreshRuns();
  });
  connect(&controller_, &RunController::rowsWritten, this, [this](qint64 run) { grow(run); });
  connect(&controller_, &RunController::artifactStored, this,
          [this](qint64 run, const QString& kind) { Q_EMIT artifactsChanged(run, kind); });
}

RunData::~RunData() = default;

void RunData::changeSource() {
  if (document_.folder().toStdString() == source_->folder) return;  // the file was read again
  source_ = std::make_shared<Source>();
  source_->folder = document_.folder().toStdString();
  runs_->update({});
  unwritten_.clear();
  withoutCheckpoint_.clear();
  problem_.clear();
  grown_.clear();
  follow_.setInterval(kFollowMs);
  if (!std::exchange(failing_, {}).empty()) Q_EMIT recovered();
  Q_EMIT sourceChanged();
  Q_EMIT artifactsChanged(0, {});
  if (document_.isOpen()) {
    follow_.start();
    refreshRuns();
  } else {
    follow_.stop();
    Q_EMIT runsChanged();
  }
}

void RunData::refreshRuns() {
  if (refreshing_) {
    refreshAgain_ = true;
    return;
  }
  refreshing_ = true;
  refreshAgain_ = false;
  query(
      this, &RunData::listRuns,
      [this, source = source_](Listing listing) {
        refreshing_ = false;
        // What is asked for again is old: a run may have ended since.
        if (source == source_ && !refreshAgain_) takeRuns(std::move(listing));
        if (refreshAgain_ || source != source_) refreshRuns();
      },
      [this, source = source_](const QString& text) {
        refreshing_ = false;
        if (source != source_) {
          refreshRuns();
          return;
        }
        follow_.setInterval(std::min(2 * follow_.interval(), kFollowLateMs));
        if (std::exchange(problem_, text) != text) Q_EMIT runsChanged();
      });
}

RunData::Listing RunData::listRuns(Store& store) {
  Listing listing{store.runs().list(), {}};
  try {
    const std::vector<RunId> saved = store.checkpoints().runs();
    for (const RunInfo& run : listing.runs)
      if (!std::binary_search(saved.begin(), saved.end(), run.id))
        listing.withoutCheckpoint.insert(run.id);
  } catch (const Error&) {
    listing.withoutCheckpoint.clear();  // not known; a resume says what is wrong with them
  }
  return listing;
}

/// What this window knows of the end of its run counts at once, written or not.
void RunData::noteEnd(const RunOutcome& outcome) {
  ended_[{source_->folder, outcome.run}] = outcome;
  const RunInfo* known = runs_->find(outcome.run);
  if (!known || !known->alive()) return;
  std::vector<RunInfo> runs = runs_->runs();
  for (RunInfo& run : runs) {
    if (run.id != outcome.run) continue;
    run.status = outcome.status;
    run.failure = outcome.failure.toStdString();
  }
  runs_->update(std::move(runs));
  Q_EMIT runsChanged();
}

/// A run of this process whose worker has ended does not run, whatever could be written of it.
void RunData::settleUnwritten(std::vector<RunInfo>& runs) {
  unwritten_.clear();
  for (RunInfo& run : runs) {
    if (!run.alive() || run.pid != QCoreApplication::applicationPid()) continue;
    const auto end = ended_.find({source_->folder, run.id});
    if (end == ended_.end()) continue;
    const RunOutcome& outcome = end->second;
    run.status = outcome.status == RunStatus::Failed ? RunStatus::Failed : RunStatus::Interrupted;
    run.failure = outcome.failure.isEmpty()
                      ? tr("The end of this run could not be written.").toStdString()
                      : outcome.failure.toStdString();
    run.endedUs = run.heartbeatUs;
    unwritten_.push_back(run);
  }
}

QString RunData::whyNotResumable(qint64 run) const {
  const RunInfo* info = runs_->find(run);
  if (!info) return tr("No run is selected");
  if (controller_.isLive()) return tr("A run trains in this window already");
  if (info->alive()) return tr("This run is still training");
  if (!isResumable(*info)) return tr("This run came to its end");
  return withoutCheckpoint_.contains(run) ? tr("This run has no checkpoint yet") : QString();
}

/// A run that ended and goes on again, or stands further back, was resumed.
void RunData::takeRuns(Listing listing) {
  readAgain();
  problem_.clear();
  std::vector<RunInfo>& runs = listing.runs;
  settleUnwritten(runs);
  withoutCheckpoint_ = std::move(listing.withoutCheckpoint);
  QList<qint64> resumed;
  for (const RunInfo& run : runs) {
    const RunInfo* before = runs_->find(run.id);
    if (before && ((run.alive() && !before->alive()) || run.step < before->step))
      resumed.append(run.id);
  }
  runs_->update(std::move(runs));
  Q_EMIT runsChanged();
  for (const qint64 run : resumed) {
    Q_EMIT artifactsChanged(run, {});
    grow(run);
  }
}

void RunData::retry() {
  refreshRuns();
  Q_EMIT retried();
}

/// Runs of other processes (a second window, the command line) announce nothing: look.
void RunData::followOthers() {
  refreshRuns();
  for (const RunInfo& run : runs_->runs())
    if (run.alive() && !(controller_.isLive() && controller_.run() == run.id)) grow(run.id);
}

void RunData::grow(qint64 run) {
  if (!grown_.contains(run)) grown_.append(run);
  if (!announce_.isActive()) announce_.start();
}

void RunData::announceRows() {
  const QList<qint64> grown = std::exchange(grown_, {});
  for (const qint64 run : grown) {
    Q_EMIT rowsAvailable(run);
    Q_EMIT eventsAvailable(run);
  }
}

double RunData::stepsPerEpoch(qint64 run) const {
  const TrainProgress& progress = controller_.progress();
  if (progress.run != run || progress.epochs <= 0) return 0;
  return static_cast<double>(progress.totalSteps) / static_cast<double>(progress.epochs);
}

/// The store is back as a whole: questions that nobody asks again are settled, too.
void RunData::readAgain() {
  if (follow_.interval() == kFollowMs) return;
  follow_.setInterval(kFollowMs);
  if (!std::exchange(failing_, {}).empty()) Q_EMIT recovered();
}

void RunData::noteAnswer(const Question& question) {
  if (failing_.erase(question) > 0 && failing_.empty()) Q_EMIT recovered();
}

void RunData::noteFailure(const Question& question, const QString& text) {
  if (std::exchange(failing_[question], text) != text) logWarning("session", text.toStdString());
  Q_EMIT failed(text);
}

void RunData::renameRun(qint64 run, const QString& name) {
  change([run, name](Store& store) { store.runs().rename(run, name.toStdString()); });
}

void RunData::removeRuns(const QList<qint64>& runs) {
  change([runs](Store& store) {
    for (const qint64 run : runs) store.removeRun(run);
  });
}

void RunData::change(std::function<void(Store&)> work) {
  const Question question = typeid(RunData);  // no query() is of this kind
  reader_.run(
      this,
      [folder = source_->folder, unwritten = unwritten_, work = std::move(work)] {
        const std::shared_ptr<Store> store = Store::open(folder, OpenMode::ReadWrite);
        for (const RunInfo& run : unwritten)
          if (const auto now = store->runs().find(run.id); now && now->alive())
            store->runs().setStatus(run.id, run.status,
                                    run.status == RunStatus::Failed ? run.failure : "");
        work(*store);
        return true;
      },
      [this, question](bool) {
        noteAnswer(question);
        refreshRuns();
        Q_EMIT artifactsChanged(0, {});
      },
      [this, question](const QString& text) {
        noteFailure(question, text);
        refreshRuns();
      });
}

}  // namespace tenon::ui
