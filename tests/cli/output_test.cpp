// SPDX-License-Identifier: Apache-2.0
// A standard output that is full, closed or no longer read, and what a training tells when nobody
// looks at a terminal.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "engine/store/checkpoints.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"
#include "tests/cli/cli_fixture.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::Launch;
using testing::launchCli;
using testing::lines;
using testing::runCli;
using testing::waitFor;

class CliOutput : public testing::CliFixture {
 protected:
  std::string textOf(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder.path(name)).rdbuf();
    return text.str();
  }
  int runInto(const std::string& output, const std::vector<std::string>& arguments) {
    Launch launch{arguments};
    launch.output = output;
    launch.errors = folder.path("errors");
    return waitFor(launchCli(launch));
  }
  /// The newest run was stopped and can go on where it stopped.
  void expectStoppedAndResumable() {
    const auto store = Store::open(folder.path(), OpenMode::ReadOnly);
    const RunInfo run = store->runs().list(1).at(0);
    EXPECT_EQ(run.status, RunStatus::Stopped);
    const auto newest = store->checkpoints().newestWhole(run.id);
    ASSERT_TRUE(newest.has_value());
    EXPECT_EQ(newest->step, std::max<int64_t>(run.step, 0));
    const std::string more = std::to_string(newest->step + 2);
    EXPECT_EQ(train({"--resume", "last", "--steps", more}).exitCode, 0);
  }
};

TEST_F(CliOutput, WhatCannotBeWrittenGivesThree) {
  ASSERT_EQ(train({"--epochs", "1"}).exitCode, 0);
  const std::vector<std::vector<std::string>> commands = {
      {"runs", folder.path()},
      {"runs", folder.path(), "--json"},
      {"evaluate", folder.path(), "--run", "1", "--checkpoint", "last"},
      {"evaluate", folder.path(), "--run", "1", "--checkpoint", "last", "--json"},
      {"check", folder.path()},
      {"devices"},
      {"devices", "--json"},
      {"bench", "--workload", "tiny-mlp,tiny-mlp", "--seconds", "0.1"},
      {"bench", "--workload", "add4", "--seconds", "0.1", "--json"},
      {"--help"},
      {"--version"},
  };
  for (const auto& [output, why] :
       {std::pair{"/dev/full", "No space left on device"}, std::pair{"", "Bad file descriptor"}}) {
    for (const std::vector<std::string>& command : commands) {
      EXPECT_EQ(runInto(output, command), 3) << command[0];
      EXPECT_EQ(textOf("errors"),
                std::string("tenon-cli: the standard output cannot be written: ") + why + "\n")
          << command[0];
    }
  }
}

TEST_F(CliOutput, ATrainingThatCannotSpeakStopsWithACheckpoint) {
  for (const char* output : {"/dev/full", ""}) {
    for (const bool json : {false, true}) {
      std::vector<std::string> arguments = {"train", folder.path(), "--epochs", "100000"};
      if (json) arguments.emplace_back("--json");
      EXPECT_EQ(runInto(output, arguments), 3);
      EXPECT_NE(textOf("errors").find("the standard output cannot be written"), std::string::npos);
      expectStoppedAndResumable();
    }
  }
}

TEST_F(CliOutput, AReaderThatGoesAwayStopsTheTrainingWithACheckpoint) {
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const bool json : {true, false}) {
    Launch launch{{"train", folder.path(), "--epochs", "100000"}};
    if (json) launch.arguments.emplace_back("--json");
    launch.output = pipe;
    launch.errors = folder.path("errors");
    const pid_t child = launchCli(launch);
    const int reader = open(pipe.c_str(), O_RDONLY);  // waits for the program
    char some[40];
    EXPECT_GT(read(reader, some, sizeof(some)), 0);
    close(reader);
    EXPECT_EQ(waitFor(child), 130);
    EXPECT_EQ(textOf("errors"), "") << "no fault of anybody";
    expectStoppedAndResumable();
  }
}

TEST_F(CliOutput, AFullErrorStreamHarmsNothing) {
  Launch launch{{"train", folder.path("nowhere")}};
  launch.errors = "/dev/full";
  EXPECT_EQ(waitFor(launchCli(launch)), 3);
  launch.errors = "";
  EXPECT_EQ(waitFor(launchCli(launch)), 3);
}

TEST_F(CliOutput, TheFirstLineTellsTheRun) {
  const CommandResult fresh = train({"--steps", "4"});
  EXPECT_EQ(fresh.output.substr(0, fresh.output.find('\n')),
            "run 1 on cpu: 96 samples, 6 steps an epoch, 3 epochs; stored in " + folder.path());
  const CommandResult resumed = train({"--resume", "1", "--steps", "5"});
  EXPECT_EQ(resumed.output.substr(0, resumed.output.find('\n')),
            "run 1 goes on at step 4 on cpu: 96 samples, 6 steps an epoch, 3 epochs; stored in " +
                folder.path());
}

TEST_F(CliOutput, ALongTrainingTellsNowAndAgainWhereItIs) {
  testing::writeToyProject(folder.path(), R"("epochs": 1000, )", 40000);
  Launch launch{{"train", folder.path(), "--set", "graph.nodes.conv.out_channels=512"}};
  launch.output = folder.path("output");
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = launchCli(launch);
  while (textOf("output").find("/1000  step ") == std::string::npos &&
         std::chrono::steady_clock::now() - start < std::chrono::minutes(1))
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  kill(child, SIGTERM);
  EXPECT_EQ(waitFor(child), 130);
  const std::string text = textOf("output");
  EXPECT_NE(text.find("/1000  step "), std::string::npos) << text;
  EXPECT_EQ(text.find('\r'), std::string::npos) << "nothing is drawn over in a file";
}

}  // namespace
}  // namespace tenon
