// SPDX-License-Identifier: Apache-2.0
// kill -9 at random moments, and many processes at once.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>

#include "engine/store/checkpoints.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/run_writer.h"
#include "engine/store/runs.h"
#include "engine/store/stage_counter.h"
#include "tests/engine/store/known_model.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

constexpr KnownModel kTrained{6, 400'000};

struct KillState {
  std::atomic<int64_t> run{0};
  std::atomic<int64_t> saved{-1};    // newest step whose save has returned
  std::atomic<int64_t> earliest{0};  // oldest step that retention may not have deleted
};

constexpr int kKeep = 3;

/// A training process that saves in a loop until it is killed.
void trainForEver(const std::string& folder, KillState& state) {
  StoreOptions options;
  options.checkpointBatchBytes = 600'000;  // several transactions a save
  const auto store = Store::open(folder, OpenMode::ReadWrite, options);
  RunWriter writer(store, store->runs().create({}));
  state.run = writer.run();
  const MetricId loss = writer.metric("loss");
  for (int64_t step = 0;; ++step) {
    writer.log(loss, step, 0, 1.0);
    kTrained.save(*store, writer.run(), step);
    state.saved = step;
    state.earliest = std::max<int64_t>(0, step - kKeep + 1);
    store->checkpoints().retain(writer.run(), {.keepLast = kKeep});
  }
}

void expectNothingLost(Store& store, const KillState& state) {
  const RunId run = state.run;
  EXPECT_EQ(store.runs().get(run).status, RunStatus::Interrupted);
  const auto newest = store.checkpoints().newestWhole(run);
  if (state.saved >= 0) {
    ASSERT_TRUE(newest);
    EXPECT_GE(newest->step, state.saved.load());
    EXPECT_LE(newest->step, state.saved + 1);
  }
  std::vector<int64_t> steps;
  for (const CheckpointInfo& info : store.checkpoints().list(run)) {
    steps.push_back(info.step);
    kTrained.expectWhole(store, info);
  }
  for (int64_t step = state.earliest; step <= state.saved; ++step)
    EXPECT_NE(std::find(steps.begin(), steps.end(), step), steps.end()) << "lost step " << step;
}

StageCounts stageCounts(const std::string& path) {
  StageCounts counts;
  if (!pathExists(path)) return counts;  // killed before the first save
  const std::string bytes = readFile(path, sizeof counts);
  if (bytes.size() == sizeof counts) std::memcpy(&counts, bytes.data(), sizeof counts);
  return counts;
}

TEST_F(StoreTest, ThirtyKillsLoseNoCheckpoint) {
  setenv("TENON_STAGE_FILE", path("stage").c_str(), 1);
  std::mt19937 random(20240229);
  uint64_t insideBefore = 0;
  int inside = 0;
  for (int round = 0; round < 30; ++round) {
    Shared<KillState> state;
    const pid_t child = inChild([&] { trainForEver(folder_, *state); });
    ASSERT_TRUE(eventually([&] { return state->run > 0; }));
    // Every other kill aims at a save under way, so that a slow machine proves as much as a fast
    // one.
    const auto saving = [&] {
      const StageCounts now = stageCounts(path("stage"));
      return now.begun - now.ended > insideBefore;
    };
    if (round % 2 == 0) {
      ASSERT_TRUE(eventually(saving));
    }
    const unsigned window = round % 4 == 0 ? 1 : round % 2 == 0 ? 3000 : 80'000;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % window));
    killHard(child);
    const StageCounts counts = stageCounts(path("stage"));
    inside += counts.begun - counts.ended > insideBefore;
    insideBefore = counts.begun - counts.ended;
    const auto store = open(round % 3 == 0 ? OpenMode::ReadOnly : OpenMode::ReadWrite);
    expectNothingLost(*store, *state);
    if (store->mode() != OpenMode::ReadWrite) continue;
    // What the kill left behind is found, and the run can go on where it was.
    store->checkpoints().collectGarbage();
    expectNothingLost(*store, *state);
    store->checkpoints().removeRun(state->run);
    store->checkpoints().collectGarbage();
  }
  unsetenv("TENON_STAGE_FILE");
  EXPECT_GE(inside, 6) << "kills must hit inside a write to prove anything";
  printf("%d of 30 kills hit inside a checkpoint write\n", inside);
}

void saveOneSmall(Store& store, RunId run, int64_t step) {
  const std::vector<std::byte> data = pattern(50'000, static_cast<uint64_t>(run * 10'000 + step));
  const PartView part{"w", "{}", data};
  store.checkpoints().save({.run = run, .step = step}, {&part, 1});
}

TEST_F(StoreTest, EightWritersAndAReaderNeverSeeALock) {
  constexpr int kWriters = 8;
  constexpr int kRows = 3000;
  Shared<std::atomic<int>> working;
  *working = kWriters;
  std::vector<pid_t> children;
  for (int w = 0; w < kWriters; ++w)
    children.push_back(inChild([&] {
      const auto store = open();
      RunWriterOptions options;
      options.commitInterval = std::chrono::milliseconds(3);
      options.onTrouble = [](const StoreTrouble& trouble) {
        throw Error(trouble.code, trouble.message);  // ends the process: the test fails
      };
      RunWriter writer(store, store->runs().create({}), options);
      const MetricId id = writer.metric("v");
      for (int i = 0; i < kRows; ++i) {
        writer.log(id, i, 0, i);
        if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (i % 500 == 0) store->events().add({.run = writer.run(), .code = "tick"});
        if (i % 1000 == 0) {
          saveOneSmall(*store, writer.run(), i);
          store->checkpoints().retain(writer.run(), {});
        }
      }
      writer.status(RunStatus::Finished);
      writer.close();
      --*working;
    }));
  const pid_t reader = inChild([&] {
    EXPECT_TRUE(eventually([&] { return pathExists(path("tenon.sqlite")); }));
    const auto store = open();
    while (*working > 0)
      for (const RunInfo& run : store->runs().list()) {
        store->metrics().readSeries({.run = run.id, .name = "v", .maxPoints = 100});
        store->events().read(run.id);
        const auto newest = store->checkpoints().newestWhole(run.id);
        EXPECT_TRUE(!newest || newest->run == run.id);
      }
  });
  for (const pid_t child : children) EXPECT_TRUE(endedWell(child));
  EXPECT_TRUE(endedWell(reader));
  const auto store = open();
  ASSERT_EQ(store->runs().list().size(), static_cast<size_t>(kWriters));
  for (const RunInfo& run : store->runs().list()) {
    EXPECT_EQ(run.status, RunStatus::Finished);
    EXPECT_EQ(store->metrics().series(run.id).at(0).rows, kRows);
    EXPECT_EQ(store->events().read(run.id).size(), 6u);
    EXPECT_EQ(store->checkpoints().newestWhole(run.id)->step, 2000);
  }
}

}  // namespace
}  // namespace tenon
