// SPDX-License-Identifier: Apache-2.0
// The n-th write, fsync, open, truncation or removal fails, for every n: the caller is told,
// nothing is half done, and a second try succeeds.
#include <type_traits>

#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/run_writer.h"
#include "engine/store/runs.h"
#include "tests/engine/store/known_model.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

constexpr KnownModel kSmall{2, 40'000};

/// Does something in a project folder, each call repeated once if it fails, and checks the outcome
/// later.
class FaultyScene {
 public:
  FaultyScene(std::string folder, int osError) : folder_(std::move(folder)), osError_(osError) {}
  virtual ~FaultyScene() = default;
  virtual void play() = 0;
  virtual void check() const = 0;
  int failures() const { return failures_; }

 protected:
  std::shared_ptr<Store> openTwice() {
    StoreOptions options;
    options.checkpointBatchBytes = 30'000;  // several transactions a save
    return twice([&] { return Store::open(folder_, OpenMode::ReadWrite, options); });
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

class RunScene : public FaultyScene {
 public:
  using FaultyScene::FaultyScene;

  void play() override {
    const auto store = openTwice();
    const RunId run = twice([&] { return store->runs().create({.name = "r"}); });
    RunWriterOptions options;
    options.commitInterval = std::chrono::hours(1);  // flush() writes, nothing else does
    options.retryInterval = std::chrono::milliseconds(1);
    auto writer = twice([&] { return std::make_unique<RunWriter>(store, run, options); });
    const MetricId id = writer->metric("v");
    for (int i = 0; i < 5000; ++i) writer->log(id, i, 0, i * 0.5);
    twice([&] { writer->flush(); });
    for (int i = 5000; i < 6000; ++i) writer->log(id, i, 0, i * 0.5);
    writer->event({.code = "e"});
    writer->status(RunStatus::Finished);
    twice([&] { writer->close(); });
    const std::vector<std::byte> noise = pattern(20'000, 5);
    twice([&] { store->artifacts().add({.run = run, .kind = "graph"}, noise); });
  }

  void check() const override {
    const auto store = Store::open(folder_);
    const std::vector<RunInfo> runs = store->runs().list();
    ASSERT_EQ(runs.size(), 1u);
    const RunId run = runs[0].id;
    EXPECT_EQ(runs[0].status, RunStatus::Finished);
    const auto rows = store->metrics().readRows(1, 0, 1 << 20);
    ASSERT_EQ(rows.size(), 6000u);
    for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i].value, static_cast<double>(i) * 0.5);
    EXPECT_EQ(store->events().read(run).size(), 1u);
    const auto artifacts = store->artifacts().list(run);
    ASSERT_EQ(artifacts.size(), 1u);
    EXPECT_EQ(store->artifacts().read(artifacts[0].id), pattern(20'000, 5));
  }
};

class CheckpointScene : public FaultyScene {
 public:
  using FaultyScene::FaultyScene;

  void play() override {
    const auto store = openTwice();
    for (int step = 0; step < 2; ++step) twice([&] { kSmall.save(*store, 1, step); });
    twice([&] { store->checkpoints().retain(1, {.keepLast = 1}); });
  }

  void check() const override {
    const auto store = Store::open(folder_);
    const auto checkpoints = store->checkpoints().list(1);
    // A save whose very last fsync failed is there all the same, and so twice.
    ASSERT_GE(checkpoints.size(), 1u);
    EXPECT_EQ(checkpoints.back().step, 1);
    for (const CheckpointInfo& info : checkpoints) kSmall.expectWhole(*store, info);
  }
};

struct Tally {
  int fired = 0;     // operations that failed
  int reported = 0;  // errors that reached the caller
};

/// Lets the n-th operation fail for every n until none is left to fail.
template <typename Scene>
Tally failEach(const std::string& folder, FileOperation operation, int osError) {
  Tally tally;
  for (int n = 1;; ++n) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    FaultPlan plan(operation, n, osError);
    Scene scene(folder, osError);
    {
      FaultScope scope(plan);
      scene.play();
    }
    scene.check();
    tally.reported += scene.failures();
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << fileOperationName(operation) << " number " << n;
      return tally;
    }
    if (!plan.fired()) return tally;
    ++tally.fired;
  }
}

TEST_F(StoreTest, EveryWriteOfARunMayFail) {
  const Tally tally = failEach<RunScene>(path("p"), FileOperation::Write, ENOSPC);
  EXPECT_GT(tally.fired, 50);
  EXPECT_GT(tally.reported, tally.fired / 2);
}

TEST_F(StoreTest, EveryWriteOfACheckpointMayFail) {
  const Tally tally = failEach<CheckpointScene>(path("p"), FileOperation::Write, ENOSPC);
  EXPECT_GT(tally.fired, 50);
  EXPECT_GT(tally.reported, tally.fired / 2);
}

TEST_F(StoreTest, EverySyncMayFail) {
  EXPECT_GT(failEach<RunScene>(path("p"), FileOperation::Sync, EIO).fired, 1);
  const Tally tally = failEach<CheckpointScene>(path("p"), FileOperation::Sync, EIO);
  EXPECT_GT(tally.fired, 10);
  EXPECT_GT(tally.reported, 10);
}

TEST_F(StoreTest, EveryOpenMayFail) {
  const Tally run = failEach<RunScene>(path("p"), FileOperation::Open, EACCES);
  EXPECT_GT(run.fired, 5);
  EXPECT_GT(run.reported, 3);
  EXPECT_GT(failEach<CheckpointScene>(path("p"), FileOperation::Open, EACCES).fired, 5);
}

TEST_F(StoreTest, EveryTruncateAndRemoveMayFail) {
  EXPECT_GT(failEach<CheckpointScene>(path("p"), FileOperation::Truncate, EIO).fired, 2);
  failEach<RunScene>(path("p"), FileOperation::Truncate, EIO);
  EXPECT_GT(failEach<RunScene>(path("p"), FileOperation::Remove, EIO).fired, 0);
}

}  // namespace
}  // namespace tenon
