// SPDX-License-Identifier: Apache-2.0
// Arguments and files that make no sense: each is refused with what is wanted and what was got.
#include <sys/stat.h>

#include <filesystem>

#include "engine/base/file.h"
#include "tests/cli/cli_fixture.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::lines;
using testing::runCli;
using Cli = testing::CliFixture;

bool says(const CommandResult& result, const std::string& part) {
  return result.errors.find(part) != std::string::npos;
}

TEST_F(Cli, EmptyValuesAreRefusedAndStartNothing) {
  for (const char* option :
       {"--resume", "--device", "--seed", "--set", "--epochs", "--steps", "--threads"}) {
    const CommandResult refused = train({option, ""});
    EXPECT_EQ(refused.exitCode, 2) << option;
    EXPECT_TRUE(says(refused, std::string("after '") + option + "' is empty")) << refused.errors;
    const CommandResult joined = train({std::string(option) + "=", "1"});
    EXPECT_EQ(joined.exitCode, 2) << option;
    EXPECT_TRUE(says(joined, std::string("'") + option + "=' has no value")) << joined.errors;
  }
  EXPECT_FALSE(pathExists(folder.path("tenon.sqlite")));
  EXPECT_EQ(runCli({"train", ""}).exitCode, 2);
  EXPECT_EQ(runCli({"evaluate", folder.path(), "--run", ""}).exitCode, 2);
  EXPECT_EQ(runCli({"evaluate", folder.path(), "--run", "1", "--checkpoint", ""}).exitCode, 2);
  EXPECT_EQ(runCli({"bench", "--workload", ""}).exitCode, 2);
  EXPECT_EQ(runCli({"bench", "--seconds", ""}).exitCode, 2);
  EXPECT_EQ(runCli({""}).exitCode, 2);
}

TEST_F(Cli, NumbersOutOfRangeSayWhatIsWanted) {
  struct Case {
    const char* option;
    const char* value;
    const char* says;
  };
  const Case cases[] = {
      {"--epochs", "0", "--epochs: wants a whole number of at least 1, got '0'"},
      {"--epochs", "1.5", "--epochs: wants a whole number of at least 1, got '1.5'"},
      {"--steps", "-3", "--steps: wants a whole number of at least 1, got '-3'"},
      {"--steps", "99999999999999999999",
       "--steps: wants a whole number of at most 9223372036854775807, got '99999999999999999999'"},
      {"--steps", "many", "--steps: wants a whole number of at least 1, got 'many'"},
      {"--threads", "-1", "--threads: wants a whole number of at least 0, got '-1'"},
      {"--threads", "5000", "--threads: wants a whole number of at most 4096, got '5000'"},
      {"--seed", "-1", "--seed: wants a whole number of at least 0, got '-1'"},
      {"--seed", "six", "--seed: wants a whole number of at least 0, got 'six'"},
  };
  for (const Case& each : cases) {
    const CommandResult refused = train({each.option, each.value});
    EXPECT_EQ(refused.exitCode, 2) << each.says;
    EXPECT_TRUE(says(refused, each.says)) << refused.errors;
  }
  for (const char* value : {"nan", "inf", "0", "-1", "soon", "1e999"}) {
    const CommandResult refused = runCli({"bench", "--workload", "tiny-mlp", "--seconds", value});
    EXPECT_EQ(refused.exitCode, 2) << value;
    EXPECT_TRUE(says(refused, std::string("wants a number of seconds above 0, got '") + value))
        << refused.errors;
  }
}

TEST_F(Cli, AnUnknownCommandIsNamedWithTheKnownOnes) {
  const CommandResult far = runCli({"foo"});
  EXPECT_EQ(far.exitCode, 2);
  EXPECT_TRUE(says(far,
                   "unknown command 'foo': known are train, evaluate, runs, check, devices, "
                   "bench"))
      << far.errors;
  const CommandResult near = runCli({"trian", folder.path()});
  EXPECT_EQ(near.exitCode, 2);
  EXPECT_TRUE(says(near, "unknown command 'trian', did you mean 'train'?")) << near.errors;
  const CommandResult none = runCli({});
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_TRUE(says(none, "a command is missing: known are train")) << none.errors;
}

TEST_F(Cli, OnlyRegularFilesAreData) {
  const std::string images = folder.path("train-images.gz");
  const std::string labels = folder.path("test-labels.gz");
  const auto refused = [this](const std::string& path, const std::string& got) {
    for (const char* command : {"check", "train"}) {
      const CommandResult result = runCli({command, folder.path()});
      EXPECT_EQ(result.exitCode, 3) << got;
      EXPECT_TRUE(says(result, "'" + path + "' is " + got + ", wanted a regular file"))
          << result.errors;
    }
  };
  std::filesystem::rename(images, folder.path("kept"));
  ASSERT_EQ(mkfifo(images.c_str(), 0600), 0);
  refused(images, "a named pipe");  // nobody writes into it, and it is not waited for
  std::filesystem::remove(images);
  std::filesystem::create_directory(images);
  refused(images, "a folder");
  std::filesystem::remove(images);
  std::filesystem::rename(folder.path("kept"), images);
  EXPECT_EQ(runCli({"check", folder.path()}).exitCode, 0);
  std::filesystem::remove(labels);
  ASSERT_EQ(mkfifo(labels.c_str(), 0600), 0);
  refused(labels, "a named pipe");
}

TEST_F(Cli, ADeviceIsNoData) {
  const CommandResult result = train({"--set", "data.reader.images=/dev/zero"});
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_TRUE(says(result, "'/dev/zero' is a device, wanted a regular file")) << result.errors;
}

TEST_F(Cli, OnlyARegularFileIsAProject) {
  const std::string file = folder.path("project.tenon");
  std::filesystem::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  const CommandResult pipe = runCli({"check", folder.path()});
  EXPECT_EQ(pipe.exitCode, 3);
  EXPECT_TRUE(says(pipe, "'" + file + "' is a named pipe, wanted a regular file")) << pipe.errors;
  const CommandResult device = runCli({"runs", "/dev/zero"});
  EXPECT_EQ(device.exitCode, 3);
  EXPECT_TRUE(says(device, "'/dev/zero' is a device, wanted a regular file")) << device.errors;
}

TEST_F(Cli, AProjectWithoutAStoreHasNoRuns) {
  const CommandResult text = runCli({"runs", folder.path()});
  EXPECT_EQ(text.exitCode, 0) << text.errors;
  EXPECT_EQ(text.output, "no runs yet: tenon-cli train " + folder.path() + "\n");
  const CommandResult json = runCli({"runs", folder.path(), "--json"});
  EXPECT_EQ(json.exitCode, 0) << json.errors;
  EXPECT_EQ(json.output, "");
  for (const char* run : {"last", "1"}) {
    const CommandResult evaluated = runCli({"evaluate", folder.path(), "--run", run});
    EXPECT_EQ(evaluated.exitCode, 3);
    EXPECT_TRUE(says(evaluated, "no runs yet")) << evaluated.errors;
  }
}

TEST_F(Cli, EvaluateSaysWhichCheckpointThereIs) {
  ASSERT_EQ(train({"--steps", "2"}).exitCode, 0);
  const CommandResult best = runCli({"evaluate", folder.path(), "--run", "last"});
  EXPECT_EQ(best.exitCode, 3);
  EXPECT_TRUE(says(best,
                   "run 1 has no best checkpoint: --checkpoint last takes its newest one, "
                   "of step 2"))
      << best.errors;
  std::filesystem::remove(folder.path("checkpoints.sqlite"));
  for (const char* which : {"best", "last"}) {
    const CommandResult none =
        runCli({"evaluate", folder.path(), "--run", "1", "--checkpoint", which});
    EXPECT_EQ(none.exitCode, 3);
    EXPECT_TRUE(says(none, "run 1 has no checkpoint at all")) << none.errors;
  }
}

}  // namespace
}  // namespace tenon
