// SPDX-License-Identifier: Apache-2.0
// Artifacts on their way through the run's writer: never waited for, kept while the disk is full,
// whole and in order when they arrive.
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "engine/base/file_faults.h"
#include "engine/store/artifacts.h"
#include "engine/store/metrics.h"
#include "engine/store/run_writer.h"
#include "engine/store/runs.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

constexpr auto kShort = std::chrono::milliseconds(5);

/// A disk that lets writes wait until it is opened again.
class SlowDisk final : public FileFaults {
 public:
  ~SlowDisk() override { open(); }
  int decide(FileOperation operation, const char*) override {
    if (operation != FileOperation::Write) return 0;
    std::unique_lock lock(mutex_);
    waited_ = waited_ || closed_;
    changed_.wait(lock, [this] { return !closed_; });
    return 0;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    closed_ = false;
    changed_.notify_all();
  }
  bool waited() {
    const std::lock_guard lock(mutex_);
    return waited_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = true;
  bool waited_ = false;
};

/// What the writer announced, readable while it runs.
class Announced {
 public:
  void add(const ArtifactInfo& info) {
    const std::lock_guard lock(mutex_);
    all_.push_back(info);
  }
  std::vector<ArtifactInfo> all() {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  std::mutex mutex_;
  std::vector<ArtifactInfo> all_;
};

RunWriterOptions quick(Announced& announced) {
  RunWriterOptions options;
  options.commitInterval = options.retryInterval = kShort;
  options.onArtifact = [&announced](const ArtifactInfo& info) { announced.add(info); };
  return options;
}

TEST_F(StoreTest, ArtifactsOfARunDoNotWaitForTheDisk) {
  const auto store = open();
  const RunId run = store->runs().create({});
  Announced announced;
  RunWriter writer(store, run, quick(announced));
  SlowDisk disk;
  const FaultScope scope(disk);
  writer.log(writer.metric("v"), 1, 0, 1);
  ASSERT_TRUE(eventually([&] { return disk.waited(); }));
  // The writer's thread hangs in a write now; both calls return all the same.
  EXPECT_TRUE(writer.artifact({.kind = "graph", .step = 1}, pattern(3'000'000, 1)));
  EXPECT_TRUE(writer.artifact({.kind = "memory", .step = 1}, pattern(10, 2)));
  EXPECT_TRUE(store->artifacts().list(run).empty());
  EXPECT_TRUE(announced.all().empty());
  disk.open();
  writer.flush();
  const std::vector<ArtifactInfo> stored = store->artifacts().list(run);
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].kind, "graph");
  EXPECT_EQ(stored[1].kind, "memory");
  EXPECT_EQ(stored[0].run, run);
  EXPECT_EQ(stored[0].bytes, 3'000'000);
  EXPECT_GT(stored[0].createdUs, 0);
  EXPECT_EQ(store->artifacts().read(stored[0].id), pattern(3'000'000, 1));
  EXPECT_EQ(store->artifacts().read(stored[1].id), pattern(10, 2));
  ASSERT_TRUE(eventually([&] { return announced.all().size() == 2; }));
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(announced.all()[i].id, stored[i].id);
}

TEST_F(StoreTest, ArtifactsOnAFullDiskAreKeptInOrderAndArriveWhole) {
  const auto store = open();
  const RunId run = store->runs().create({});
  Announced announced;
  RunWriter writer(store, run, quick(announced));
  const MetricId id = writer.metric("v");
  FaultPlan plan(FileOperation::Write, 1, ENOSPC, true);
  {
    const FaultScope scope(plan);
    for (int step = 1; step <= 20; ++step) {
      writer.log(id, step, 0, step);
      ASSERT_TRUE(writer.artifact({.kind = step % 2 ? "predictions" : "graph", .step = step},
                                  pattern(10'000, static_cast<uint64_t>(step))));
      if (step == 10) {
        ASSERT_TRUE(eventually([&] { return writer.inTrouble(); }));
      }
    }
    EXPECT_EQ(errorOf([&] { writer.flush(); }).osError(), ENOSPC);
    EXPECT_TRUE(announced.all().empty());
    EXPECT_TRUE(store->artifacts().list(run).empty());
    plan.heal();
    writer.retry();
    ASSERT_TRUE(eventually([&] { return announced.all().size() == 20; }));
  }
  writer.close();
  const std::vector<ArtifactInfo> stored = store->artifacts().list(run);
  ASSERT_EQ(stored.size(), 20u);
  for (size_t i = 0; i < stored.size(); ++i) {
    EXPECT_EQ(stored[i].step, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(announced.all()[i].id, stored[i].id);
    EXPECT_EQ(store->artifacts().read(stored[i].id), pattern(10'000, i + 1));
  }
  EXPECT_EQ(store->metrics().series(run).at(0).rows, 20);
}

TEST_F(StoreTest, WaitingArtifactsHaveALimitThatIsTold) {
  const auto store = open();
  Announced announced;
  RunWriterOptions options = quick(announced);
  options.maxWaitingBytes = 1000;
  RunWriter writer(store, store->runs().create({}), options);
  FaultPlan plan(FileOperation::Write, 1, ENOSPC, true);
  {
    const FaultScope scope(plan);
    std::vector<std::byte> last = pattern(300, 3);
    EXPECT_TRUE(writer.artifact({.kind = "a"}, pattern(5000, 1))) << "one alone may have more";
    EXPECT_FALSE(writer.artifact({.kind = "b"}, std::move(last)));
    EXPECT_EQ(last, pattern(300, 3)) << "not taken";  // NOLINT(bugprone-use-after-move)
    plan.heal();
    writer.retry();
    ASSERT_TRUE(eventually([&] { return announced.all().size() == 1; }));
    EXPECT_TRUE(writer.artifact({.kind = "b"}, std::move(last)));
  }
  writer.close();
  EXPECT_EQ(store->artifacts().list(1).size(), 2u);
}

TEST_F(StoreTest, ArtifactsAreWrittenBeforeTheRunEnds) {
  const auto store = open();
  const RunId run = store->runs().create({});
  {
    RunWriter writer(store, run);
    writer.artifact({.kind = "graph"}, pattern(100, 1));
  }
  EXPECT_EQ(store->artifacts().list(run).size(), 1u);
}

}  // namespace
}  // namespace tenon
