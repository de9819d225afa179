// SPDX-License-Identifier: Apache-2.0
// The live run's writer: what it commits, what it does in trouble, and what a kill leaves.
#include "engine/store/run_writer.h"

#include <atomic>
#include <cmath>
#include <mutex>

#include "engine/store/metrics.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

constexpr auto kShort = std::chrono::milliseconds(5);

TEST_F(StoreTest, WriterCommitsEverythingAtClose) {
  const auto store = open();
  const RunId run = store->runs().create({});
  RunWriter writer(store, run);
  const MetricId loss = writer.metric("loss"), accuracy = writer.metric("accuracy", "%");
  writer.log(loss, 0, 0, 2.5);
  writer.log(accuracy, 0, 0, std::nan(""));
  writer.log(loss, 1, 0, 2.25);
  writer.progress(1, 0);
  writer.best("accuracy", 91.5, 1);
  writer.event({.step = 1, .code = "checkpoint"});
  writer.status(RunStatus::Failed, "why");
  writer.close();
  EXPECT_EQ(writer.rowsWritten(), 3);
  const RunInfo info = store->runs().get(run);
  EXPECT_EQ(info.step, 1);
  EXPECT_EQ(info.epoch, 0);
  EXPECT_EQ(info.bestName, "accuracy");
  EXPECT_EQ(info.bestValue, 91.5);
  EXPECT_EQ(info.bestStep, 1);
  EXPECT_EQ(info.status, RunStatus::Failed);
  EXPECT_EQ(info.failure, "why");
  EXPECT_GE(info.endedUs, info.startedUs);
  const std::vector<Event> events = store->events().read(run);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].code, "checkpoint");
  EXPECT_GT(events[0].timeUs, 0);
  const auto series = store->metrics().series(run);
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].lastValue, 2.25);
  EXPECT_EQ(series[1].unit, "%");
  EXPECT_TRUE(std::isnan(series[1].lastValue));
  EXPECT_EQ(errorOf([&] { writer.flush(); }).code(), Code::Usage);
  EXPECT_NO_THROW(writer.close());
  EXPECT_EQ(errorOf([&] { writer.metric(""); }).code(), Code::Usage);
}

TEST_F(StoreTest, WriterCommitsByItselfAndAnnounces) {
  const auto store = open();
  const RunId run = store->runs().create({});
  std::atomic<int64_t> announced{0};
  std::atomic<int> calls{0};
  RunWriterOptions options;
  options.commitInterval = std::chrono::milliseconds(20);
  options.onRows = [&](RunId id, int64_t rows) {
    EXPECT_EQ(id, run);
    EXPECT_GT(rows, announced.load());
    announced = rows;
    ++calls;
  };
  RunWriter writer(store, run, options);
  const MetricId id = writer.metric("v");
  for (int i = 0; i < 1000; ++i) writer.log(id, i, 0, i);
  ASSERT_TRUE(eventually([&] { return announced == 1000; }));
  EXPECT_LE(calls, 5) << "coalesced";
  EXPECT_EQ(store->metrics().series(run)[0].rows, 1000);
  const int64_t heartbeat = store->runs().get(run).heartbeatUs;
  EXPECT_TRUE(eventually([&] { return store->runs().get(run).heartbeatUs > heartbeat; }, 3000));
}

TEST_F(StoreTest, WriterTakesRowsOfManyThreads) {
  const auto store = open();
  RunWriter writer(store, store->runs().create({}));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&writer, t] {
      const MetricId own = writer.metric("t" + std::to_string(t)), all = writer.metric("all");
      for (int i = 0; i < 20'000; ++i) {
        writer.log(own, i, 0, i);
        writer.log(all, i, 0, t);
      }
    });
  for (std::thread& thread : threads) thread.join();
  writer.close();
  EXPECT_EQ(writer.rowsWritten(), 160'000);
  for (const SeriesInfo& series : store->metrics().series(1)) {
    if (series.name == "all") {
      EXPECT_EQ(series.rows, 80'000);
      continue;
    }
    const auto rows = store->metrics().readRows(series.id, 0, 30'000);
    ASSERT_EQ(rows.size(), 20'000u);
    for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i].step, static_cast<int64_t>(i));
  }
}

TEST_F(StoreTest, LoggingCostsLittle) {
  const auto store = open();
  RunWriter writer(store, store->runs().create({}));
  const MetricId id = writer.metric("v");
  constexpr int kRows = 100'000;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kRows; ++i) writer.log(id, i, 0, i * 0.5);
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
  // The goal is 100 ns (measured by the speed test); this only catches a call that waits for the
  // disk.
  EXPECT_LT(spent.count() / kRows, 50'000);
  writer.close();
  EXPECT_EQ(writer.rowsWritten(), kRows);
}

TEST_F(StoreTest, FullDiskPausesAndLosesNothing) {
  const auto store = open();
  const RunId run = store->runs().create({});
  std::mutex mutex;
  std::vector<StoreTrouble> troubles;
  std::atomic<int> recovered{0};
  RunWriterOptions options;
  options.commitInterval = options.retryInterval = kShort;
  options.onTrouble = [&](const StoreTrouble& trouble) {
    const std::lock_guard lock(mutex);
    troubles.push_back(trouble);
  };
  options.onRecovered = [&] { ++recovered; };
  RunWriter writer(store, run, options);
  const MetricId id = writer.metric("v");
  FaultPlan plan(FileOperation::Write, 1, ENOSPC, true);
  {
    FaultScope scope(plan);
    for (int i = 0; i < 50'000; ++i) writer.log(id, i, 0, i);
    writer.event({.code = "kept"});
    ASSERT_TRUE(eventually([&] { return writer.inTrouble(); }));
    for (int i = 50'000; i < 60'000; ++i) writer.log(id, i, 0, i);
    const Error error = errorOf([&] { writer.flush(); });
    EXPECT_EQ(error.code(), Code::Io);
    EXPECT_EQ(error.osError(), ENOSPC);
    EXPECT_EQ(error.message(),
              "[store] write '" + path("tenon.sqlite") + "': No space left on device");
    EXPECT_EQ(errorOf([&] { writer.close(); }).osError(), ENOSPC);
    EXPECT_EQ(writer.rowsWritten(), 0);
    plan.heal();
    ASSERT_TRUE(eventually([&] { return recovered == 1; })) << "goes on by itself";
  }
  writer.close();
  EXPECT_FALSE(writer.inTrouble());
  ASSERT_EQ(troubles.size(), 1u) << "said once";
  EXPECT_EQ(troubles[0].osError, ENOSPC);
  EXPECT_TRUE(contains(troubles[0].message, "No space left on device"));
  EXPECT_EQ(store->events().read(run).size(), 1u);
  const auto rows = store->metrics().readRows(1, 0, 100'000);
  ASSERT_EQ(rows.size(), 60'000u);
  for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i].value, static_cast<double>(i));
}

TEST_F(StoreTest, RetryActsAtOnce) {
  const auto store = open();
  RunWriterOptions options;
  options.commitInterval = kShort;
  options.retryInterval = std::chrono::hours(1);
  RunWriter writer(store, store->runs().create({}), options);
  FaultPlan plan(FileOperation::Write, 1, EIO);
  FaultScope scope(plan);
  writer.log(writer.metric("v"), 0, 0, 1);
  ASSERT_TRUE(eventually([&] { return writer.inTrouble(); }));
  writer.retry();
  EXPECT_TRUE(eventually([&] { return writer.rowsWritten() == 1 && !writer.inTrouble(); }));
}

TEST_F(StoreTest, DestructorWritesWhatIsLeft) {
  const auto store = open();
  {
    RunWriter writer(store, store->runs().create({}));
    writer.log(writer.metric("v"), 7, 0, 1);
  }
  EXPECT_EQ(store->metrics().series(1).at(0).lastStep, 7);
}

TEST_F(StoreTest, KillLosesAtMostTheLastInterval) {
  struct State {
    std::atomic<int64_t> flushed{-1};
    std::atomic<int64_t> logged{-1};
  };
  for (int round = 0; round < 5; ++round) {
    Shared<State> state;
    const pid_t child = inChild([&] {
      const auto store = open();
      RunWriterOptions options;
      options.commitInterval = kShort;
      options.onRows = [&](RunId, int64_t rows) { state->flushed = rows; };
      RunWriter writer(store, store->runs().create({}), options);
      const MetricId id = writer.metric("v");
      for (int64_t i = 0;; ++i) {
        writer.log(id, i, 0, static_cast<double>(i));
        state->logged = i;
        if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    });
    ASSERT_TRUE(eventually([&] { return state->flushed > 2000 + 3000 * round; }));
    killHard(child);
    const auto store = open(round % 2 == 0 ? OpenMode::ReadWrite : OpenMode::ReadOnly);
    const RunInfo run = store->runs().list(1).at(0);
    EXPECT_EQ(run.status, RunStatus::Interrupted);
    const SeriesInfo series = store->metrics().series(run.id).at(0);
    const auto rows = store->metrics().readRows(series.id, 0, 1 << 30);
    EXPECT_GE(static_cast<int64_t>(rows.size()), state->flushed.load());
    EXPECT_LE(static_cast<int64_t>(rows.size()), state->logged.load() + 2);
    for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i].step, static_cast<int64_t>(i));
  }
}

}  // namespace
}  // namespace tenon
