// SPDX-License-Identifier: Apache-2.0
// docs/cli.md beside the program: each line of JSON has an example there with just its keys, and
// each command and option a place.
#include <algorithm>
#include <regex>
#include <set>

#include "engine/base/file.h"
#include "tests/cli/cli_fixture.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::Launch;
using testing::launchToEnd;
using testing::lines;
using testing::runCli;
using Cli = testing::CliFixture;

const std::string& document() {
  static const std::string text = readFile(TENON_SOURCE_DIR "/docs/cli.md", 1 << 20);
  return text;
}

/// "event|run|step|..." of an object; for events with the kind, so that two kinds stay apart.
std::string keysOf(const Json& line) {
  std::string keys;
  for (const JsonMember& member : line.members())
    keys += member.key + (member.key == "event" ? "=" + member.value.asString() : "") + "|";
  return keys;
}

std::set<std::string> examples() {
  std::set<std::string> found;
  std::istringstream text(document());
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("{")) found.insert(keysOf(parseJson(line)));
  return found;
}

TEST_F(Cli, EveryLineOfJsonHasItsExample) {
  std::vector<std::vector<std::string>> commands = {
      {"train", folder.path(), "--json", "--epochs", "1"},
      {"evaluate", folder.path(), "--run", "1", "--json"},
      {"runs", folder.path(), "--json"},
      {"devices", "--json"},
      {"bench", "--workload", "tiny-mlp,add4,matmul-256,alloc-random", "--seconds", "0.1",
       "--json"},
      {"bench", "--workload", "tiny-mlp", "--list", "--json"}};
  std::set<std::string> printed;
  for (const std::vector<std::string>& command : commands) {
    const CommandResult result = runCli(command);
    ASSERT_EQ(result.exitCode, 0) << command[0] << ": " << result.errors;
    for (const Json& line : lines(result.output)) printed.insert(keysOf(line));
  }
  Launch served{{"bench", "--serve", "--workload", "tiny-mlp"}};
  served.input = "/dev/null";
  for (const Json& line : lines(launchToEnd(served).output)) printed.insert(keysOf(line));
  const std::set<std::string> told = examples();
  EXPECT_GE(printed.size(), 12U);
  for (const std::string& keys : printed)
    EXPECT_TRUE(told.contains(keys)) << "no example has just these keys: " << keys;
  for (const std::string& keys : told)
    EXPECT_TRUE(printed.contains(keys)) << "an example that nothing prints: " << keys;
}

TEST_F(Cli, EpochsCountFromZeroInJsonAndFromOneInText) {
  std::set<int64_t> epochs;
  for (const Json& line : lines(train({"--json"}).output))
    epochs.insert(line.find("epoch")->asInt());
  EXPECT_EQ(epochs, (std::set<int64_t>{0, 1, 2}));
  EXPECT_EQ(runs().at(0).find("epoch")->asInt(), 2);
  const CommandResult text = train({});
  for (const char* line : {"epoch 1: ", "epoch 2: ", "epoch 3: "})
    EXPECT_NE(text.output.find(line), std::string::npos) << text.output;
  EXPECT_EQ(text.output.find("epoch 0"), std::string::npos);
  EXPECT_EQ(text.output.find("epoch 4"), std::string::npos);
}

/// Words that begin with "--" in the help of a command.
std::set<std::string> optionsOf(const std::string& command) {
  const std::string help = runCli({command, "--help"}).output;
  std::set<std::string> options;
  const std::regex word("--[a-z]+");
  for (std::sregex_iterator it(help.begin(), help.end(), word), end; it != end; ++it)
    options.insert(it->str());
  return options;
}

TEST_F(Cli, TheDocumentTellsEveryCommandAndOption) {
  const std::string help = runCli({"--help"}).output;
  int commands = 0;
  for (const char* command : {"train", "evaluate", "runs", "check", "devices", "bench"}) {
    EXPECT_NE(help.find("  " + std::string(command) + " "), std::string::npos) << command;
    EXPECT_NE(document().find("| `" + std::string(command)), std::string::npos) << command;
    for (const std::string& option : optionsOf(command)) {
      if (option == "--help") continue;
      EXPECT_NE(document().find(option), std::string::npos) << command << " " << option;
      ++commands;
    }
  }
  EXPECT_GT(commands, 15);
}

}  // namespace
}  // namespace tenon
