// SPDX-License-Identifier: Apache-2.0
// tenon-cli as a user meets it: output, exit codes, refusals, stopping and resuming.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

#include "engine/base/file.h"
#include "engine/store/project_lock.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"
#include "tests/cli/cli_fixture.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::lines;
using testing::runCli;
using testing::startCli;
using testing::waitFor;
using testing::writeBytes;
using testing::writeToyProject;
using Cli = testing::CliFixture;

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
  EXPECT_EQ(typo.errors.find("tenon-cli: --set train.optimizer.lrr=0.5: "), 0U) << typo.errors;
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
  for (const char* device : {"cuda:0", "toaster"}) {
    const CommandResult refused = train({"--device", device});
    EXPECT_EQ(refused.exitCode, 4);
    EXPECT_NE(refused.errors.find(device), std::string::npos) << refused.errors;
  }
  EXPECT_NE(train({"--device", "cuda:0"}).errors.find("CUDA"), std::string::npos);
  writeToyProject(folder.path(), R"("epochs": 3, "device": "cuda:0", )");
  const CommandResult checked = runCli({"check", folder.path()});
  EXPECT_EQ(checked.exitCode, 4);
  EXPECT_NE(checked.errors.find("train.device"), std::string::npos) << checked.errors;
}

TEST_F(Cli, AProjectInUseIsRefusedWithTheHolder) {
  const ProjectLock lock(folder.path());
  const CommandResult result = train({});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_NE(result.errors.find(std::to_string(getpid())), std::string::npos) << result.errors;
  EXPECT_EQ(runCli({"runs", folder.path()}).exitCode, 0);
  EXPECT_FALSE(pathExists(folder.path("tenon.sqlite"))) << "reading makes no store";
}

TEST_F(Cli, TerminationStopsWithACheckpoint) {
  RunId before = 0;
  const auto stepsOfNewestRun = [&] {  // of one that was not there before
    try {
      const auto found = Store::open(folder.path(), OpenMode::ReadOnly)->runs().list(1);
      return !found.empty() && found[0].id > before ? found[0].step : int64_t{-1};
    } catch (const Error&) {  // the program has not made it yet
      return int64_t{-1};
    }
  };
  for (const int signal : {SIGTERM, SIGINT}) {
    const pid_t child = startCli({"train", folder.path(), "--epochs", "100000"});
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (stepsOfNewestRun() < 1 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    kill(child, signal);
    EXPECT_EQ(waitFor(child), 130);
    ++before;
    const std::vector<Json> runs = lines(runCli({"runs", folder.path(), "--json"}).output);
    EXPECT_EQ(runs[0].find("status")->asString(), "stopped");
    const int64_t step = runs[0].find("step")->asInt();
    EXPECT_GT(step, 0);
    const CommandResult more =
        train({"--resume", "last", "--steps", std::to_string(step + 1), "--json"});
    ASSERT_EQ(more.exitCode, 0) << more.errors;
    // The stop may have come before an epoch's end, which is told first then.
    Json first;
    for (const Json& line : lines(more.output))
      if (first.isNull() && line.find("event")->asString() == "step") first = line;
    ASSERT_FALSE(first.isNull()) << more.output;
    EXPECT_EQ(first.find("step")->asInt(), step + 1);
  }
}

/// Number of the first line of the file with `part`, as a place that an error names.
std::string placeOf(const std::string& file, const std::string& part) {
  std::istringstream text(readFile(file, 1 << 20));
  int number = 1;
  for (std::string line; std::getline(text, line); ++number)
    if (line.find(part) != std::string::npos)
      return "project.tenon:" + std::to_string(number) + ":";
  return "no line with " + part;
}

TEST_F(Cli, TrainNamesTheLineOfEveryError) {
  struct Fault {
    const char* is;
    const char* becomes;
    const char* named;
  };
  const std::string file = folder.path("project.tenon");
  const std::string good = readFile(file, 1 << 20);
  for (const Fault& fault :
       {Fault{"\"type\": \"linear\"", "\"type\": \"linaer\"", "linaer"},
        Fault{"\"kernel_size\": 3", "\"kernel_size\": 30", "conv"},
        Fault{"\"lr\": 0.01", "\"lr\": -0.01", "lr"},
        Fault{"train-images.gz", "gone-images.gz", "gone-images.gz"},
        Fault{"\"best_by\": \"accuracy\"", "\"best_by\": \"acuracy\"", "best_by"}}) {
    std::string bad = good;
    bad.replace(bad.find(fault.is), std::string(fault.is).size(), fault.becomes);
    writeBytes(file, bad);
    const CommandResult result = train({});
    EXPECT_EQ(result.exitCode, 3) << fault.becomes << result.errors;
    EXPECT_NE(result.errors.find(placeOf(file, fault.becomes)), std::string::npos)
        << fault.becomes << ": " << result.errors;
    EXPECT_NE(result.errors.find(fault.named), std::string::npos) << result.errors;
  }
  EXPECT_TRUE(runs().empty());  // nothing has begun
}

TEST_F(Cli, APlaceOutsideTheFileIsNamedToo) {
  const CommandResult set = train({"--set", "train.checkpoint.best_by=acuracy"});
  EXPECT_EQ(set.exitCode, 3);
  EXPECT_NE(set.errors.find("--set train.checkpoint.best_by=acuracy: "), std::string::npos)
      << set.errors;
  ASSERT_EQ(train({"--steps", "8"}).exitCode, 0);
  std::filesystem::remove(folder.path("test-labels.gz"));
  for (const CommandResult& result :
       {runCli({"evaluate", folder.path(), "--run", "1"}), train({"--resume", "1"})}) {
    EXPECT_EQ(result.exitCode, 3);
    EXPECT_NE(result.errors.find("settings of run 1: "), std::string::npos) << result.errors;
    EXPECT_NE(result.errors.find("test-labels.gz"), std::string::npos) << result.errors;
  }
}

TEST_F(Cli, SettingsAreNamedAsTheyWereWritten) {
  const CommandResult device = train({"--device", "toaster"});
  EXPECT_EQ(device.errors.find("tenon-cli: --device toaster: field 'train.device': "), 0U)
      << device.errors;
  const CommandResult set = train({"--set", "train.device=toaster"});
  EXPECT_NE(set.errors.find("--set train.device=toaster: field"), std::string::npos) << set.errors;
  const CommandResult both = train({"--set", "train.device=kettle", "--device", "toaster"});
  EXPECT_NE(both.errors.find("--device toaster: field"), std::string::npos) << both.errors;
  EXPECT_EQ(train({"--set", "train.epochs"}).exitCode, 2);
}

/// Data that is wrong: its file, its row, and where the project or the command line names it.
TEST_F(Cli, ABadLabelIsNamedWithItsFileAndItsPlace) {
  const std::string fault =
      "test-labels.gz: row 18: field 'data.split.reader.labels': label 12 is outside the 4 classes "
      "(0 to 3) (named in ";
  const std::string project = folder.path("project.tenon");
  const auto judge = [&](const CommandResult& result, const std::string& origin) {
    EXPECT_EQ(result.exitCode, 3);
    EXPECT_NE(result.errors.find(fault + origin), std::string::npos) << result.errors;
  };
  ASSERT_EQ(train({"--steps", "8"}).exitCode, 0);
  std::vector<uint8_t> labels(40, 1);
  labels[18] = 12;
  writeBytes(folder.path("test-labels.gz"), testing::gzipped(testing::idxBytes({40}, labels)));
  std::string place = placeOf(project, "test-labels.gz");
  place = folder.path(place.substr(0, place.size() - 1)) + ":";
  judge(train({}), place);
  judge(runCli({"check", folder.path()}), place);
  judge(train({"--resume", "1"}), "settings of run 1)");
  judge(runCli({"evaluate", folder.path(), "--run", "1"}), "settings of run 1)");
  judge(train({"--set", "data.split.reader.labels=test-labels.gz"}),
        "--set data.split.reader.labels=test-labels.gz)");
}

}  // namespace
}  // namespace tenon
