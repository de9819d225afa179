// SPDX-License-Identifier: Apache-2.0
// The time a run really trained: sessions, pauses, killed processes, and stores of before.
#include "engine/store/trained_time.h"

#include <sqlite3.h>

#include <limits>
#include <memory>

#include "engine/base/clock.h"
#include "engine/store/artifacts.h"
#include "engine/store/database.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/migrations.h"
#include "engine/store/run_writer.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
constexpr int64_t kMinute = 60'000'000;

TEST(TrainedTime, CountsOnlyWhatLiesInASpan) {
  const TrainedTime time({{100, 200}, {1000, 1100}, {5000, kForever}});
  const std::pair<int64_t, int64_t> cases[] = {{50, 0},     {100, 0},    {150, 50},
                                               {200, 100},  {600, 100},  {1000, 100},
                                               {1040, 140}, {4000, 200}, {5300, 500}};
  for (const auto& [at, trained] : cases) EXPECT_EQ(time.until(at), trained) << at;
  EXPECT_EQ(TrainedTime().until(7), 0);
}

class TrainedTimeStore : public StoreTest {
 protected:
  int64_t trained(const std::shared_ptr<Store>& store, RunId run = 1) const {
    return store->runs().get(run).trainedUs;
  }
  /// A session of ten minutes that ended long ago.
  void ranLongAgo() const {
    sql("tenon.sqlite",
        "UPDATE runs SET started_us=1000000, heartbeat_us=601000000, ended_us=601000000;"
        "UPDATE run_spans SET begun_us=1000000, ended_us=601000000");
  }
};

TEST_F(TrainedTimeStore, ARunningRunCountsUpToItsLastSign) {
  const auto store = open();
  store->runs().create({});
  EXPECT_EQ(trained(store), 0);
  sql("tenon.sqlite",
      "UPDATE runs SET heartbeat_us=61000000; UPDATE run_spans SET begun_us=1000000");
  EXPECT_EQ(trained(store), kMinute);
  EXPECT_EQ(store->runs().list().at(0).trainedUs, kMinute);
  EXPECT_EQ(store->runs().trainedTime(1).until(31000000), kMinute / 2);
  EXPECT_TRUE(store->runs().trainedTime(2).spans().empty());
}

TEST_F(TrainedTimeStore, TheTimeUntilAResumeDoesNotCount) {
  const auto store = open();
  store->runs().create({});
  store->runs().setStatus(1, RunStatus::Stopped);
  ranLongAgo();
  EXPECT_EQ(trained(store), 10 * kMinute);
  store->runs().takeOver(1);
  EXPECT_GE(trained(store), 10 * kMinute);
  EXPECT_LT(trained(store), 20 * kMinute) << "the years since 1970 are no training";
  store->runs().setStatus(1, RunStatus::Finished);
  const std::vector<TrainedSpan> spans = store->runs().trainedTime(1).spans();
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].endUs, 601000000);
  EXPECT_EQ(spans[1].endUs, store->runs().get(1).endedUs);
  EXPECT_EQ(trained(store), 10 * kMinute + spans[1].endUs - spans[1].beginUs);
}

TEST_F(TrainedTimeStore, AKilledSessionEndsWithItsLastSign) {
  const pid_t child = inChild([&] {
    open()->runs().create({});
    _exit(0);
  });
  EXPECT_TRUE(endedWell(child));
  sql("tenon.sqlite",
      "UPDATE runs SET heartbeat_us=61000000; UPDATE run_spans SET begun_us=1000000");
  EXPECT_EQ(trained(open(OpenMode::ReadOnly)), kMinute) << "before anybody has marked it";
  const auto store = open();
  EXPECT_EQ(trained(store), kMinute);
  store->runs().takeOver(1);
  EXPECT_LT(trained(store), 2 * kMinute);
  EXPECT_EQ(store->runs().trainedTime(1).spans().at(0).endUs, 61000000);
}

TEST_F(TrainedTimeStore, APauseDoesNotCount) {
  const auto store = open();
  store->runs().create({});
  {
    RunWriter writer(store, 1);
    writer.training(false);
    writer.training(false);
    writer.flush();
    ASSERT_EQ(store->runs().trainedTime(1).spans().size(), 1U);
    EXPECT_LT(store->runs().trainedTime(1).spans()[0].endUs, kForever);
    EXPECT_TRUE(store->runs().get(1).alive());
    const int64_t before = trained(store);
    sql("tenon.sqlite",
        "PRAGMA busy_timeout=5000; UPDATE runs SET heartbeat_us=heartbeat_us+600000000");
    EXPECT_EQ(trained(store), before) << "its sign of life goes on";
    for (const bool goesOn : {true, false, true}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      writer.training(goesOn);
    }
    writer.flush();
    ASSERT_EQ(store->runs().trainedTime(1).spans().size(), 3U);
    EXPECT_EQ(store->runs().trainedTime(1).spans()[2].endUs, kForever);
    writer.status(RunStatus::Finished);
    writer.close();
  }
  EXPECT_LT(store->runs().trainedTime(1).spans().at(2).endUs, kForever);
  EXPECT_LT(trained(store), 5 * kMinute);
  store->removeRun(1);
  EXPECT_TRUE(store->runs().trainedTime(1).spans().empty());
}

TEST_F(TrainedTimeStore, ASleepAndAClockThatIsSetAreNoTraining) {
  const auto store = open();
  store->runs().create({});
  ManualClock clock(wallNs());
  RunWriterOptions options;
  options.clock = &clock;
  options.commitInterval = std::chrono::hours(1);  // flush() writes, nothing else does
  RunWriter writer(store, 1, options);
  const auto minutePasses = [&] {
    clock.advance(kMinute * 1000);
    writer.progress(1, 0);  // so that there is something to commit, with a sign of life
    writer.flush();
  };
  minutePasses();
  EXPECT_EQ(store->runs().trainedTime(1).spans().size(), 1U);
  EXPECT_EQ(trained(store), writer.trainedUs());
  clock.setWall(clock.wallNs() + 8 * 60 * kMinute * 1000);  // the monotonic clock slept too
  minutePasses();
  EXPECT_EQ(trained(store), writer.trainedUs());
  EXPECT_EQ(store->runs().trainedTime(1).spans().size(), 2U);
  clock.setWall(clock.wallNs() + 999'000'000);  // as much as corrections may add up to
  minutePasses();
  EXPECT_EQ(store->runs().trainedTime(1).spans().size(), 2U);
  clock.setWall(clock.wallNs() - 60 * kMinute * 1000);
  minutePasses();
  EXPECT_EQ(store->runs().trainedTime(1).spans().size(), 2U) << "a clock set back is not followed";
  EXPECT_EQ(trained(store), writer.trainedUs());
  writer.training(false);
  const int64_t last = writer.trainedUs();
  clock.advance(kMinute * 1000);
  writer.status(RunStatus::Finished);
  writer.close();
  EXPECT_EQ(writer.trainedUs(), last) << "what the log told before is what the run keeps";
  EXPECT_EQ(trained(store), last);
  EXPECT_GE(last, 4 * kMinute);
  EXPECT_LT(last, 5 * kMinute);
  EXPECT_EQ(store->runs().get(1).endedUs,
            store->runs().trainedTime(1).spans().at(1).endUs + kMinute)
      << "a minute after training ended";
  // The next session adds to it.
  store->runs().takeOver(1);
  EXPECT_GE(RunWriter(store, 1).trainedUs(), last);
}

/// A writer whose clock a test moves.
class MovedClock : public TrainedTimeStore {
 protected:
  void SetUp() override {
    TrainedTimeStore::SetUp();
    store_ = open();
    store_->runs().create({});
    begin();
  }
  void TearDown() override {
    writer_.reset();
    store_.reset();
    TrainedTimeStore::TearDown();
  }
  void begin() {
    RunWriterOptions options;
    options.clock = &clock_;
    options.commitInterval = std::chrono::hours(1);  // flush() writes, nothing else does
    writer_.reset();
    writer_ = std::make_unique<RunWriter>(store_, 1, options);
    loss_ = writer_->metric("loss");
  }
  /// A minute of training, then a row, an event, an artifact and a commit; the run has trained
  /// `trained` minutes then.
  void minutePasses(int64_t trained) {
    clock_.advance(kMinute * 1000);
    ++step_;
    writer_->log(loss_, step_, 0, 1);
    writer_->event({.level = EventLevel::Info, .code = "test", .text = "a minute"});
    ASSERT_TRUE(writer_->artifact({.kind = "test", .step = step_}, {}));
    writer_->flush();
    wanted_.push_back(trained * kMinute);
  }
  void setClock(int64_t minutes) { clock_.setWall(clock_.wallNs() + minutes * kMinute * 1000); }
  /// What a curve over trained time shows, and that it is drawn from left to right.
  void judgeTimes() const {
    const TrainedTime time = store_->runs().trainedTime(1);
    for (size_t i = 1; i < time.spans().size(); ++i)
      EXPECT_GE(time.spans()[i].beginUs, time.spans()[i - 1].endUs) << i;
    const std::vector<MetricRow> rows =
        store_->metrics().readRows(store_->metrics().series(1).at(0).id, 0, 100);
    const std::vector<Event> events = store_->events().read(1);
    const std::vector<ArtifactInfo> artifacts = store_->artifacts().list(1, "test");
    ASSERT_EQ(rows.size(), wanted_.size());
    ASSERT_EQ(events.size(), wanted_.size());
    ASSERT_EQ(artifacts.size(), wanted_.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      // The run was made a moment before the clock began.
      EXPECT_NEAR(time.until(rows[i].timeUs), wanted_[i], kMinute / 2) << "row " << i;
      EXPECT_EQ(events[i].timeUs, rows[i].timeUs) << "one clock for both";
      EXPECT_EQ(artifacts[i].createdUs, rows[i].timeUs) << "and for artifacts";
      if (i > 0) {
        EXPECT_GT(rows[i].timeUs, rows[i - 1].timeUs) << "row " << i;
        EXPECT_EQ(time.until(rows[i].timeUs) - time.until(rows[i - 1].timeUs),
                  wanted_[i] - wanted_[i - 1])
            << "row " << i;
      }
    }
  }

  std::shared_ptr<Store> store_;
  ManualClock clock_{wallNs()};
  std::unique_ptr<RunWriter> writer_;
  MetricId loss_{};
  int64_t step_ = 0;
  std::vector<int64_t> wanted_;
};

TEST_F(MovedClock, SetBackWhileARunTrains) {
  minutePasses(1);
  setClock(-60);
  minutePasses(2);
  minutePasses(3);
  judgeTimes();
  EXPECT_EQ(store_->runs().trainedTime(1).spans().size(), 1U);
  setClock(60);
  minutePasses(4);
  judgeTimes();
  EXPECT_EQ(store_->runs().trainedTime(1).spans().size(), 1U) << "nothing was missed";
}

TEST_F(MovedClock, RowsAfterASleepStandAtTheTimeTrained) {
  minutePasses(1);
  setClock(8 * 60);  // the monotonic clock slept too
  minutePasses(2);   // no sign of life since the sleep: these belong to the span before it
  minutePasses(3);
  judgeTimes();
  EXPECT_EQ(store_->runs().trainedTime(1).spans().size(), 2U);
  writer_->training(false);
  setClock(60);  // a sleep while it waits
  writer_->progress(step_, 0);
  writer_->flush();
  writer_->training(true);
  minutePasses(4);
  judgeTimes();
  const std::vector<TrainedSpan> spans = store_->runs().trainedTime(1).spans();
  ASSERT_EQ(spans.size(), 3U);
  EXPECT_EQ(spans[2].beginUs - spans[1].endUs, 60 * kMinute);
}

TEST_F(MovedClock, SetBackBetweenTwoSessions) {
  setClock(60);  // ahead of the machine's, which is what the next session begins with
  writer_->progress(0, 0);
  writer_->flush();
  minutePasses(1);
  writer_->status(RunStatus::Stopped);
  writer_->close();
  const int64_t endedUs = store_->runs().get(1).endedUs;
  store_->runs().takeOver(1);
  EXPECT_GE(store_->runs().get(1).heartbeatUs, endedUs);
  clock_.setWall(wallNs());
  begin();
  minutePasses(2);
  judgeTimes();
  EXPECT_EQ(store_->runs().trainedTime(1).spans().back().beginUs, endedUs);
}

/// Run 1 trained once, run 2 was stopped and resumed after an hour, run 3 is of a process that is
/// gone, run 4 paused twice, and was stopped in the second pause.
constexpr const char* kRunsOfVersion1 = R"sql(
INSERT INTO runs(id, name, status, started_us, ended_us, heartbeat_us, seed, device, settings,
  parent, pid, process) VALUES
  (1, 'once', 2, 1000000, 61000000, 61000000, 0, 'cpu', '', 0, 1, ''),
  (2, 'twice', 2, 1000000, 3721000000, 3721000000, 0, 'cpu', '', 0, 1, ''),
  (3, 'killed', 0, 1000000, 0, 31000000, 0, 'cpu', '', 0, 1, 'of another time'),
  (4, 'paused', 3, 1000000, 9000000000, 9000000000, 0, 'cpu', '', 0, 1, '');
INSERT INTO events(run, time_us, step, level, code, text, args) VALUES
  (2, 1100000, 0, 0, 'train.started', '', '[]'),
  (2, 61000000, 10, 0, 'train.stopped', '', '[]'),
  (2, 3661000000, 10, 0, 'train.resumed', '', '[]'),
  (2, 3720000000, 20, 0, 'train.finished', '', '[]'),
  (4, 31000000, 10, 0, 'train.paused', '', '[]'),
  (4, 3600000000, 10, 0, 'train.continued', '', '[]'),
  (4, 3630000000, 20, 0, 'train.paused', '', '[]'),
  (4, 9000000000, 20, 0, 'train.stopped', '', '[]');
)sql";

TEST_F(TrainedTimeStore, AStoreOfVersionOneTellsWhatItsLogKnows) {
  {
    DatabaseOptions options;
    options.path = path("tenon.sqlite");
    options.create = true;
    Database database(options);
    const Schema& now = metricsSchema();
    migrate(database, {now.applicationId, now.migrations.first(1)});
    database.execute(kRunsOfVersion1);
  }
  const auto judge = [&](const std::shared_ptr<Store>& store) {
    EXPECT_EQ(trained(store, 1), kMinute);
    EXPECT_EQ(trained(store, 2), 2 * kMinute) << "the hour between is left out";
    EXPECT_EQ(trained(store, 3), kMinute / 2);
    EXPECT_EQ(trained(store, 4), kMinute) << "two stretches of half a minute";
    EXPECT_EQ(store->runs().trainedTime(4).spans().size(), 2U);
    EXPECT_EQ(store->runs().list().size(), 4U);
    const std::vector<TrainedSpan> spans = store->runs().trainedTime(2).spans();
    ASSERT_EQ(spans.size(), 2U);
    EXPECT_EQ(spans[0].endUs, 61000000);
    EXPECT_EQ(spans[1].beginUs, 3661000000);
    EXPECT_EQ(spans[1].endUs, 3721000000);
  };
  const auto version = [&] {
    DatabaseOptions options;
    options.path = path("tenon.sqlite");
    return Database(options).number("PRAGMA user_version");
  };
  judge(open(OpenMode::ReadOnly));
  EXPECT_EQ(version(), 1) << "reading changes nothing";
  const auto reader = open(OpenMode::ReadOnly);
  judge(reader);
  const auto store = open();
  EXPECT_EQ(version(), 2);
  judge(store);
  judge(reader);
  store->runs().takeOver(2);
  EXPECT_LT(trained(store, 2), 10 * kMinute);
}

}  // namespace
}  // namespace tenon
