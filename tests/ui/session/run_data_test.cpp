// SPDX-License-Identifier: GPL-3.0-or-later
// A store that cannot be read: who asked is told, tries again, and gets the numbers when it is
// whole again.
#include "ui/session/run_data.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <cstdlib>

#include "engine/store/database.h"
#include "engine/store/rewind.h"
#include "engine/store/run_writer.h"
#include "engine/store/store.h"
#include "tests/support/idx_files.h"
#include "ui/session/background.h"
#include "ui/session/curve_feed.h"
#include "ui/session/document.h"
#include "ui/session/live_check.h"
#include "ui/session/recorded_step.h"
#include "ui/session/run_controller.h"

namespace tenon::ui {

constexpr int kLong = 30000;

class RunDataTest final : public QObject {
  Q_OBJECT

 private:
  struct Fixture {
    testing::TemporaryFolder folder;
    Background background{2, "test"};
    Document document{background};
    LiveCheck check{document, background};
    RunController run{document, check};
    RunData runs{document, run};
    Selection selection;
  };
  std::unique_ptr<Fixture> f_;

  QString storeFile() const {
    return QString::fromStdString(f_->folder.path()) + QStringLiteral("/tenon.sqlite");
  }
  bool openDamaged() {
    setenv("TENON_CACHE", f_->folder.path("cache").c_str(), 1);
    testing::writeToyProject(f_->folder.path());
    testing::writeBytes(storeFile().toStdString(), std::string(8192, 'x'));
    QSignalSpy opened(&f_->document, &Document::opened);
    f_->document.open(QString::fromStdString(f_->folder.path()));
    return opened.wait(kLong);
  }
  void mend() {
    QVERIFY(QFile::remove(storeFile()));
    (void)Store::open(f_->folder.path(), OpenMode::ReadWrite);
  }

 private Q_SLOTS:
  void init() { f_ = std::make_unique<Fixture>(); }
  void cleanup() { f_.reset(); }

  void tellsWhoAsked() {
    QVERIFY(openDamaged());
    QSignalSpy failed(&f_->runs, &RunData::failed);
    QSignalSpy recovered(&f_->runs, &RunData::recovered);
    QStringList reasons;
    int answers = 0;
    const auto ask = [&] {
      f_->runs.query(
          this, [](Store& store) { return store.runs().list().size(); },
          [&](size_t count) { answers += count == 0; },
          [&](const QString& text) { reasons.append(text); });
    };
    ask();
    QVERIFY(QTest::qWaitFor([&] { return reasons.size() == 1; }, kLong));
    QVERIFY(reasons.first().contains(QStringLiteral("tenon.sqlite")));
    QVERIFY(failed.count() >= 1);
    QCOMPARE(answers, 0);
    mend();
    ask();
    QVERIFY(QTest::qWaitFor([&] { return answers == 1; }, kLong));
    QVERIFY(QTest::qWaitFor([&] { return recovered.count() == 1; }, kLong));
    QCOMPARE(reasons.size(), 1);
  }

  /// A list that cannot be read is not an empty one.
  void listsTellThatTheyFailed() {
    QVERIFY(openDamaged());
    QStringList failed;
    int answers = 0;
    const auto note = [&failed](const QString& what) {
      return [&failed, what](const QString& reason) {
        if (reason.contains(QStringLiteral("tenon.sqlite"))) failed.append(what);
      };
    };
    const auto ask = [&] {
      RunData& runs = f_->runs;
      runs.readEvents(
          1, 0, this, [&](const EventGrowth&) { ++answers; }, note(QStringLiteral("events")));
      runs.listArtifacts(
          1, QStringLiteral("predictions"), this,
          [&](const std::vector<ArtifactInfo>&) { ++answers; }, note(QStringLiteral("artifacts")));
      runs.listRecordings(
          this, [&](const QList<RecordingInfo>&) { ++answers; },
          note(QStringLiteral("recordings")));
      runs.listCheckpoints(
          1, this, [&](const std::vector<CheckpointInfo>&) { ++answers; },
          note(QStringLiteral("checkpoints")));
    };
    ask();
    QVERIFY(QTest::qWaitFor([&] { return failed.size() == 4; }, kLong));
    QCOMPARE(failed.join(u' '), QStringLiteral("events artifacts recordings checkpoints"));
    QCOMPARE(answers, 0);
    mend();
    ask();
    QVERIFY(QTest::qWaitFor([&] { return answers == 4; }, kLong));
    QCOMPARE(failed.size(), 4);
  }

  /// On the axis of time a curve goes on where it stopped, however late the run was resumed.
  void curvesLeaveIdleTimeOut() {
    testing::writeToyProject(f_->folder.path());
    const std::shared_ptr<Store> store = Store::open(f_->folder.path(), OpenMode::ReadWrite);
    const RunId run = store->runs().create({});
    {
      RunWriter writer(store, run);
      writer.log(writer.metric("train/loss"), 1, 0, 0.5);
      writer.status(RunStatus::Finished);
      writer.close();
    }
    DatabaseOptions options;
    options.path = storeFile().toStdString();
    Database(options).execute(
        "UPDATE runs SET started_us=ended_us-3610000000;"
        "DELETE FROM run_spans;"
        "INSERT INTO run_spans SELECT id, started_us, started_us+10000000 FROM runs;"
        "INSERT INTO run_spans SELECT id, ended_us-5000000, 0 FROM runs;");
    QSignalSpy opened(&f_->document, &Document::opened);
    f_->document.open(QString::fromStdString(f_->folder.path()));
    QVERIFY(opened.wait(kLong));
    CurveFeed feed(f_->runs);
    QList<double> seconds;
    connect(&feed, &CurveFeed::grew, this, [&](const CurveGrowth& growth) {
      for (const CurvePoint& point : growth.points) seconds.append(point.seconds);
    });
    feed.setRuns({run});
    QVERIFY(QTest::qWaitFor([&] { return !seconds.isEmpty(); }, kLong));
    QCOMPARE(seconds.size(), 1);
    QVERIFY2(seconds[0] > 14 && seconds[0] < 15.1, qPrintable(QString::number(seconds[0])));
    QVERIFY(QTest::qWaitFor([&] { return f_->runs.runs().find(run) != nullptr; }, kLong));
    QCOMPARE(f_->runs.runs().find(run)->trainedUs, 15'000'000);
  }

  /// What follows the store asks again by itself, later and later, or when a person presses.
  void triesAgainWhenAPersonPresses() {
    QVERIFY(openDamaged());
    QSignalSpy changed(&f_->runs, &RunData::runsChanged);
    QVERIFY(QTest::qWaitFor([&] { return !f_->runs.problem().isEmpty(); }, kLong));
    QVERIFY(f_->runs.problem().contains(QStringLiteral("tenon.sqlite")));
    QVERIFY(changed.count() >= 1);
    CurveFeed feed(f_->runs);
    QSignalSpy failed(&feed, &CurveFeed::failed);
    QSignalSpy caughtUp(&feed, &CurveFeed::caughtUp);
    feed.setRuns({1});
    RecordedStep step(f_->runs, f_->selection, nullptr);
    f_->selection.setRecording({1, 5});
    QVERIFY(QTest::qWaitFor(
        [&] { return failed.count() >= 5 && step.state() == RecordedStep::State::Failed; }, kLong));
    QCOMPARE(failed.last().at(0).toLongLong(), 1);
    QVERIFY(failed.last().at(1).toString().contains(QStringLiteral("tenon.sqlite")));
    mend();  // the next tries of their own are seconds away
    f_->runs.retry();
    QVERIFY(QTest::qWaitFor(
        [&] {
          return f_->runs.problem().isEmpty() && caughtUp.count() > 0 &&
                 step.state() == RecordedStep::State::Absent;
        },
        4000));
  }

  /// A resume takes back events that it does again: who knows them is given the whole log anew.
  void aResumeStartsTheLogOver() {
    const auto store = Store::open(f_->folder.path());
    const RunId run = store->runs().create({});
    const auto add = [&](int64_t step, const char* code) {
      return store->events().add({0, run, 0, step, EventLevel::Info, code, "text"});
    };
    add(1, "train.started");
    add(10, "x");
    const qint64 last = add(20, "y");
    setenv("TENON_CACHE", f_->folder.path("cache").c_str(), 1);
    testing::writeToyProject(f_->folder.path());
    QSignalSpy opened(&f_->document, &Document::opened);
    f_->document.open(QString::fromStdString(f_->folder.path()));
    QVERIFY(opened.wait(kLong));
    EventGrowth found;
    const auto read = [&](qint64 after) {
      bool answered = false;
      f_->runs.readEvents(run, after, this, [&](const EventGrowth& growth) {
        found = growth;
        answered = true;
      });
      return QTest::qWaitFor([&] { return answered; }, kLong);
    };
    QVERIFY(read(0));
    QVERIFY(!found.restarted);
    QCOMPARE(found.events.size(), size_t{3});
    QVERIFY(read(last));
    QVERIFY(!found.restarted && found.events.empty());
    Rewind back;
    back.lastStep = back.lastEpochEnd = 15;
    rewindRun(*store, run, back);
    add(15, "train.resumed");
    QVERIFY(read(last));
    QVERIFY(found.restarted);
    QCOMPARE(found.events.size(), size_t{3});
    QCOMPARE(found.events[1].step, 10);
    QCOMPARE(found.events[2].code, std::string("train.resumed"));
    // Said once: what comes later comes at the end.
    const qint64 now = found.events.back().id;
    add(16, "z");
    QVERIFY(read(now));
    QVERIFY(!found.restarted);
    QCOMPARE(found.events.size(), size_t{1});
  }

  void looksLessOftenWhileItFails() {
    QVERIFY(openDamaged());
    QSignalSpy failed(&f_->runs, &RunData::failed);
    QTest::qWait(7000);  // at once, after 4 s, 8 s later
    QVERIFY(failed.count() <= 2);
  }

  void curvesGoOnWhenTheStoreIsBack() {
    QVERIFY(openDamaged());
    QSignalSpy failed(&f_->runs, &RunData::failed);
    CurveFeed feed(f_->runs);
    QSignalSpy caughtUp(&feed, &CurveFeed::caughtUp);
    feed.setRuns({1});
    QVERIFY(QTest::qWaitFor([&] { return failed.count() >= 2; }, kLong));  // the list and the feed
    QCOMPARE(caughtUp.count(), 0);
    mend();
    QVERIFY(caughtUp.wait(kLong));
  }

  void aStepSaysWhyItCannotBeRead() {
    QVERIFY(openDamaged());
    RecordedStep step(f_->runs, f_->selection, nullptr);
    f_->selection.setRecording({1, 5});
    QCOMPARE(step.state(), RecordedStep::State::Loading);
    QVERIFY(QTest::qWaitFor([&] { return step.state() == RecordedStep::State::Failed; }, kLong));
    QVERIFY(step.data()->graphProblem.contains(QStringLiteral("tenon.sqlite")));
    QCOMPARE(step.data()->memoryProblem, step.data()->graphProblem);
    mend();
    QVERIFY(QTest::qWaitFor([&] { return step.state() == RecordedStep::State::Absent; }, kLong));
    QVERIFY(step.data()->graphProblem.isEmpty());
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::RunDataTest)
#include "run_data_test.moc"
