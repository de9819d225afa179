// SPDX-License-Identifier: Apache-2.0
// A toy project for tests of the command line, and the lines of JSON that the program prints.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "engine/schema/json.h"
#include "tests/cli/command.h"
#include "tests/support/idx_files.h"

namespace tenon::testing {

/// Each line of JSON.
inline std::vector<Json> lines(const std::string& output) {
  std::vector<Json> out;
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);) out.push_back(parseJson(line));
  return out;
}

/// Three epochs of six steps.
class CliFixture : public ::testing::Test {
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
  /// The runs as `tenon-cli runs --json` tells them, newest first.
  std::vector<Json> runs() { return lines(runCli({"runs", folder.path(), "--json"}).output); }

  TemporaryFolder folder;
};

}  // namespace tenon::testing
