// SPDX-License-Identifier: Apache-2.0
// kill -9 at random moments of training and saving: the project opens, the newest whole checkpoint
// loads, the run shows as interrupted and resumes.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "engine/store/checkpoints.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"
#include "tests/cli/command.h"
#include "tests/support/idx_files.h"
#include "tests/support/run_contents.h"

namespace tenon {
namespace {

using testing::startCli;
using testing::TemporaryFolder;
using testing::waitFor;
using testing::writeToyProject;

/// What the store counts in TENON_STAGE_FILE (engine/store/stage_counter.h).
struct Counts {
  uint64_t begun = 0;
  uint64_t ended = 0;
  bool insideAWrite() const { return begun > ended; }
};

Counts countsIn(const std::string& path) {
  Counts counts;
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(&counts), sizeof(counts));
  return counts;
}

class Kill : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TENON_CACHE", folder.path("cache").c_str(), 1);
    writeToyProject(folder.path(), R"("epochs": 100000, )");
  }

  enum class Aim { AnyMoment, Write };

  /// Starts or resumes a training that saves after every step and kills it; true if a write was
  /// cut. Aim::Write waits for the next write to begin, since on a slow machine hardly any random
  /// moment lies within one.
  bool trainAndKill(RunId resume, std::chrono::microseconds after, Aim aim) {
    const std::string stage = folder.path("stage");
    std::filesystem::remove(stage);
    std::vector<std::string> arguments = {"train", folder.path(), "--set",
                                          "train.checkpoint.every_steps=1"};
    if (resume > 0) arguments.insert(arguments.end(), {"--resume", std::to_string(resume)});
    const pid_t child = startCli(arguments, {"TENON_STAGE_FILE=" + stage});
    while (countsIn(stage).ended < 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::this_thread::sleep_for(after);
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (aim == Aim::Write && !countsIn(stage).insideAWrite() &&
           std::chrono::steady_clock::now() < patience) {
    }
    kill(child, SIGKILL);
    EXPECT_EQ(waitFor(child), -SIGKILL);
    return countsIn(stage).insideAWrite();
  }

  /// Kills a run so often, each time resumed from what the last kill left.
  void killOften(int kills, uint32_t seed);

  TemporaryFolder folder;
};

void Kill::killOften(int kills, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> moment(0, 30000);
  RunId run = 0;
  int64_t stepBefore = 0;
  int cutWrites = 0;
  for (int i = 0; i < kills; ++i) {
    cutWrites += trainAndKill(run, std::chrono::microseconds(moment(random)),
                              i % 2 == 0 ? Aim::AnyMoment : Aim::Write);
    const auto store = Store::open(folder.path());
    const std::vector<RunInfo> runs = store->runs().list();
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].status, RunStatus::Interrupted);
    run = runs[0].id;
    const auto newest = store->checkpoints().newestWhole(run);
    ASSERT_TRUE(newest.has_value());
    EXPECT_GE(newest->step, stepBefore) << "an earlier checkpoint was lost";
    stepBefore = newest->step;
    const auto losses = testing::curve(*store, run, "train/loss");
    ASSERT_GE(losses.size(), static_cast<size_t>(newest->step)) << "rows before it are missing";
    EXPECT_NO_THROW(store->checkpoints().load(newest->id));  // every checksum
  }
  EXPECT_GE(cutWrites, kills / 3) << "too few kills hit a checkpoint write";
  const auto end = testing::runCli({"train", folder.path(), "--resume", std::to_string(run),
                                    "--steps", std::to_string(stepBefore + 3)});
  EXPECT_EQ(end.exitCode, 0) << end.errors;
  const auto store = Store::open(folder.path());
  EXPECT_EQ(store->runs().get(run).step, stepBefore + 3);
  const auto losses = testing::curve(*store, run, "train/loss");
  ASSERT_EQ(losses.size(), static_cast<size_t>(stepBefore + 3));
  for (size_t i = 0; i < losses.size(); ++i)  // the curve of a run that nobody killed
    EXPECT_EQ(losses[i].first, static_cast<int64_t>(i) + 1);
}

TEST_F(Kill, TheNewestWholeCheckpointLoadsAndTheRunResumes) { killOften(30, 7); }

class SoakKill : public Kill {};
TEST_F(SoakKill, ThreeHundredKills) { killOften(300, 8); }

}  // namespace
}  // namespace tenon
