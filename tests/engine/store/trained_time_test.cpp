// SPDX-License-Identifier: Apache-2.0
// The time a run really trained: sessions, pauses, killed processes, and stores of before.
#include "engine/store/trained_time.h"

#include <sqlite3.h>

#include <limits>

#include "engine/store/database.h"
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

TEST(TrainedTime, Texts) {
  EXPECT_EQ(durationText(0), "0 s");
  EXPECT_EQ(durationText(41'600'000), "42 s");
  EXPECT_EQ(durationText(245'000'000), "4 min 05 s");
  EXPECT_EQ(durationText(3'720'000'000), "1 h 02 min");
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

/// Run 1 trained once, run 2 was stopped and resumed after an hour, run 3 is of a process that is
/// gone.
constexpr const char* kRunsOfVersion1 = R"sql(
INSERT INTO runs(id, name, status, started_us, ended_us, heartbeat_us, seed, device, settings,
  parent, pid, process) VALUES
  (1, 'once', 2, 1000000, 61000000, 61000000, 0, 'cpu', '', 0, 1, ''),
  (2, 'twice', 2, 1000000, 3721000000, 3721000000, 0, 'cpu', '', 0, 1, ''),
  (3, 'killed', 0, 1000000, 0, 31000000, 0, 'cpu', '', 0, 1, 'of another time');
INSERT INTO events(run, time_us, step, level, code, text, args) VALUES
  (2, 1100000, 0, 0, 'train.started', '', '[]'),
  (2, 61000000, 10, 0, 'train.stopped', '', '[]'),
  (2, 3661000000, 10, 0, 'train.resumed', '', '[]'),
  (2, 3720000000, 20, 0, 'train.finished', '', '[]');
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
    EXPECT_EQ(store->runs().list().size(), 3U);
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
