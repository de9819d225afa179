// SPDX-License-Identifier: Apache-2.0
// tenon-cli train --resume: the same bits in a new process, and settings that may and may not
// change.
#include <sqlite3.h>

#include "engine/base/duration.h"
#include "engine/project/settings.h"
#include "engine/store/events.h"
#include "engine/store/runs.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/run_contents.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::lines;
using testing::runCli;

class CliResume : public testing::CliFixture {
 protected:
  std::shared_ptr<Store> store() { return Store::open(folder.path(), OpenMode::ReadOnly); }
  /// A setting as the run keeps it.
  std::string kept(const std::vector<std::string>& path, RunId run = 1) {
    const Json settings = parseJson(store()->runs().get(run).settings);
    const Json* at = &settings;
    for (const std::string& name : path) at = at ? at->find(name) : nullptr;
    return at ? writeJson(*at, JsonStyle::OneLine) : "";
  }
  std::vector<std::string> changesTold(RunId run = 1) {
    std::vector<std::string> told;
    for (const Event& event : store()->events().read(run))
      if (event.code == "train.setting-changed")
        told.push_back(fillTemplate(event.text, event.args));
    return told;
  }
};

TEST_F(CliResume, ANewProcessGoesOnWithTheSameBits) {
  ASSERT_EQ(train({}).exitCode, 0);
  for (const char* step : {"1", "6", "11"}) {
    ASSERT_EQ(train({"--steps", step}).exitCode, 0);
    ASSERT_EQ(train({"--resume", "last"}).exitCode, 0);
    const auto found = store();
    const RunId run = found->runs().list().front().id;
    EXPECT_GT(run, 1);
    EXPECT_EQ(testing::newestParts(*found, run), testing::newestParts(*found, 1)) << step;
    EXPECT_EQ(testing::allCurves(*found, run), testing::allCurves(*found, 1)) << step;
    EXPECT_EQ(testing::artifactsOf(*found, run, "predictions"),
              testing::artifactsOf(*found, 1, "predictions"))
        << step;
    EXPECT_EQ(found->runs().get(run).bestStep, found->runs().get(1).bestStep);
  }
}

TEST_F(CliResume, WhatWouldBeAnotherRunIsRefusedByName) {
  ASSERT_EQ(train({"--steps", "2"}).exitCode, 0);
  const std::string before = store()->runs().get(1).settings;
  struct Case {
    std::vector<std::string> arguments;
    const char* says;
  };
  const Case cases[] = {
      {{"--seed", "6"}, "train.seed = 5 and can only go on with that, not with 6"},
      {{"--set", "train.batch_size=8"}, "train.batch_size = 16"},
      {{"--set", "train.optimizer.type=sgd"}, "train.optimizer.type = adamw"},
      {{"--set", "graph.nodes.drop.p=0.5"}, "graph.nodes.drop.p = 0.25"},
      {{"--set", "data.transforms.1.p=0.25"}, "data.transforms.1.p = 0.5"},
  };
  for (const Case& each : cases) {
    std::vector<std::string> arguments = {"--resume", "1"};
    arguments.insert(arguments.end(), each.arguments.begin(), each.arguments.end());
    const CommandResult refused = train(arguments);
    EXPECT_EQ(refused.exitCode, 2) << each.says;
    EXPECT_NE(refused.errors.find(std::string("run 1 was trained with ") + each.says),
              std::string::npos)
        << refused.errors;
    EXPECT_EQ(store()->runs().get(1).status, RunStatus::Stopped);
    EXPECT_EQ(store()->runs().get(1).settings, before);
  }
  EXPECT_EQ(train({"--resume", "1", "--seed", "5"}).exitCode, 0) << "the seed it has";
}

TEST_F(CliResume, LessThanIsDoneIsRefused) {
  ASSERT_EQ(train({}).exitCode, 0);  // three epochs of six steps
  const std::string before = store()->runs().get(1).settings;
  for (const auto& [option, asked] : {std::pair{"--epochs", "2"}, std::pair{"--steps", "17"},
                                      std::pair{"--set", "train.epochs=1"}}) {
    const CommandResult refused = train({"--resume", "1", option, asked});
    EXPECT_EQ(refused.exitCode, 2) << option;
    EXPECT_NE(refused.errors.find("18 steps"), std::string::npos) << refused.errors;
    EXPECT_NE(refused.errors.find(std::string("--steps") == option ? "after 17" : "epochs in all"),
              std::string::npos)
        << refused.errors;
    EXPECT_EQ(refused.output, "");
    EXPECT_EQ(store()->runs().get(1).settings, before);
    EXPECT_EQ(store()->runs().get(1).status, RunStatus::Finished);
  }
}

/// As if it had been resumed on the next day.
TEST_F(CliResume, TheTimeBetweenStopAndResumeIsNoTraining) {
  ASSERT_EQ(train({"--steps", "2"}).exitCode, 0);
  const double first = runs().at(0).find("trained_seconds")->asDouble();
  EXPECT_GT(first, 0);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(folder.path("tenon.sqlite").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database,
                         "UPDATE runs SET started_us=started_us-86400000000, "
                         "ended_us=ended_us-86400000000, heartbeat_us=heartbeat_us-86400000000;"
                         "UPDATE run_spans SET begun_us=begun_us-86400000000, "
                         "ended_us=ended_us-86400000000",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  ASSERT_EQ(train({"--resume", "1"}).exitCode, 0);
  const Json run = runs().at(0);
  EXPECT_GT(run.find("ended_us")->asInt() - run.find("started_us")->asInt(), 86400000000);
  EXPECT_GT(run.find("trained_seconds")->asDouble(), first);
  EXPECT_LT(run.find("trained_seconds")->asDouble(), 3600);
  const auto kept = store();
  const int64_t trained = kept->runs().get(1).trainedUs;
  EXPECT_NE(runCli({"runs", folder.path()}).output.find(durationText(trained)), std::string::npos);
  const std::vector<Event> log = kept->events().read(1);
  EXPECT_EQ(log.back().code, "train.finished");
  EXPECT_EQ(log.back().args.at(0), "18");
  EXPECT_EQ(log.back().args.at(1).find(" h "), std::string::npos) << log.back().args.at(1);
}

TEST_F(CliResume, NothingLeftToDoIsSaidAndChangesNothing) {
  ASSERT_EQ(train({}).exitCode, 0);
  const RunInfo before = store()->runs().get(1);
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{}, {"--epochs", "3"}, {"--threads", "1"}}) {
    std::vector<std::string> arguments = {"--resume", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult done = train(arguments);
    EXPECT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_NE(done.errors.find("run 1 has done 18 steps in 3 epochs: nothing is left to do"),
              std::string::npos)
        << done.errors;
    EXPECT_EQ(store()->runs().get(1).settings, before.settings);
    EXPECT_EQ(store()->runs().get(1).endedUs, before.endedUs);
  }
  ASSERT_EQ(train({"--steps", "4"}).exitCode, 0);
  const CommandResult steps = train({"--resume", "2", "--steps", "4"});
  EXPECT_EQ(steps.exitCode, 0);
  EXPECT_NE(steps.errors.find("run 2 has done 4 steps"), std::string::npos) << steps.errors;
  EXPECT_EQ(train({"--resume", "1", "--seed", "6"}).exitCode, 2) << "it is another run";
}

TEST_F(CliResume, LearningRateAndEpochsAreUsedKeptAndTold) {
  ASSERT_EQ(train({"--steps", "4", "--set", "train.schedule.type=constant"}).exitCode, 0);
  const CommandResult resumed = train({"--resume", "1", "--json", "--epochs", "5", "--threads", "1",
                                       "--set", "train.optimizer.lr=0.5"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.errors;
  int64_t steps = 4;
  for (const Json& line : lines(resumed.output)) {
    if (line.find("event")->asString() != "step") continue;
    EXPECT_EQ(line.find("step")->asInt(), ++steps);
    EXPECT_EQ(line.find("lr")->asDouble(), 0.5);
  }
  EXPECT_EQ(steps, 30);  // five epochs
  EXPECT_EQ(kept({"train", "epochs"}), "5");
  EXPECT_EQ(kept({"train", "threads"}), "1");
  EXPECT_EQ(kept({"train", "optimizer", "lr"}), "0.5");
  EXPECT_EQ(changesTold(),
            (std::vector<std::string>{"train.epochs changed from 3 to 5",
                                      "train.threads changed from 0 to 1",
                                      "train.optimizer.lr changed from 0.01 to 0.5"}));
  // And once more: the newest settings count, and nothing is said that did not change.
  ASSERT_EQ(train({"--resume", "1", "--epochs", "6"}).exitCode, 0);
  EXPECT_EQ(store()->runs().get(1).step, 36);
  EXPECT_EQ(testing::curve(*store(), 1, "train/learning_rate").back().second, 0.5);
  EXPECT_EQ(changesTold().size(), 4U);
}

}  // namespace
}  // namespace tenon
