// SPDX-License-Identifier: GPL-3.0-or-later
// A tiny training driven through the session: start, pause, step, record, stop, resume, refusals,
// and its numbers through RunData and CurveFeed.
#include "ui/session/run_controller.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "engine/base/file_faults.h"
#include "engine/project/project_file.h"
#include "engine/store/project_lock.h"
#include "tests/support/idx_files.h"
#include "ui/session/background.h"
#include "ui/session/curve_feed.h"
#include "ui/session/document.h"
#include "ui/session/document_edits.h"
#include "ui/session/engine_requests.h"
#include "ui/session/live_check.h"
#include "ui/session/recorded_step.h"
#include "ui/session/run_data.h"
#include "ui/session/run_mailbox.h"

namespace tenon::ui {

constexpr int kLong = 30000;

/// The kinds of the artifacts a recording was stored as. Predictions of an epoch that ends
/// meanwhile are told by the same signal: how many depends on how fast the machine trains.
QStringList recordedKinds(const QSignalSpy& stored) {
  QStringList kinds;
  for (const QList<QVariant>& artifact : stored)
    if (artifact.at(1) != QLatin1String("predictions")) kinds << artifact.at(1).toString();
  return kinds;
}

class RunControllerTest final : public QObject {
  Q_OBJECT

 private:
  struct Fixture {
    testing::TemporaryFolder folder;
    Background background{2, "test"};
    Document document{background};
    LiveCheck check{document, background};
    RunController run{document, check};
    EngineRequests requests{run};
    RunData runs{document, run};
    Selection selection;
  };
  std::unique_ptr<Fixture> f_;

  bool open(const std::string& extra) {
    setenv("TENON_CACHE", f_->folder.path("cache").c_str(), 1);
    testing::writeToyProject(f_->folder.path(), extra);
    QSignalSpy opened(&f_->document, &Document::opened);
    f_->document.open(QString::fromStdString(f_->folder.path()));
    return opened.wait(kLong);
  }
  bool waitFor(RunState state) {
    return QTest::qWaitFor([&] { return f_->run.state() == state; }, kLong);
  }
  qint64 startAndFinish() {
    QSignalSpy ended(&f_->run, &RunController::ended);
    f_->run.start();
    if (!ended.wait(kLong)) return 0;
    return ended.last().at(0).value<RunOutcome>().run;
  }

 private Q_SLOTS:
  void init() { f_ = std::make_unique<Fixture>(); }
  void cleanup() { f_.reset(); }

  void trainsToTheEnd() {
    QVERIFY(open("\"epochs\": 2, "));
    QSignalSpy started(&f_->run, &RunController::started);
    QSignalSpy epochs(&f_->run, &RunController::epochEnded);
    QSignalSpy states(&f_->run, &RunController::stateChanged);
    const qint64 run = startAndFinish();
    QVERIFY(run > 0);
    QCOMPARE(started.count(), 1);
    QCOMPARE(started.first().at(0).toLongLong(), run);
    QCOMPARE(epochs.count(), 2);
    QCOMPARE(states.first().at(0).value<RunState>(), RunState::Starting);
    QCOMPARE(states.last().at(0).value<RunState>(), RunState::Idle);
    QVERIFY(QTest::qWaitFor(
        [&] {
          const RunInfo* info = f_->runs.runs().find(run);
          return info && info->status == RunStatus::Finished;
        },
        kLong));
  }

  void curvesArriveInOrder() {
    QVERIFY(open("\"epochs\": 2, "));
    CurveFeed feed(f_->runs);
    QList<CurvePoint> loss;
    connect(&feed, &CurveFeed::grew, this, [&](const CurveGrowth& growth) {
      if (growth.restarted) loss.clear();
      loss += growth.points;
      QCOMPARE(growth.metric, QStringLiteral("train/loss"));
    });
    feed.setMetrics({QStringLiteral("train/loss")});
    connect(&f_->run, &RunController::started, &feed, [&](qint64 run) { feed.setRuns({run}); });
    const qint64 run = startAndFinish();
    QVERIFY(run > 0);
    const qint64 steps = f_->run.progress().totalSteps;
    QVERIFY(steps > 0);
    QVERIFY(QTest::qWaitFor([&] { return loss.size() == steps; }, kLong));
    for (qsizetype i = 0; i < loss.size(); ++i) QCOMPARE(loss[i].step, i + 1);
    QVERIFY(qAbs(loss.last().epoch - 2.0) < 1e-9);
    QVERIFY(loss.last().seconds >= loss.first().seconds);

    // Another feed gets the same rows from the store.
    CurveFeed late(f_->runs);
    QSet<QString> names;
    connect(&late, &CurveFeed::grew, this,
            [&](const CurveGrowth& growth) { names.insert(growth.metric); });
    QSignalSpy caughtUp(&late, &CurveFeed::caughtUp);
    late.setRuns({run});
    QVERIFY(caughtUp.wait(kLong));
    QVERIFY(names.contains(QStringLiteral("validation/loss")));
    QVERIFY(names.contains(QStringLiteral("memory/allocated")));
  }

  void pausesStepsAndStops() {
    QVERIFY(open("\"epochs\": 2000, "));
    f_->run.start();
    QVERIFY(waitFor(RunState::Running));
    f_->run.pause();
    QVERIFY(waitFor(RunState::Paused));
    QTest::qWait(50);
    const qint64 at = f_->run.progress().step;
    f_->run.step();
    QVERIFY(QTest::qWaitFor(
        [&] { return f_->run.progress().step == at + 1 && f_->run.state() == RunState::Paused; },
        kLong));
    QTest::qWait(100);
    QCOMPARE(f_->run.progress().step, at + 1);

    f_->run.setPeakLearningRate(0.125);
    QCOMPARE(f_->run.peakLearningRate(), 0.125);
    f_->run.resume();
    QVERIFY(waitFor(RunState::Running));
    QSignalSpy ended(&f_->run, &RunController::ended);
    f_->run.stop();
    QCOMPARE(f_->run.state(), RunState::Stopping);
    QVERIFY(ended.wait(kLong));
    const auto outcome = ended.last().at(0).value<RunOutcome>();
    QCOMPARE(outcome.status, RunStatus::Stopped);
    QVERIFY(outcome.step > at);

    // And goes on where it was.
    f_->run.resumeRun(outcome.run);
    QVERIFY(waitFor(RunState::Running));
    QVERIFY(QTest::qWaitFor([&] { return f_->run.progress().step > outcome.step; }, kLong));
    QCOMPARE(f_->run.run(), outcome.run);
    f_->run.stop();
    QVERIFY(ended.wait(kLong));
  }

  void recordsAStep() {
    QVERIFY(open("\"epochs\": 2000, "));
    QSignalSpy stored(&f_->run, &RunController::artifactStored);
    f_->run.start();
    QVERIFY(waitFor(RunState::Running));
    f_->run.recordNextStep();
    QVERIFY(QTest::qWaitFor([&] { return recordedKinds(stored).size() >= 2; }, kLong));
    QList<RecordingInfo> found;
    bool answered = false;
    f_->runs.listRecordings(this, [&](const QList<RecordingInfo>& all) {
      found = all;
      answered = true;
    });
    QVERIFY(QTest::qWaitFor([&] { return answered; }, kLong));
    QCOMPARE(found.size(), 1);
    QVERIFY(found.first().graphArtifact > 0 && found.first().memoryArtifact > 0);
    RecordedStep step(f_->runs, f_->selection, nullptr);
    f_->selection.setRecording(found.first().key);
    QVERIFY(QTest::qWaitFor([&] { return step.state() == RecordedStep::State::Ready; }, kLong));
    QVERIFY(!step.data()->graph->nodes.empty());
    QVERIFY(!step.data()->memory->blocks().empty());

    // A question to the run's memory is answered between two steps; the newest wins.
    RequestSlot slot(f_->requests);
    QList<qint64> answers;
    for (int i = 0; i < 3; ++i)
      slot.askRun([](const RunView& view) { return view.step; },
                  [&](qint64 step) { answers.append(step); });
    QVERIFY(QTest::qWaitFor([&] { return !answers.isEmpty() && !slot.isBusy(); }, kLong));
    QTest::qWait(100);
    QCOMPARE(answers.size(), 1);
    QSignalSpy ended(&f_->run, &RunController::ended);
    f_->run.stop();
    QVERIFY(ended.wait(kLong));
    QSignalSpy failed(&slot, &RequestSlot::failed);
    slot.askRun([](const RunView& view) { return view.step; }, [](qint64) {});
    QCOMPARE(failed.count(), 1);
  }

  /// Armed until the recording has come, however often it is asked for.
  void aRecordingIsDueUntilItHasCome() {
    QVERIFY(open("\"epochs\": 2000, "));
    f_->run.recordNextStep();
    QVERIFY(!f_->run.isRecordingDue());  // nothing runs
    f_->run.start();
    QVERIFY(waitFor(RunState::Running));
    f_->run.pause();
    QVERIFY(waitFor(RunState::Paused));
    QSignalSpy due(&f_->run, &RunController::recordingDueChanged);
    f_->run.recordNextStep();
    f_->run.recordNextStep();
    QVERIFY(f_->run.isRecordingDue());
    QCOMPARE(due.count(), 1);
    f_->run.step();
    QVERIFY(QTest::qWaitFor([&] { return !f_->run.isRecordingDue(); }, kLong));
    QCOMPARE(due.count(), 2);
    f_->run.recordNextStep();
    QSignalSpy ended(&f_->run, &RunController::ended);
    f_->run.stop();
    QVERIFY(ended.wait(kLong));
    QVERIFY(!f_->run.isRecordingDue());
  }

  /// As long as its step has not begun, an order to record can be taken back.
  void aRecordingCanBeTakenBack() {
    QVERIFY(open("\"epochs\": 2000, "));
    QVERIFY(!f_->run.withdrawRecording());  // nothing runs
    f_->run.start();
    QVERIFY(waitFor(RunState::Running));
    f_->run.pause();
    QVERIFY(waitFor(RunState::Paused));
    QSignalSpy withdrawn(&f_->run, &RunController::recordingWithdrawn);
    QSignalSpy stored(&f_->run, &RunController::artifactStored);
    QVERIFY(!f_->run.withdrawRecording());  // nothing was ordered
    f_->run.recordNextStep();
    QVERIFY(f_->run.withdrawRecording());
    QVERIFY(!f_->run.isRecordingDue());
    QCOMPARE(withdrawn.count(), 1);
    QVERIFY(!f_->run.withdrawRecording());
    const qint64 before = f_->run.progress().step;
    f_->run.step();
    QVERIFY(QTest::qWaitFor([&] { return f_->run.progress().step > before; }, kLong));
    f_->run.recordNextStep();  // the one after is recorded, and then it is too late
    f_->run.step();
    QVERIFY(QTest::qWaitFor([&] { return f_->run.progress().step > before + 1; }, kLong));
    QVERIFY(!f_->run.withdrawRecording());
    QVERIFY(QTest::qWaitFor([&] { return !f_->run.isRecordingDue(); }, kLong));
    QCOMPARE(withdrawn.count(), 1);
    QSignalSpy ended(&f_->run, &RunController::ended);
    f_->run.stop();
    QVERIFY(ended.wait(kLong));
    QCOMPARE(recordedKinds(stored).count(QStringLiteral("graph")), 1);
  }

  /// A run that ends while nothing can be written runs no more, whatever the store still says.
  void anEndThatCannotBeWrittenIsAnEnd() {
    QVERIFY(open("\"epochs\": 2000, "));
    f_->run.start();
    QVERIFY(waitFor(RunState::Running));
    f_->run.pause();
    QVERIFY(waitFor(RunState::Paused));
    const qint64 run = f_->run.run();
    QVERIFY(QTest::qWaitFor([&] { return f_->runs.runs().find(run) != nullptr; }, kLong));
    QVERIFY(f_->runs.whyNotResumable(run).contains(QStringLiteral("already")));
    {
      FaultPlan full(FileOperation::Write, 1, ENOSPC, true);
      const FaultScope scope(full);
      f_->run.recordNextStep();
      f_->run.step();
      QVERIFY(waitFor(RunState::Trouble));
      QSignalSpy ended(&f_->run, &RunController::ended);
      f_->run.stop();
      QVERIFY(ended.wait(kLong));
      QVERIFY(!f_->runs.runs().find(run)->alive());  // at once
      QSignalSpy changed(&f_->runs, &RunData::runsChanged);
      f_->runs.retry();
      QVERIFY(changed.wait(kLong));
      QVERIFY(!f_->runs.runs().find(run)->alive());
      QVERIFY(isResumable(*f_->runs.runs().find(run)));
    }
    // Resumable if it had done its first step before the disk was full, which is saved at once.
    QTRY_VERIFY(f_->runs.whyNotResumable(run).isEmpty() ||
                f_->runs.whyNotResumable(run).contains(QStringLiteral("no checkpoint")));
    f_->runs.renameRun(run, QStringLiteral("lost"));
    QVERIFY(QTest::qWaitFor([&] { return f_->runs.runs().find(run)->name == "lost"; }, kLong));
    QVERIFY(!Store::open(f_->folder.path(), OpenMode::ReadOnly)->runs().get(run).alive());
    f_->runs.removeRuns({run});
    QVERIFY(QTest::qWaitFor([&] { return f_->runs.runs().rowCount() == 0; }, kLong));
  }

  /// What is recorded while the disk is full comes when there is room again.
  void aFullDiskKeepsTheRecording() {
    QVERIFY(open("\"epochs\": 2000, "));
    f_->run.start();
    QVERIFY(waitFor(RunState::Running));
    f_->run.pause();
    QVERIFY(waitFor(RunState::Paused));
    QSignalSpy stored(&f_->run, &RunController::artifactStored);
    QSignalSpy lost(&f_->run, &RunController::artifactLost);
    QSignalSpy trouble(&f_->run, &RunController::troubleChanged);
    FaultPlan full(FileOperation::Write, 1, ENOSPC, true);
    const FaultScope scope(full);
    f_->run.recordNextStep();
    f_->run.step();
    QVERIFY(QTest::qWaitFor([&] { return !f_->run.trouble().isEmpty(); }, kLong));
    QVERIFY(f_->run.trouble().cause.contains(QStringLiteral("No space left on device")));
    QCOMPARE(f_->run.trouble().word, QStringLiteral("Disk full"));
    QVERIFY(f_->run.trouble().text.contains(QString::fromStdString(f_->folder.path())));
    QVERIFY(f_->run.trouble().advice.contains(QStringLiteral("Make room")));
    // Paused or not: what keeps it from going on is the disk.
    QVERIFY(waitFor(RunState::Trouble));
    QCOMPARE(recordedKinds(stored), QStringList());
    full.heal();
    f_->run.retryStore();
    QVERIFY(QTest::qWaitFor([&] { return recordedKinds(stored).size() == 2; }, kLong));
    QCOMPARE(recordedKinds(stored),
             QStringList({QStringLiteral("graph"), QStringLiteral("memory")}));
    QVERIFY(QTest::qWaitFor([&] { return f_->run.trouble().isEmpty(); }, kLong));
    QVERIFY(waitFor(RunState::Paused));
    QVERIFY(trouble.count() >= 2);
    QCOMPARE(lost.count(), 0);
  }

  /// Whatever the trainer counts: a checkpoint after the last step of an epoch is that epoch's.
  void checkpointsAreOfTheEpochOfTheirLastStep() {
    QVERIFY(open("\"epochs\": 3, "));
    const qint64 run = startAndFinish();
    QVERIFY(run > 0);
    const qint64 steps = f_->run.progress().totalSteps / 3;
    std::vector<CheckpointInfo> found;
    const auto list = [&] {
      bool answered = false;
      f_->runs.listCheckpoints(run, this, [&](const std::vector<CheckpointInfo>& all) {
        found = all;
        answered = true;
      });
      return QTest::qWaitFor([&] { return answered; }, kLong);
    };
    QVERIFY(list());
    QVERIFY(!found.empty());
    QCOMPARE(found.back().step, 3 * steps);
    for (const CheckpointInfo& each : found) QCOMPARE(each.epoch, (each.step - 1) / steps);
  }

  void checkpointsWithinAnEpochAreOfIt() {
    QVERIFY(open("\"epochs\": 2000, "));
    f_->run.start();
    QVERIFY(waitFor(RunState::Running));
    f_->run.pause();
    QVERIFY(waitFor(RunState::Paused));
    const qint64 steps = f_->run.progress().totalSteps / 2000;
    QVERIFY(steps > 1);
    QList<qint64> wanted;
    for (qint64 i = 0; i <= steps; ++i) {  // every place in an epoch
      f_->run.checkpointNow();
      const qint64 at = f_->run.progress().step;
      f_->run.step();
      QVERIFY(QTest::qWaitFor(
          [&] { return f_->run.progress().step == at + 1 && f_->run.state() == RunState::Paused; },
          kLong));
      wanted.append(at);
    }
    QSignalSpy ended(&f_->run, &RunController::ended);
    f_->run.stop();
    QVERIFY(ended.wait(kLong));
    std::vector<CheckpointInfo> found;
    bool answered = false;
    f_->runs.listCheckpoints(f_->run.run(), this, [&](const std::vector<CheckpointInfo>& all) {
      found = all;
      answered = true;
    });
    QVERIFY(QTest::qWaitFor([&] { return answered; }, kLong));
    int manual = 0;
    for (const CheckpointInfo& each : found) {
      manual += each.kind == CheckpointKind::Manual;
      QCOMPARE(each.epoch, std::max<qint64>(0, each.step - 1) / steps);
    }
    QCOMPARE(manual, static_cast<int>(wanted.size()));
  }

  /// What the trainer gives up is told on the GUI thread.
  void saysWhatIsLost() {
    RunMailbox mail;
    QSignalSpy lost(&mail, &RunMailbox::artifactLost);
    static_cast<TrainSink&>(mail).onArtifactLost(3, "graph", "too large");
    QVERIFY(lost.count() == 1 || lost.wait(kLong));
    QCOMPARE(lost.at(0).at(0).toLongLong(), 3);
    QCOMPARE(lost.at(0).at(1).toString(), QStringLiteral("graph"));
    QCOMPARE(lost.at(0).at(2).toString(), QStringLiteral("too large"));
  }

  void refusesWithReasons() {
    QSignalSpy refused(&f_->run, &RunController::refused);
    f_->run.start();
    QCOMPARE(refused.count(), 1);  // no project

    QVERIFY(open("\"epochs\": 1, "));
    edits::setTrainPartType(f_->document, edits::TrainPart::Loss, QStringLiteral("nonsense"));
    f_->run.start();  // waits for the check of what is there now
    QCOMPARE(f_->run.state(), RunState::Starting);
    QVERIFY(refused.wait(kLong));
    const auto reasons = refused.last().at(0).value<Issues>();
    QVERIFY(!reasons.empty());
    QVERIFY(reasons.front().place.field.starts_with("train.loss"));
    QCOMPARE(f_->run.state(), RunState::Idle);
    f_->document.undo();

    // Somebody else trains here.
    const ProjectLock lock(f_->folder.path());
    f_->run.start();
    QVERIFY(refused.wait(kLong));
    QCOMPARE(refused.last().at(0).value<Issues>().front().code, std::string("run.failed"));
    QCOMPARE(f_->run.state(), RunState::Idle);
  }

  void refusesWhileAProjectIsOpened() {
    QVERIFY(open("\"epochs\": 1, "));
    testing::TemporaryFolder other;
    testing::writeToyProject(other.path());
    QSignalSpy refused(&f_->run, &RunController::refused);
    QSignalSpy opened(&f_->document, &Document::opened);
    f_->document.open(QString::fromStdString(other.path()));
    f_->run.start();  // of which of the two?
    QCOMPARE(refused.count(), 1);
    QCOMPARE(refused.last().at(0).value<Issues>().front().code, std::string("run.opening"));
    QCOMPARE(f_->run.state(), RunState::Idle);
    QVERIFY(opened.wait(kLong));
    QVERIFY(!f_->document.isOpening());

    QSignalSpy failed(&f_->document, &Document::openFailed);
    f_->document.open(QStringLiteral("/nowhere"));
    QVERIFY(f_->document.isOpening());
    QVERIFY(failed.wait(kLong));
    QVERIFY(!f_->document.isOpening());
    f_->run.start();
    QCOMPARE(f_->run.state(), RunState::Starting);
    QCOMPARE(refused.count(), 1);
    f_->run.stop();
    QVERIFY(waitFor(RunState::Idle));
  }

  void listsAndChangesRuns() {
    QVERIFY(open("\"epochs\": 1, "));
    const qint64 run = startAndFinish();
    QVERIFY(run > 0);
    QVERIFY(QTest::qWaitFor([&] { return f_->runs.runs().find(run) != nullptr; }, kLong));
    f_->runs.renameRun(run, QStringLiteral("first"));
    QVERIFY(QTest::qWaitFor([&] { return f_->runs.runs().find(run)->name == "first"; }, kLong));
    f_->runs.removeRuns({run});
    QVERIFY(QTest::qWaitFor([&] { return f_->runs.runs().rowCount() == 0; }, kLong));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::RunControllerTest)
#include "run_controller_test.moc"
