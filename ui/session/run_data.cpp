// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the store on a thread of its own and announces what is new in it.
#include "ui/session/run_data.h"

#include <QFileInfo>
#include <algorithm>
#include <mutex>

#include "engine/base/log.h"
#include "ui/session/document.h"
#include "ui/session/run_controller.h"

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
  connect(&controller_, &RunController::started, this, &RunData::refreshRuns);
  connect(&controller_, &RunController::epochEnded, this, &RunData::refreshRuns);
  connect(&controller_, &RunController::ended, this, [this](const RunOutcome& outcome) {
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
      this, [](Store& store) { return store.runs().list(); },
      [this, source = source_](std::vector<RunInfo> runs) {
        refreshing_ = false;
        if (source == source_) {
          readAgain();
          runs_->update(std::move(runs));
          Q_EMIT runsChanged();
        }
        if (refreshAgain_ || source != source_) refreshRuns();
      },
      [this, source = source_](const QString&) {
        refreshing_ = false;
        if (source != source_) {
          refreshRuns();
        } else {
          follow_.setInterval(std::min(2 * follow_.interval(), kFollowLateMs));
        }
      });
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
      [folder = source_->folder, work = std::move(work)] {
        const std::shared_ptr<Store> store = Store::open(folder, OpenMode::ReadWrite);
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
