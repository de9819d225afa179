// SPDX-License-Identifier: GPL-3.0-or-later
// RunController: the training of this window. One worker thread runs the Trainer; orders go in
// between steps, states come out coalesced.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>

#include "engine/base/error.h"
#include "engine/train/train_sink.h"
#include "ui/session/run_trouble.h"

namespace tenon {
struct GraphSpec;
struct RunView;
struct TrainSpec;
}  // namespace tenon

namespace tenon::ui {

class Document;
class LiveCheck;

/// What the controller does at the moment.
enum class RunState {
  Idle,
  Starting,   ///< checking, opening the store
  Preparing,  ///< data and model are being built
  Running,
  Paused,
  Validating,
  Saving,
  Trouble,   ///< the store cannot be written; the training waits, paused or not (see trouble())
  Stopping,  ///< a stop was asked for; the current step and a checkpoint are still to be done
};

/// Number, from 1, of the epoch that the newest step belongs to: after the last step of epoch 3 it
/// is the end of epoch 3, whatever comes next. 0: not known yet.
[[nodiscard]] qint64 epochOf(const TrainProgress& progress);

/// Seconds that a run will still take; NaN if that is not known or it does not move.
[[nodiscard]] double timeLeft(RunState state, const TrainProgress& progress);

/// Peak learning rate that a run of these settings begins with; 0 if its optimizer has none.
[[nodiscard]] double configuredPeakRate(const TrainSpec& train);

/// How a run ended.
struct RunOutcome {
  qint64 run = 0;  ///< 0: it never began
  RunStatus status = RunStatus::Finished;
  qint64 step = 0;
  QString failure;  ///< why it failed, for a person; empty otherwise
};

/**
 * Starts and steers one training at a time. Numbers do not come from here but from RunData; this
 * is for the state and the orders. All functions are for the GUI thread unless they say otherwise;
 * none blocks.
 */
class RunController final : public QObject {
  Q_OBJECT
 public:
  RunController(Document& document, LiveCheck& check, QObject* parent = nullptr);
  /// Stops a live run and waits for its last checkpoint.
  ~RunController() override;

  [[nodiscard]] RunState state() const { return state_; }
  [[nodiscard]] bool isLive() const { return state_ != RunState::Idle; }
  /// A live run that has no id yet: it is being checked, its data and model are being built. Then
  /// run() is still the one before, and a new one cannot be started.
  [[nodiscard]] bool awaitsRun() const { return isLive() && !announced_; }
  /// The live run, else the last one of this window; 0 if there was none.
  [[nodiscard]] qint64 run() const { return run_; }
  /// The layers of the live run, as it trains them whatever was edited since; null if none is live.
  [[nodiscard]] const std::shared_ptr<const GraphSpec>& graph() const { return graph_; }
  /// True while it computes: neither waiting nor being prepared.
  [[nodiscard]] bool isComputing() const {
    return isLive() && !awaitsRun() && state_ != RunState::Paused && state_ != RunState::Trouble;
  }
  /// The newest state that is known; of the last run when idle.
  [[nodiscard]] const TrainProgress& progress() const { return progress_; }
  /// Why the store cannot be written; empty if it can.
  [[nodiscard]] const RunTrouble& trouble() const { return trouble_; }
  /// recordNextStep() was asked for and the recording has not come yet.
  [[nodiscard]] bool isRecordingDue() const { return recordingDue_; }
  /// The order can be taken back as far as is known: false once the engine has refused that.
  [[nodiscard]] bool canWithdrawRecording() const { return canWithdraw_; }
  /// Peak learning rate in force (the schedule's factor applies to it).
  [[nodiscard]] double peakLearningRate() const { return peakRate_; }

  /// Trains the document as it stands (saved or not). Ends in started() or refused().
  void start();
  /// Goes on with a stopped, interrupted or failed run from its newest whole checkpoint.
  void resumeRun(qint64 run);

  void pause();
  /// Goes on after pause().
  void resume();
  /// One step, then pause; pauses a running training first.
  void step();
  void stop();
  /// Asks once, however often it is called, until the recording has come.
  void recordNextStep();
  /// Takes the order back. False if there is none, or its step is being recorded already.
  bool withdrawRecording();
  void checkpointNow();
  void setPeakLearningRate(double rate);
  /// The disk has room again: try at once.
  void retryStore();
  /// Runs `request` on the run's thread between two steps. False if no run is live. Use
  /// EngineRequests instead, which keeps generations.
  bool post(std::function<void(const RunView&)> request);

 Q_SIGNALS:
  void stateChanged(tenon::ui::RunState state);
  /// At most ten times a second.
  void progressChanged(const tenon::TrainProgress& progress);
  void epochEnded(const tenon::EpochSummary& epoch);
  /// Rows of the run are in the store up to this count; coalesced. RunData listens.
  void rowsWritten(qint64 run, qint64 rows);
  /// kind: "graph", "memory", "predictions".
  void artifactStored(qint64 run, const QString& kind, qint64 artifact);
  /// It could not be stored and is given up; nothing more of it will come.
  void artifactLost(qint64 run, const QString& kind, const QString& reason);
  void started(qint64 run);
  void ended(const tenon::ui::RunOutcome& outcome);
  /// A start was refused; the reasons.
  void refused(const tenon::Issues& reasons);
  /// Empty: over.
  void troubleChanged(const tenon::ui::RunTrouble& trouble);
  void peakLearningRateChanged(double rate);
  void recordingDueChanged(bool due);
  void canWithdrawRecordingChanged(bool can);
  /// The order to record was taken back before its step began.
  void recordingWithdrawn();

 private:
  class Worker;
  void request(qint64 resume);
  void begin(qint64 resume);
  void setState(RunState state);
  void showPeakRate(double rate);
  void setRecordingDue(bool due);
  void setCanWithdraw(bool can);
  void takeProgress(const TrainProgress& progress);
  void takeTrouble(const StoreTrouble& what);
  void followTrainer();
  void finish(RunOutcome outcome, const Issues& reasons);

  Document& document_;
  LiveCheck& check_;
  std::unique_ptr<Worker> worker_;
  RunState state_ = RunState::Idle;
  std::optional<qint64> wanted_;  ///< run to resume (0: a new one) once the check is done
  bool announced_ = false;        ///< started() was said of the live run
  qint64 run_ = 0;
  std::shared_ptr<const GraphSpec> graph_;
  TrainProgress progress_;
  RunTrouble trouble_;
  int troubled_ = 0;  ///< writers of the store that cannot write
  double peakRate_ = 0;
  bool recordingDue_ = false;
  bool canWithdraw_ = false;
};

}  // namespace tenon::ui

Q_DECLARE_METATYPE(tenon::TrainProgress)
Q_DECLARE_METATYPE(tenon::EpochSummary)
