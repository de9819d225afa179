// SPDX-License-Identifier: Apache-2.0
// Options of tenon-cli that need a look at what they did: seed, threads, recording, checkpoints,
// devices, memory.
#include "engine/store/artifacts.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"
#include "tests/cli/cli_fixture.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::lines;
using testing::runCli;
using Cli = testing::CliFixture;

std::vector<double> losses(const CommandResult& result) {
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  std::vector<double> out;
  for (const Json& line : lines(result.output))
    if (line.find("event")->asString() == "step") out.push_back(line.find("loss")->asDouble());
  return out;
}

TEST_F(Cli, TheSeedDecidesTheRunAndIsKept) {
  const std::vector<double> five = losses(train({"--steps", "3", "--json"}));  // the project's
  const std::vector<double> six = losses(train({"--steps", "3", "--json", "--seed", "6"}));
  EXPECT_EQ(five.size(), 3U);
  EXPECT_NE(five, six);
  EXPECT_EQ(losses(train({"--steps", "3", "--json", "--seed", "5"})), five);
  const std::vector<Json> all = runs();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1].find("seed")->asInt(), 6);
  EXPECT_EQ(all[2].find("seed")->asInt(), 5);
  EXPECT_EQ(train({"--seed", "six"}).exitCode, 2);
}

TEST_F(Cli, ThreadsAreSetAndKept) {
  ASSERT_EQ(train({"--steps", "1", "--threads", "1"}).exitCode, 0);
  const auto store = Store::open(folder.path(), OpenMode::ReadOnly);
  const Json settings = parseJson(store->runs().get(1).settings);
  EXPECT_EQ(settings.find("train")->find("threads")->asInt(), 1);
  EXPECT_EQ(train({"--threads", "-2"}).exitCode, 2);
  const CommandResult bench =
      runCli({"bench", "--workload", "tiny-mlp", "--seconds", "0.1", "--json", "--threads", "1"});
  EXPECT_EQ(lines(bench.output).at(0).find("threads")->asInt(), 1);
}

TEST_F(Cli, RecordKeepsGraphAndMemoryOfTheFirstStep) {
  ASSERT_EQ(train({"--steps", "2", "--record"}).exitCode, 0);
  ASSERT_EQ(train({"--steps", "2"}).exitCode, 0);
  const auto store = Store::open(folder.path(), OpenMode::ReadOnly);
  for (const char* kind : {"graph", "memory"}) {
    const std::vector<ArtifactInfo> recorded = store->artifacts().list(1, kind);
    ASSERT_EQ(recorded.size(), 1U) << kind;
    EXPECT_EQ(recorded[0].step, 1);
    EXPECT_GT(recorded[0].bytes, 100);
    EXPECT_TRUE(store->artifacts().list(2, kind).empty()) << "nobody asked";
  }
}

TEST_F(Cli, EvaluateTakesTheBestCheckpointOrTheLast) {
  ASSERT_EQ(train({"--epochs", "4"}).exitCode, 0);
  const Json run = runs().at(0);
  const CommandResult best =
      runCli({"evaluate", folder.path(), "--run", "1", "--checkpoint", "best", "--json"});
  ASSERT_EQ(best.exitCode, 0) << best.errors;
  const Json line = lines(best.output).at(0);
  EXPECT_EQ(line.find("checkpoint")->asString(), "best");
  EXPECT_EQ(line.find("accuracy")->asDouble(), run.find("best_value")->asDouble());
  // Spoilt after the best: then the two differ.
  ASSERT_EQ(train({"--resume", "1", "--epochs", "6", "--set", "train.optimizer.lr=1000", "--set",
                   "train.schedule.type=constant"})
                .exitCode,
            0);
  const auto accuracy = [this](const char* which) {
    const CommandResult result =
        runCli({"evaluate", folder.path(), "--run", "1", "--checkpoint", which, "--json"});
    return lines(result.output).at(0).find("accuracy")->asDouble();
  };
  EXPECT_EQ(accuracy("best"), run.find("best_value")->asDouble());
  EXPECT_LT(accuracy("last"), accuracy("best"));
  EXPECT_EQ(runCli({"evaluate", folder.path(), "--run", "1", "--checkpoint", "worst"}).exitCode, 2);
  EXPECT_EQ(runCli({"evaluate", folder.path(), "--run", "7"}).exitCode, 3);
}

TEST_F(Cli, DevicesAsJson) {
  const CommandResult result = runCli({"devices", "--json"});
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const std::vector<Json> all = lines(result.output);
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[0].find("id")->asString(), "cpu");
  EXPECT_TRUE(all[0].find("available")->asBool());
  EXPECT_FALSE(all[0].find("name")->asString().empty());
  EXPECT_GT(all[0].find("total_bytes")->asInt(), 0);
  EXPECT_GE(all[0].find("total_bytes")->asInt(), all[0].find("free_bytes")->asInt());
  int ofCuda = 0;
  for (const Json& line : all) {
    if (!line.find("id")->asString().starts_with("cuda")) continue;
    ++ofCuda;
    if (!line.find("available")->asBool()) {
      EXPECT_FALSE(line.find("reason")->asString().empty());
    }
  }
  EXPECT_GT(ofCuda, 0) << "a GPU, or why there is none";
}

TEST_F(Cli, RunsAsJsonHaveTheirSignOfLife) {
  ASSERT_EQ(train({"--steps", "1"}).exitCode, 0);
  const Json run = runs().at(0);
  EXPECT_GE(run.find("heartbeat_us")->asInt(), run.find("started_us")->asInt());
  EXPECT_LE(run.find("heartbeat_us")->asInt(), storeTimeUs());
}

TEST_F(Cli, MemoryThatIsNotThereGivesFour) {
  // No room for the parameters: there is no run.
  const CommandResult none = train({}, {"TENON_MEMORY_LIMIT=1000000"});
  EXPECT_EQ(none.exitCode, 4);
  EXPECT_NE(none.errors.find("[memory] no room for"), std::string::npos) << none.errors;
  // Room for them, but not for 16 MiB of activations each of several times.
  const CommandResult refused =
      train({"--set", "graph.nodes.conv.out_channels=4096"}, {"TENON_MEMORY_LIMIT=67108864"});
  EXPECT_EQ(refused.exitCode, 4);
  EXPECT_NE(refused.errors.find("device has 64.00 MiB in all"), std::string::npos)
      << refused.errors;
  const std::vector<Json> all = runs();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].find("status")->asString(), "failed");
  EXPECT_NE(all[0].find("failure")->asString().find("no room for"), std::string::npos);
  EXPECT_EQ(train({"--steps", "1"}, {"TENON_MEMORY_LIMIT=64MiB"}).exitCode, 0);
}

TEST_F(Cli, ABadVariableOfTheEnvironmentGivesTwo) {
  const std::pair<const char*, const char*> bad[] = {{"TENON_MEMORY_LIMIT", "banana"},
                                                     {"TENON_CPU", "fast"},
                                                     {"TENON_CACHE", "/etc/passwd"},
                                                     {"TENON_FILL_NAN", "yes"},
                                                     {"TENON_FAULTS", "write:1"}};
  for (const auto& [name, value] : bad) {
    const std::vector<std::string> environment = {std::string(name) + "=" + value};
    for (const char* command : {"check", "runs", "train"}) {
      const CommandResult result = runCli({command, folder.path()}, environment);
      EXPECT_EQ(result.exitCode, 2) << command << " " << name;
      EXPECT_NE(result.errors.find(name), std::string::npos) << result.errors;
      EXPECT_NE(result.errors.find(" wants "), std::string::npos) << result.errors;
      EXPECT_NE(result.errors.find(value), std::string::npos) << result.errors;
      EXPECT_EQ(result.output, "");
    }
    EXPECT_EQ(runCli({"devices"}, environment).exitCode, 2) << name;
    EXPECT_EQ(runCli({"--help"}, environment).exitCode, 0) << name;
    EXPECT_EQ(runCli({"train", "--help"}, environment).exitCode, 0) << name;
    EXPECT_EQ(runCli({"check", folder.path()}, {std::string(name) + "="}).exitCode, 0)
        << name << " set to nothing";
  }
  EXPECT_TRUE(runs().empty()) << "refused before a run was made";
}

}  // namespace
}  // namespace tenon
