// SPDX-License-Identifier: Apache-2.0
// tenon-cli as a user meets it: output, exit codes, refusals, stopping and resuming.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "engine/schema/json.h"
#include "engine/store/project_lock.h"
#include "tests/cli/command.h"
#include "tests/support/idx_files.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::runCli;
using testing::startCli;
using testing::TemporaryFolder;
using testing::waitFor;
using testing::writeBytes;
using testing::writeToyProject;

class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TENON_CACHE", folder.path("cache").c_str(), 1);
    writeToyProject(folder.path(), R"("epochs": 3, )");
  }
  CommandResult train(std::vector<std::string> more,
                      const std::vector<std::string>& environment = {}) {
    std::vector<std::string> arguments = {"train", folder.path()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments, environment);
  }
  TemporaryFolder folder;
};

std::vector<Json> lines(const std::string& output) {
  std::vector<Json> out;
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);) out.push_back(parseJson(line));
  return out;
}

TEST_F(Cli, TrainWithJsonHasALineForEachLoggedStep) {
  const CommandResult result = train({"--json", "--epochs", "2"});
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  int64_t steps = 0;
  int64_t epochs = 0;
  for (const Json& line : lines(result.output)) {
    if (line.find("event")->asString() == "epoch") {
      ++epochs;
      EXPECT_NE(line.find("validation/accuracy"), nullptr);
      continue;
    }
    EXPECT_EQ(line.find("step")->asInt(), ++steps);
    for (const char* key : {"epoch", "loss", "lr"}) EXPECT_NE(line.find(key), nullptr) << key;
  }
  EXPECT_EQ(steps, 12);
  EXPECT_EQ(epochs, 2);
}

TEST_F(Cli, RunsEvaluateAndResume) {
  ASSERT_EQ(train({"--steps", "8"}).exitCode, 0);
  const std::vector<Json> runs = lines(runCli({"runs", folder.path(), "--json"}).output);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].find("status")->asString(), "stopped");
  EXPECT_EQ(runs[0].find("step")->asInt(), 8);
  ASSERT_EQ(train({"--resume", "last"}).exitCode, 0);
  EXPECT_EQ(lines(runCli({"runs", folder.path(), "--json"}).output)[0].find("status")->asString(),
            "finished");
  const CommandResult evaluated =
      runCli({"evaluate", folder.path(), "--run", "1", "--checkpoint", "last", "--json"});
  ASSERT_EQ(evaluated.exitCode, 0) << evaluated.errors;
  EXPECT_EQ(lines(evaluated.output)[0].find("samples")->asInt(), 40);
}

TEST_F(Cli, SettingsOnTheCommandLine) {
  const CommandResult result = train({"--json", "--steps", "1", "--set", "train.optimizer.lr=0.5",
                                      "--set", "train.schedule.type=constant"});
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_EQ(lines(result.output)[0].find("lr")->asDouble(), 0.5);
  const CommandResult typo = train({"--set", "train.optimizer.lrr=0.5"});
  EXPECT_EQ(typo.exitCode, 2);
  EXPECT_NE(typo.errors.find("lr"), std::string::npos) << typo.errors;
}

TEST_F(Cli, UsageErrorsGiveTwo) {
  EXPECT_EQ(runCli({}).exitCode, 2);
  EXPECT_EQ(runCli({"trian"}).exitCode, 2);
  EXPECT_EQ(train({"--epochs", "none"}).exitCode, 2);
  EXPECT_EQ(runCli({"bench", "--workload", "nothing"}).exitCode, 2);
  EXPECT_EQ(runCli({"--help"}).exitCode, 0);
}

TEST_F(Cli, InputErrorsGiveThreeAndNameTheLine) {
  EXPECT_EQ(runCli({"check", folder.path("nowhere")}).exitCode, 3);
  EXPECT_EQ(runCli({"check", folder.path()}).exitCode, 0);
  writeBytes(folder.path("project.tenon"), "{\n  \"format_version\": 1,\n  \"name\": \"x\",,\n}\n");
  const CommandResult broken = runCli({"check", folder.path()});
  EXPECT_EQ(broken.exitCode, 3);
  EXPECT_NE(broken.errors.find("project.tenon:3:"), std::string::npos) << broken.errors;
  writeBytes(folder.path("project.tenon"), "{\n  \"format_version\": 99\n}\n");
  const CommandResult newer = runCli({"check", folder.path()});
  EXPECT_EQ(newer.exitCode, 3);
  EXPECT_NE(newer.errors.find("99"), std::string::npos) << newer.errors;
}

TEST_F(Cli, CheckSaysEverythingAtOnceWithPlaces) {
  writeToyProject(folder.path(), R"("epochs": 3, "batch_sise": 4, )");
  const CommandResult result = runCli({"check", folder.path()});
  EXPECT_NE(result.errors.find("batch_size"), std::string::npos)
      << result.errors;  // the suggestion
}

TEST_F(Cli, DeviceErrorsSayWhy) {
  const CommandResult devices = runCli({"devices"});
  EXPECT_EQ(devices.exitCode, 0);
  EXPECT_NE(devices.output.find("cuda     not available: "), std::string::npos) << devices.output;
  const CommandResult refused = train({"--device", "cuda:0"});
  EXPECT_EQ(refused.exitCode, 3);
  EXPECT_NE(refused.errors.find("CUDA"), std::string::npos) << refused.errors;
}

TEST_F(Cli, AProjectInUseIsRefusedWithTheHolder) {
  const ProjectLock lock(folder.path());
  const CommandResult result = train({});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_NE(result.errors.find(std::to_string(getpid())), std::string::npos) << result.errors;
  EXPECT_EQ(runCli({"runs", folder.path()}).exitCode,
            3);  // there is no store yet, and reading makes none
}

TEST_F(Cli, TerminationStopsWithACheckpoint) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const pid_t child = startCli({"train", folder.path(), "--epochs", "100000"});
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    kill(child, signal);
    EXPECT_EQ(waitFor(child), 130);
    const std::vector<Json> runs = lines(runCli({"runs", folder.path(), "--json"}).output);
    EXPECT_EQ(runs[0].find("status")->asString(), "stopped");
    const int64_t step = runs[0].find("step")->asInt();
    EXPECT_GT(step, 0);
    const CommandResult more =
        train({"--resume", "last", "--steps", std::to_string(step + 1), "--json"});
    ASSERT_EQ(more.exitCode, 0) << more.errors;
    EXPECT_EQ(lines(more.output)[0].find("step")->asInt(), step + 1);
  }
}

TEST_F(Cli, BenchSpeaksThePeersLanguage) {
  const CommandResult result =
      runCli({"bench", "--workload", "tiny-mlp", "--seconds", "0.2", "--json", "--threads", "1"});
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const Json line = lines(result.output)[0];
  for (const char* key :
       {"system", "workload", "threads", "device", "amp", "channels_last", "optim", "loss_step_1",
        "loss_step_20", "windows", "per_second", "min", "max", "peak_bytes"})
    EXPECT_NE(line.find(key), nullptr) << key;
  EXPECT_LT(line.find("loss_step_20")->asDouble(), line.find("loss_step_1")->asDouble());
}

}  // namespace
}  // namespace tenon
