// SPDX-License-Identifier: Apache-2.0
// A full disk pauses the run with a message; with space back it goes on and nothing is missing.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/file_faults.h"
#include "engine/project/project_file.h"
#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/train/trainer.h"
#include "tests/support/idx_files.h"

namespace tenon {
namespace {

struct TroubleSink final : TrainSink {
  std::atomic<bool> trouble{false};
  std::atomic<bool> recovered{false};
  std::atomic<bool> paused{false};
  std::atomic<bool> slow{false};
  std::atomic<int64_t> steps{0};
  std::string message;
  void onProgress(const TrainProgress& progress) override {
    steps = progress.step;
    if (progress.state == TrainState::Trouble) paused = true;
  }
  /// Keeps the steps of an epoch from being over before a test is.
  void onLogged(const LoggedStep&) override {
    if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  void onTrouble(const StoreTrouble& what) override {
    if (what.message.empty()) {
      recovered = true;
    } else if (!trouble) {
      message = what.message;
      trouble = true;
    }
  }
  void onArtifact(RunId, const std::string& kind, int64_t id) override {
    const std::lock_guard lock(mutex);
    announced.emplace_back(kind, id);
  }
  std::vector<std::pair<std::string, int64_t>> announcedSoFar() {
    const std::lock_guard lock(mutex);
    return announced;
  }

 private:
  std::mutex mutex;
  std::vector<std::pair<std::string, int64_t>> announced;
};

/// A disk that is full while somebody says so.
class FillingDisk final : public FileFaults {
 public:
  int decide(FileOperation operation, const char*) override {
    return full && operation == FileOperation::Write ? ENOSPC : 0;
  }
  std::atomic<bool> full{false};
};

/// A disk on which writes to the metrics file hang until it is let go.
class HangingDisk final : public FileFaults {
 public:
  ~HangingDisk() override { letGo(); }
  int decide(FileOperation operation, const char* path) override {
    if (operation != FileOperation::Write ||
        std::string_view(path).find("tenon.sqlite") == std::string_view::npos)
      return 0;
    std::unique_lock lock(mutex_);
    reached = reached || hangs_;
    changed_.wait(lock, [this] { return !hangs_; });
    return 0;
  }
  void letGo() {
    const std::lock_guard lock(mutex_);
    hangs_ = false;
    changed_.notify_all();
  }
  std::atomic<bool> reached{false};

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool hangs_ = true;
};

/// Ends a training, also where a test gives up before it does.
class EndOfRun {
 public:
  EndOfRun(HangingDisk& disk, TrainControl& control) : disk_(disk), control_(control) {}
  ~EndOfRun() {
    disk_.letGo();
    control_.stop();
  }
  EndOfRun(const EndOfRun&) = delete;
  EndOfRun& operator=(const EndOfRun&) = delete;

 private:
  HangingDisk& disk_;
  TrainControl& control_;
};

template <class Flag>
void waitFor(const Flag& flag) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!flag() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(flag());
}

class FullDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TENON_CACHE", folder.path("cache").c_str(), 1);
    open(96);
  }
  /// So many training samples, 16 of them a step.
  void open(uint32_t samples) {
    const ReadResult read =
        readProject(testing::writeToyProject(folder.path(), R"("epochs": 100000, )", samples));
    ASSERT_TRUE(read.ok());
    project = read.project;
    if (!store) store = Store::open(folder.path());
  }
  std::future<TrainResult> start() {
    return std::async(std::launch::async, [this] {
      return Trainer({project, folder.path()}, store, control, sink).run();
    });
  }
  /// Of the first step: no other is under way afterwards.
  void firstCheckpoint() {
    waitFor([&] { return sink.steps > 2 && store->checkpoints().newestWhole(1).has_value(); });
    EXPECT_EQ(store->checkpoints().newestWhole(1)->step, 1);
  }
  void expectEveryStep(const TrainResult& result) {
    for (const SeriesInfo& info : store->metrics().series(result.run)) {
      if (info.name != "train/loss") continue;
      EXPECT_EQ(info.rows, result.step);  // every step is there
    }
  }

  testing::TemporaryFolder folder;
  ProjectSpec project;
  std::shared_ptr<Store> store;
  TroubleSink sink;
  TrainControl control;
};

TEST_F(FullDisk, TheRunPausesSaysWhyAndGoesOn) {
  auto running = start();
  waitFor([&] { return sink.steps > 5; });
  FaultPlan full(FileOperation::Write, 1, ENOSPC, true);
  {
    const FaultScope scope(full);
    waitFor([&] { return sink.trouble && sink.paused; });
    EXPECT_NE(sink.message.find("No space left on device"), std::string::npos) << sink.message;
    const int64_t steps = sink.steps;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(sink.steps, steps);  // it waits
    full.heal();
    control.retryStore();
    waitFor([&] { return sink.recovered.load(); });
    waitFor([&] { return sink.steps > steps + 5; });
  }
  control.stop();
  const TrainResult result = running.get();
  EXPECT_EQ(result.status, RunStatus::Stopped);
  EXPECT_EQ(store->checkpoints().newestWhole(result.run)->step, result.step);
  expectEveryStep(result);
}

/// The step that ends an epoch is recorded while the disk is full: recording and predictions come
/// when there is space, nothing is given up.
TEST_F(FullDisk, ARecordingAndPredictionsArriveWhenSpaceIsBack) {
  FillingDisk disk;
  const FaultScope scope(disk);
  control.pause();
  auto running = start();
  for (int step = 1; step <= 5; ++step) {
    control.stepOnce();
    waitFor([&] { return sink.steps == step; });
  }
  control.recordNextStep();
  control.post([&](const RunView&) {  // on the run's thread, just before the step
    disk.full = true;
    control.resume();
  });
  waitFor([&] { return sink.trouble && sink.paused; });
  const RunId run = store->runs().list().at(0).id;
  EXPECT_GE(sink.steps, 5);  // 6, unless step 1's checkpoint met the full disk before it
  EXPECT_TRUE(store->artifacts().list(run).empty());
  EXPECT_TRUE(sink.announcedSoFar().empty()) << "told before it is stored";
  control.pause();
  disk.full = false;
  control.retryStore();
  control.stepOnce();  // one more, or the epoch's end if the trouble came before it
  waitFor([&] { return sink.announcedSoFar().size() == 3; });
  control.stop();
  const TrainResult result = running.get();
  EXPECT_EQ(result.status, RunStatus::Stopped);
  const std::vector<ArtifactInfo> stored = store->artifacts().list(run);
  ASSERT_EQ(stored.size(), 3U);
  const char* kinds[] = {"graph", "memory", "predictions"};
  for (size_t i = 0; i < stored.size(); ++i) {
    EXPECT_EQ(stored[i].kind, kinds[i]);
    EXPECT_EQ(stored[i].step, 6);
    EXPECT_EQ(sink.announcedSoFar()[i], std::pair(stored[i].kind, stored[i].id));
    EXPECT_EQ(static_cast<int64_t>(store->artifacts().read(stored[i].id).size()), stored[i].bytes);
  }
  for (const Event& event : store->events().read(run))
    EXPECT_EQ(event.level, EventLevel::Info) << event.code;
  expectEveryStep(result);
}

TEST_F(FullDisk, NoStepWaitsForASlowDisk) {
  open(32000);  // 2,000 steps an epoch
  sink.slow = true;
  HangingDisk disk;
  auto running = start();
  const EndOfRun end(disk, control);
  firstCheckpoint();
  const FaultScope scope(disk);
  waitFor([&] { return disk.reached.load(); });
  control.recordNextStep();
  const int64_t steps = sink.steps;
  ASSERT_LT(steps, 1900) << "too near the epoch's end, whose second checkpoint waits for the first";
  waitFor([&] { return sink.steps > steps + 50; });
  disk.letGo();
  control.stop();
  const TrainResult result = running.get();
  expectEveryStep(result);
  EXPECT_EQ(store->artifacts().list(result.run, "graph").size(), 1U);
}

/// Who resumes goes on at the newest checkpoint: the curve before it must be on the disk.
TEST_F(FullDisk, ACheckpointWaitsForTheRowsBeforeIt) {
  open(32000);
  sink.slow = true;
  HangingDisk disk;
  auto running = start();
  const EndOfRun end(disk, control);
  firstCheckpoint();
  const FaultScope scope(disk);
  waitFor([&] { return disk.reached.load(); });
  const RunId run = store->runs().list().at(0).id;
  ASSERT_EQ(store->checkpoints().list(run).size(), 1U);
  const int64_t asked = sink.steps;
  control.checkpointNow();
  waitFor([&] { return sink.steps > asked + 1; });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(store->checkpoints().list(run).size(), 1U) << "it is ahead of its rows";
  disk.letGo();
  waitFor([&] { return store->checkpoints().list(run).size() >= 2; });
  control.stop();
  expectEveryStep(running.get());
}

}  // namespace
}  // namespace tenon
