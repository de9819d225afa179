// SPDX-License-Identifier: Apache-2.0
// A full disk pauses the run with a message; with space back it goes on and nothing is missing.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <future>
#include <thread>

#include "engine/base/file_faults.h"
#include "engine/project/project_file.h"
#include "engine/store/checkpoints.h"
#include "engine/store/metrics.h"
#include "engine/train/trainer.h"
#include "tests/support/idx_files.h"

namespace tenon {
namespace {

struct TroubleSink final : TrainSink {
  std::atomic<bool> trouble{false};
  std::atomic<bool> recovered{false};
  std::atomic<bool> paused{false};
  std::atomic<int64_t> steps{0};
  std::string message;
  void onProgress(const TrainProgress& progress) override {
    steps = progress.step;
    if (progress.state == TrainState::Trouble) paused = true;
  }
  void onTrouble(const StoreTrouble& what) override {
    if (what.message.empty()) {
      recovered = true;
    } else if (!trouble) {
      message = what.message;
      trouble = true;
    }
  }
};

template <class Flag>
void waitFor(const Flag& flag) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!flag() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(flag());
}

TEST(FullDisk, TheRunPausesSaysWhyAndGoesOn) {
  const testing::TemporaryFolder folder;
  setenv("TENON_CACHE", folder.path("cache").c_str(), 1);
  const ReadResult read =
      readProject(testing::writeToyProject(folder.path(), R"("epochs": 100000, )"));
  ASSERT_TRUE(read.ok());
  const auto store = Store::open(folder.path());
  TroubleSink sink;
  TrainControl control;
  auto running = std::async(std::launch::async, [&] {
    return Trainer({read.project, folder.path()}, store, control, sink).run();
  });
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
  for (const SeriesInfo& info : store->metrics().series(result.run)) {
    if (info.name != "train/loss") continue;
    EXPECT_EQ(info.rows, result.step);  // every step is there
  }
}

}  // namespace
}  // namespace tenon
