// SPDX-License-Identifier: GPL-3.0-or-later
// RunData: the one road for numbers. Runs, curves, events and recordings of the project's store,
// live or old, read on a worker thread.
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <typeindex>
#include <utility>

#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"
#include "ui/session/background.h"
#include "ui/session/recordings.h"
#include "ui/session/run_controller.h"
#include "ui/session/runs_model.h"
#include "ui/session/selection.h"

namespace tenon::ui {

class Document;

/// What is new in the log of a run.
struct EventGrowth {
  bool restarted = false;     ///< these are all: a resume took events back, forget what was known
  std::vector<Event> events;  ///< oldest first
};

/**
 * Follows the store of the open project. Everything that reads goes through query(): the work runs
 * on the reader's thread with the store opened read-only, the answer comes back on the GUI thread.
 * A project without runs has no store; queries then answer with their default value.
 * Curves: curve_feed.h.
 */
class RunData final : public QObject {
  Q_OBJECT
 public:
  RunData(Document& document, RunController& controller, QObject* parent = nullptr);
  ~RunData() override;

  /// All runs, newest first; kept up to date.
  [[nodiscard]] RunsModel& runs() { return *runs_; }

  /// Why the runs cannot be listed; empty while they can. runsChanged() tells of every change.
  [[nodiscard]] const QString& problem() const { return problem_; }
  /// Why a run cannot go on from a checkpoint, for a person; empty if it can.
  [[nodiscard]] QString whyNotResumable(qint64 run) const;

  /// A person does not want to wait: what could not be read is asked for again, everywhere.
  void retry();

  /// `work(Store&)` on the reader's thread, then `then(result)` here if `receiver` still lives.
  /// Where the store cannot be read `failed(text)` instead, after the signal of that name: who
  /// waits for an answer is told that none comes.
  template <class Work, class Then, class Failed>
  void query(QObject* receiver, Work work, Then then, Failed failed) {
    using Result = std::invoke_result_t<Work&, Store&>;
    const Question question = typeid(Work);
    reader_.run(
        receiver,
        [source = source_, work = std::move(work)]() mutable {
          const std::shared_ptr<Store> store = openSource(*source);
          return store ? work(*store) : Result();
        },
        [this, question, source = source_, then = std::move(then)](Result result) mutable {
          if (source == source_) noteAnswer(question);
          then(std::move(result));
        },
        [this, question, source = source_,
         failed = std::move(failed)](const QString& text) mutable {
          if (source == source_) noteFailure(question, text);
          failed(text);
        });
  }
  template <class Work, class Then>
  void query(QObject* receiver, Work work, Then then) {
    query(receiver, std::move(work), std::move(then), [](const QString&) {});
  }

  /// Steps of an epoch if this window trains the run, else 0.
  [[nodiscard]] double stepsPerEpoch(qint64 run) const;

  /// Who was asked and gets no answer is told why, as query() says.
  using Failed = std::function<void(const QString&)>;

  /// Events of a run above an id; all of them where the run was resumed since, which takes those
  /// back that it does again.
  void readEvents(qint64 run, qint64 afterId, QObject* receiver,
                  std::function<void(const EventGrowth&)> then, Failed failed = {});
  /// Artifacts of a run, oldest first; `kind` empty: all.
  void listArtifacts(qint64 run, const QString& kind, QObject* receiver,
                     std::function<void(const std::vector<ArtifactInfo>&)> then,
                     Failed failed = {});
  /// Recorded steps of all runs, newest first.
  void listRecordings(QObject* receiver, std::function<void(const QList<RecordingInfo>&)> then,
                      Failed failed = {});
  /// Whole checkpoints of a run, oldest first; `epoch` is the one that the last step belongs to.
  void listCheckpoints(qint64 run, QObject* receiver,
                       std::function<void(const std::vector<CheckpointInfo>&)> then,
                       Failed failed = {});

  /// Changes of ended runs; they end in runsChanged() or failed().
  void renameRun(qint64 run, const QString& name);
  void removeRuns(const QList<qint64>& runs);

 Q_SIGNALS:
  /// The list of runs or the status of one changed.
  void runsChanged();
  /// New rows of a run may be read; coalesced, at most ten times a second.
  void rowsAvailable(qint64 run);
  void eventsAvailable(qint64 run);
  /// A recording or predictions were stored, or taken back by a resume (kind empty: any), or all
  /// artifacts of the project are others (run 0).
  void artifactsChanged(qint64 run, const QString& kind);
  /// Another project's store: forget everything.
  void sourceChanged();
  /// retry() was asked for: read again what could not be read.
  void retried();
  /// The store could not be read or changed. Comes as often as it is tried.
  void failed(const QString& text);
  /// Everything that failed has been answered since.
  void recovered();

 private:
  friend class CurveFeed;
  using Question = std::type_index;  ///< questions of one kind fail and recover together
  struct Source;
  static std::shared_ptr<Store> openSource(Source& source);
  void changeSource();
  void refreshRuns();
  struct Listing;
  static Listing listRuns(Store& store);
  void takeRuns(Listing listing);
  void noteEnd(const RunOutcome& outcome);
  void settleUnwritten(std::vector<RunInfo>& runs);
  void followOthers();
  void grow(qint64 run);
  void announceRows();
  void change(std::function<void(Store&)> work);
  void readAgain();
  void noteAnswer(const Question& question);
  void noteFailure(const Question& question, const QString& text);

  Document& document_;
  RunController& controller_;
  std::shared_ptr<Source> source_;
  std::unique_ptr<RunsModel> runs_;
  QTimer follow_;  ///< looks for runs of other processes
  QTimer announce_;
  QList<qint64> grown_;
  std::map<Question, QString> failing_;  ///< with what was said last
  QString problem_;
  QSet<qint64> withoutCheckpoint_;                              ///< runs with nothing to go on from
  std::map<std::pair<std::string, qint64>, RunOutcome> ended_;  ///< by folder and run, of here
  std::vector<RunInfo> unwritten_;  ///< ended here, but the store says that they run
  bool refreshing_ = false;
  bool refreshAgain_ = false;
  Background reader_;
};

}  // namespace tenon::ui
