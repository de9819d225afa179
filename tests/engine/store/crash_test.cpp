// SPDX-License-Identifier: Apache-2.0
// kill -9 at random moments, faults at every n-th operation, many processes at once.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <type_traits>

#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/run_writer.h"
#include "engine/store/runs.h"
#include "engine/store/stage_counter.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

/// A model whose checkpoint of any step is known: part 0 never changes, part i is new in every i-th
/// step.
struct Model {
  int parts;
  size_t partBytes;

  std::vector<std::byte> bytes(int64_t step, int part) const {
    const int64_t version = part == 0 ? 0 : step / part;
    return pattern(partBytes, static_cast<uint64_t>(version * parts + part));
  }

  void save(Store& store, RunId run, int64_t step) const {
    std::vector<std::vector<std::byte>> data;
    std::vector<std::string> names;
    for (int i = 0; i < parts; ++i) {
      data.push_back(bytes(step, i));
      names.push_back("part" + std::to_string(i));
    }
    std::vector<PartView> views;
    for (size_t i = 0; i < data.size(); ++i) views.push_back({names[i], "{}", data[i]});
    store.checkpoints().save({.run = run, .step = step}, views);
  }

  void expectWhole(Store& store, const CheckpointInfo& info) const {
    const Checkpoint loaded = store.checkpoints().load(info.id);
    ASSERT_EQ(loaded.parts.size(), static_cast<size_t>(parts));
    for (int i = 0; i < parts; ++i)
      EXPECT_TRUE(loaded.parts[static_cast<size_t>(i)].data == bytes(info.step, i));
  }
};

constexpr Model kTrained{6, 400'000};
constexpr Model kSmall{3, 40'000};

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
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 80'000));
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
  EXPECT_GE(inside, 10) << "kills must hit inside a write to prove anything";
  RecordProperty("kills_inside_a_write", inside);
}

/// Everything a run does, each step repeated once if it fails; then checks that all of it is there.
class FaultyRun {
 public:
  explicit FaultyRun(std::string folder, int osError)
      : folder_(std::move(folder)), osError_(osError) {}

  void play() {
    StoreOptions options;
    options.checkpointBatchBytes = 50'000;  // several transactions a save
    const auto store = twice([&] { return Store::open(folder_, OpenMode::ReadWrite, options); });
    const RunId run = twice([&] { return store->runs().create({.name = "r"}); });
    {
      auto writer = twice([&] { return std::make_unique<RunWriter>(store, run, quick()); });
      const MetricId id = writer->metric("v");
      for (int i = 0; i < 5000; ++i) writer->log(id, i, 0, i * 0.5);
      twice([&] { writer->flush(); });
      for (int i = 5000; i < 6000; ++i) writer->log(id, i, 0, i * 0.5);
      writer->event({.code = "e"});
      writer->status(RunStatus::Finished);
      twice([&] { writer->close(); });
    }
    const std::vector<std::byte> noise = pattern(20'000, 5);
    twice([&] { store->artifacts().add({.run = run, .kind = "graph"}, noise); });
    for (int step = 0; step < 3; ++step) twice([&] { kSmall.save(*store, run, step); });
    twice([&] { store->checkpoints().retain(run, {.keepLast = 2}); });
  }

  void check() const {
    const auto store = Store::open(folder_);
    const std::vector<RunInfo> runs = store->runs().list();
    // A creation that failed in the last fsync may have happened all the same.
    ASSERT_GE(runs.size(), 1u);
    ASSERT_LE(runs.size(), 2u);
    const RunId run = runs[0].id;
    EXPECT_EQ(runs[0].status, RunStatus::Finished);
    const auto rows = store->metrics().readRows(1, 0, 1 << 20);
    ASSERT_EQ(rows.size(), 6000u);
    for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i].value, static_cast<double>(i) * 0.5);
    EXPECT_EQ(store->events().read(run).size(), 1u);
    for (const ArtifactInfo& artifact : store->artifacts().list(run))
      EXPECT_EQ(store->artifacts().read(artifact.id), pattern(20'000, 5));
    EXPECT_GE(store->artifacts().list(run).size(), 1u);
    const auto checkpoints = store->checkpoints().list(run);
    ASSERT_GE(checkpoints.size(), 2u);
    EXPECT_EQ(checkpoints.back().step, 2);
    for (const CheckpointInfo& info : checkpoints) kSmall.expectWhole(*store, info);
  }

  int failures() const { return failures_; }

 private:
  static RunWriterOptions quick() {
    RunWriterOptions options;
    options.commitInterval = options.retryInterval = std::chrono::milliseconds(1);
    return options;
  }

  template <typename Call>
  std::invoke_result_t<Call> twice(Call call) {
    try {
      return call();
    } catch (const Error& error) {
      ++failures_;
      EXPECT_EQ(error.code(), Code::Io) << error.what();
      EXPECT_EQ(error.osError(), osError_) << error.what();
      EXPECT_TRUE(contains(error.what(), folder_)) << error.what();
    }
    return call();
  }

  std::string folder_;
  int osError_;
  int failures_ = 0;
};

/// Lets the n-th operation fail for every n until none is left to fail. Returns how many did.
int failEach(const std::string& folder, FileOperation operation, int osError, int* reported) {
  for (int n = 1;; ++n) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    FaultPlan plan(operation, n, osError);
    FaultyRun run(folder, osError);
    {
      FaultScope scope(plan);
      run.play();
    }
    run.check();
    *reported += run.failures();
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << fileOperationName(operation) << " number " << n;
      return n;
    }
    if (!plan.fired()) return n - 1;
  }
}

TEST_F(StoreTest, EveryWriteMayFail) {
  int reported = 0;
  const int fired = failEach(path("p"), FileOperation::Write, ENOSPC, &reported);
  EXPECT_GT(fired, 100);
  EXPECT_GT(reported, fired / 2) << "failures come through to the caller";
}

TEST_F(StoreTest, EverySyncMayFail) {
  int reported = 0;
  EXPECT_GT(failEach(path("p"), FileOperation::Sync, EIO, &reported), 10);
  EXPECT_GT(reported, 5);
}

TEST_F(StoreTest, EveryOpenTruncateAndRemoveMayFail) {
  int reported = 0;
  EXPECT_GT(failEach(path("p"), FileOperation::Open, EACCES, &reported), 5);
  EXPECT_GT(reported, 3);
  EXPECT_GT(failEach(path("p"), FileOperation::Truncate, EIO, &reported), 2);
  failEach(path("p"), FileOperation::Remove, EIO, &reported);
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
