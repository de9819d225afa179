// SPDX-License-Identifier: Apache-2.0
// The project's files go away under a training: it pauses and says so, goes on when they are back,
// and never claims to have stored what is gone.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <future>
#include <mutex>
#include <string>
#include <thread>

#include "engine/store/checkpoints.h"
#include "tests/engine/train/train_fixture.h"

namespace tenon::testing {
namespace {

namespace fs = std::filesystem;

struct ListeningSink final : TrainSink {
  std::atomic<int64_t> steps{0};
  std::atomic<bool> waits{false};
  void onProgress(const TrainProgress& progress) override {
    steps = progress.step;
    waits = progress.state == TrainState::Trouble;
  }
  void onTrouble(const StoreTrouble& what) override {
    const std::lock_guard lock(mutex);
    trouble = what;
  }
  StoreTrouble said() {
    const std::lock_guard lock(mutex);
    return trouble;
  }

 private:
  std::mutex mutex;
  StoreTrouble trouble;
};

template <class Condition>
bool comesTrue(Condition condition, int seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (!condition() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

class LostStore : public TrainFixture {
 protected:
  void SetUp() override {
    TrainFixture::SetUp();
    place = folder.path("project");
    fs::create_directory(place);
    project = readToyProject(writeToyProject(place, R"("epochs": 100000, )", 96));
    store = Store::open(place);
    running = std::async(std::launch::async, [this] {
      return Trainer({project, place}, store, control, sink).run();
    });
    // The second epoch: there is a checkpoint.
    ASSERT_TRUE(comesTrue([this] { return sink.steps > 8; }, 30));
  }
  void TearDown() override {
    control.stop();
    if (running.valid()) running.wait();
  }
  void expectNoticed(const std::string& text) {
    ASSERT_TRUE(comesTrue([this] { return sink.waits.load(); }, 30)) << "unnoticed";
    const StoreTrouble said = sink.said();
    EXPECT_TRUE(said.misplaced());
    EXPECT_NE(said.message.find(text), std::string::npos) << said.message;
  }
  /// What the stopped training throws.
  Error stopInVain() {
    control.stop();
    try {
      running.get();
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "it claims to have stored everything";
    return Error(Code::Internal, "");
  }

  std::string place;
  ListeningSink sink;
  TrainControl control;
  std::future<TrainResult> running;
};

TEST_F(LostStore, DeletedDatabasesPauseTheRunAndNoSuccessIsClaimed) {
  for (const char* end : {"", "-wal", "-shm"}) fs::remove(place + "/tenon.sqlite" + end);
  expectNoticed("'" + place + "/tenon.sqlite' was moved, deleted or replaced while open");
  EXPECT_EQ(stopInVain().osError(), ESTALE);
  EXPECT_FALSE(fs::exists(place + "/tenon.sqlite"));
}

TEST_F(LostStore, AMovedFolderThatComesBackCostsNothing) {
  fs::rename(place, folder.path("elsewhere"));
  expectNoticed("the project folder '" + place + "' was moved or deleted while open");
  const int64_t steps = sink.steps;
  fs::rename(folder.path("elsewhere"), place);
  control.retryStore();
  ASSERT_TRUE(comesTrue([&] { return sink.steps > steps + 5; }, 30));
  control.stop();
  const TrainResult result = running.get();
  EXPECT_EQ(result.status, RunStatus::Stopped);
  EXPECT_EQ(store->checkpoints().newestWhole(result.run)->step, result.step);
  EXPECT_EQ(curve(*store, result.run, "train/loss").size(), static_cast<size_t>(result.step));
}

TEST_F(LostStore, ADeletedFolderIsSaidAndTheRunCanBeStopped) {
  fs::remove_all(place);
  expectNoticed("the project folder '" + place + "' was moved or deleted while open");
  const Error error = stopInVain();
  EXPECT_EQ(error.osError(), ESTALE);
  EXPECT_NE(std::string(error.what()).find("the project folder"), std::string::npos)
      << error.what();
}

/// The rows can be written: how the run ended stands in them, though the checkpoint is lost.
TEST_F(LostStore, ALostCheckpointFileFailsTheRunInItsRow) {
  fs::remove(place + "/checkpoints.sqlite");
  const std::string text = "'" + place + "/checkpoints.sqlite' was moved, deleted or replaced";
  expectNoticed(text);
  EXPECT_EQ(stopInVain().osError(), ESTALE);
  const RunInfo run = Store::open(place, OpenMode::ReadOnly)->runs().list().at(0);
  EXPECT_EQ(run.status, RunStatus::Failed);
  EXPECT_NE(run.failure.find(text), std::string::npos) << run.failure;
}

}  // namespace
}  // namespace tenon::testing
