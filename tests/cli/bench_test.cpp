// SPDX-License-Identifier: Apache-2.0
// tenon-cli bench: the fields of its lines, its figures apart for each workload, and serving
// windows.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>

#include "tests/cli/cli_fixture.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::Launch;
using testing::launchCli;
using testing::lines;
using testing::runCli;
using testing::TemporaryFolder;
using testing::waitFor;
using Cli = testing::CliFixture;

TEST_F(Cli, BenchSpeaksThePeersLanguage) {
  const CommandResult result =
      runCli({"bench", "--workload", "tiny-mlp", "--seconds", "0.2", "--json", "--threads", "1"});
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const Json line = lines(result.output)[0];
  for (const char* key :
       {"system", "workload", "threads", "device", "amp", "channels_last", "optim", "loss_step_1",
        "loss_step_20", "windows", "per_second", "min", "max", "peak_bytes"})
    EXPECT_NE(line.find(key), nullptr) << key;
  EXPECT_EQ(line.find("parameters")->asInt(), 1'666);
  EXPECT_EQ(line.find("reorders")->asInt(), 0) << "rows have one layout";
  EXPECT_LT(line.find("loss_step_20")->asDouble(), line.find("loss_step_1")->asDouble());
}

TEST_F(Cli, BenchCountsTheMemoryOfEachWorkloadAlone) {
  const CommandResult result = runCli(
      {"bench", "--workload", "mlp,tiny-mlp", "--seconds", "0.1", "--json", "--threads", "1"});
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const std::vector<Json> all = lines(result.output);
  ASSERT_EQ(all.size(), 2U);
  const int64_t mlp = all[0].find("peak_bytes")->asInt();
  const int64_t tiny = all[1].find("peak_bytes")->asInt();
  // 669,706 parameters with gradient and momentum; the other has 1,666.
  EXPECT_GT(mlp, 3 * 4 * 669'706);
  EXPECT_GT(tiny, 3 * 4 * 1666);
  EXPECT_LT(tiny, mlp / 8);
}

TEST_F(Cli, BenchListsTheNetworksWithThePeersParameters) {
  const CommandResult result = runCli({"bench", "--list", "--json"});
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const std::vector<Json> all = lines(result.output);
  // PyTorch's count for the classes of the peer's script, and its samples or tokens a step.
  const std::tuple<const char*, int64_t, int64_t> wanted[] = {
      {"mlp", 669'706, 128},       {"tiny-mlp", 1'666, 16},
      {"cnn", 468'202, 128},       {"resnet18-cifar", 11'173'962, 64},
      {"resnet50", 25'557'032, 8}, {"gpt-mini", 4'902'912, 2048},
      {"lstm", 1'184'000, 2048}};
  ASSERT_EQ(all.size(), std::size(wanted));
  for (size_t i = 0; i < all.size(); ++i) {
    const auto& [name, parameters, count] = wanted[i];
    EXPECT_EQ(all[i].find("workload")->asString(), name);
    EXPECT_EQ(all[i].find("parameters")->asInt(), parameters) << name;
    EXPECT_EQ(all[i].find("count")->asInt(), count) << name;
    EXPECT_EQ(all[i].find("per_second"), nullptr) << "nothing is trained";
  }
}

TEST_F(Cli, BenchTellsAKernelBesideItsProbe) {
  const CommandResult result = runCli({"bench", "--workload", "matmul-256,conv3x3-forward-512x7",
                                       "--seconds", "0.07", "--json", "--threads", "1"});
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const std::vector<Json> all = lines(result.output);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].find("work")->asDouble(), 2.0 * 256 * 256 * 256);
  EXPECT_EQ(all[1].find("work")->asDouble(), 2.0 * 9 * 512 * 512 * 7 * 7 * 8);
  for (const Json& line : all) {
    EXPECT_EQ(line.find("roof")->asString(), "arithmetic");
    EXPECT_EQ(line.find("windows")->asInt(), 7);
    EXPECT_EQ(line.find("threads")->asInt(), 1);
    const double speed = line.find("per_second")->asDouble();
    EXPECT_GT(speed, 0);
    EXPECT_NEAR(line.find("ns")->asDouble() * speed, 1e9, 1);
    EXPECT_LE(line.find("min")->asDouble(), speed);
    EXPECT_GE(line.find("max")->asDouble(), speed);
    EXPECT_GT(line.find("probe_per_second")->asDouble(), 1e8) << "no machine is that slow";
    EXPECT_GT(line.find("roofline")->asDouble(), 0);
  }
}

TEST_F(Cli, BenchTellsFragmentationOverTenThousandSteps) {
  const CommandResult result = runCli({"bench", "--workload", "alloc-random", "--json"});
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const Json line = lines(result.output).at(0);
  EXPECT_EQ(line.find("steps")->asInt(), 10'000);
  const double live = line.find("peak_live_bytes")->asDouble();
  const double reserved = line.find("peak_reserved_bytes")->asDouble();
  EXPECT_GT(live, 1e8);
  EXPECT_GE(reserved, live);
  EXPECT_EQ(line.find("page_bytes")->asInt(), 22 << 20);
  EXPECT_LT(reserved / live, 1.25) << "1.17 when it was written; the goal is 1.10";
  EXPECT_DOUBLE_EQ(line.find("ratio")->asDouble(), reserved / live);
  EXPECT_DOUBLE_EQ(line.find("ratio_less_pages")->asDouble(), (reserved - (22 << 20)) / live);
}

TEST_F(Cli, BenchRefusesNamesItDoesNotKnow) {
  const CommandResult unknown = runCli({"bench", "--workload", "matmul-257"});
  EXPECT_EQ(unknown.exitCode, 2);
  for (const char* known :
       {"'matmul-257'", "resnet50", "matmul-256", "adamw-33m", "add4-grad", "alloc-random"})
    EXPECT_NE(unknown.errors.find(known), std::string::npos) << unknown.errors;
  const CommandResult sizes = runCli({"bench", "--list", "--workload", "add4"});
  EXPECT_EQ(sizes.exitCode, 2);
  EXPECT_NE(sizes.errors.find("resnet50"), std::string::npos) << sizes.errors;
  const CommandResult both = runCli({"bench", "--list", "--serve"});
  EXPECT_EQ(both.exitCode, 2);
  EXPECT_NE(both.errors.find("--serve"), std::string::npos) << both.errors;
}

/// A program that serves windows: what it prints, and a pipe to what it reads.
class Served {
 public:
  explicit Served(const std::vector<std::string>& arguments) {
    Launch launch{arguments};
    launch.input = folder_.path("input");
    launch.output = folder_.path("output");
    launch.errors = folder_.path("errors");
    EXPECT_EQ(mkfifo(launch.input.c_str(), 0600), 0);
    process_ = launchCli(launch);
    pipe_ = open(launch.input.c_str(), O_WRONLY);  // waits for the program
  }
  ~Served() {
    if (pipe_ >= 0) close(pipe_);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  void say(const std::string& text) {
    EXPECT_EQ(write(pipe_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  /// The lines so far once there are so many.
  std::vector<Json> linesOnceThereAre(size_t count) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (linesOf("output") < count && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return lines(textOf("output"));
  }
  /// Ends its input; its exit code.
  int end() {
    close(std::exchange(pipe_, -1));
    return waitFor(process_);
  }
  std::string textOf(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder_.path(name)).rdbuf();
    return text.str();
  }

 private:
  size_t linesOf(const std::string& name) {
    const std::string text = textOf(name);
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  TemporaryFolder folder_;
  pid_t process_ = -1;
  int pipe_ = -1;
};

TEST_F(Cli, BenchServesAWindowForEachLine) {
  Served served({"bench", "--serve", "--workload", "tiny-mlp", "--threads", "1"});
  // Each answer comes before the next line is written, so that two programs can take turns.
  ASSERT_EQ(served.linesOnceThereAre(1).size(), 1U);
  EXPECT_TRUE(served.linesOnceThereAre(1)[0].find("ready")->asBool());
  for (size_t window = 1; window <= 3; ++window) {
    served.say("0.05\n");
    const std::vector<Json> all = served.linesOnceThereAre(window + 1);
    ASSERT_EQ(all.size(), window + 1);
    const Json& line = all.back();
    EXPECT_EQ(line.find("workload")->asString(), "tiny-mlp");
    EXPECT_EQ(line.find("windows")->asInt(), 1);
    EXPECT_EQ(line.find("threads")->asInt(), 1);
    const double speed = line.find("per_second")->asDouble();
    EXPECT_GT(speed, 0);
    EXPECT_EQ(line.find("min")->asDouble(), speed);
    EXPECT_EQ(line.find("max")->asDouble(), speed);
    EXPECT_GT(line.find("peak_bytes")->asInt(), 0);
  }
  EXPECT_EQ(served.end(), 0);
}

TEST_F(Cli, BenchServesAKernelToo) {
  Served served(
      {"bench", "--serve", "--workload", "conv3x3-backward-weight-512x7", "--threads", "1"});
  ASSERT_EQ(served.linesOnceThereAre(1).size(), 1U);
  served.say("0.02\n");
  const std::vector<Json> all = served.linesOnceThereAre(2);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].find("workload")->asString(), "conv3x3-backward-weight-512x7");
  EXPECT_EQ(all[1].find("windows")->asInt(), 1);
  EXPECT_GT(all[1].find("per_second")->asDouble(), 0);
  EXPECT_GT(all[1].find("roofline")->asDouble(), 0);
  EXPECT_EQ(served.end(), 0);
}

TEST_F(Cli, BenchServeTakesWhatThePeerTakes) {
  Served served({"bench", "--serve", "--workload", "tiny-mlp,mlp", "--threads", "1"});
  ASSERT_EQ(served.linesOnceThereAre(1).size(), 1U);
  size_t answers = 1;
  for (const char* line : {" 0.05 \n", "\t0.05\r\n", "0\n", "0.0\n", "0.\n", "0e0\n"}) {
    served.say(line);
    const std::vector<Json> all = served.linesOnceThereAre(++answers);
    ASSERT_EQ(all.size(), answers) << line;
    EXPECT_EQ(all.back().find("workload")->asString(), "tiny-mlp");
    EXPECT_GT(all.back().find("per_second")->asDouble(), 0);
  }
  EXPECT_EQ(served.end(), 0);
}

TEST_F(Cli, BenchServesOneKnownWorkloadAndNumbers) {
  const CommandResult unknown = runCli({"bench", "--serve", "--workload", "nothing"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_NE(unknown.errors.find("tiny-mlp"), std::string::npos) << unknown.errors;
  for (const char* line : {"soon\n", "-1\n", "0.1 0.2\n"}) {
    Served served({"bench", "--serve", "--workload", "tiny-mlp", "--threads", "1"});
    served.say(line);
    EXPECT_EQ(served.end(), 2) << line;
    EXPECT_NE(served.textOf("errors").find("seconds"), std::string::npos)
        << served.textOf("errors");
  }
}

}  // namespace
}  // namespace tenon
