// SPDX-License-Identifier: Apache-2.0
// Where the command line says that a fault lies: the line of the value in the project file, or the
// option that brought it, each fault once.
#include <fstream>
#include <iterator>

#include "tests/cli/cli_fixture.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::runCli;

class Places : public testing::CliFixture {
 protected:
  /// Puts `now` in the place of `before` in the project file; returns the file's path.
  std::string edit(const std::string& before, const std::string& now) const {
    const std::string path = folder.path("project.tenon");
    std::ifstream in(path);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    if (at != std::string::npos) text.replace(at, before.size(), now);
    std::ofstream(path) << text;
    return path;
  }
  std::string checked() const {
    const CommandResult result = runCli({"check", folder.path()});
    EXPECT_EQ(result.exitCode, 3);
    return result.errors;
  }
  std::string refusedWith(const std::string& setting) {
    const CommandResult result = train({"--set", setting});
    EXPECT_NE(result.exitCode, 0);
    return result.errors;
  }
};

TEST_F(Places, CheckNamesTheLineOfATransformsValue) {
  const std::string file = edit("[0.3]", "[0.1, 0.2]");
  EXPECT_EQ(checked(), "error: " + file +
                           ":13:37: field 'data.transforms.2.mean': wants one number for each of 1 "
                           "channels, got 2\n");
}

TEST_F(Places, CheckTellsAFaultOfTheDataOnce) {
  std::string file = edit("255.0", "-1");
  EXPECT_EQ(checked(), "error: " + file +
                           ":11:38: field 'data.transforms.0.divide_by': parameter 'divide_by' "
                           "expects more than 0, got -1\n");
  edit("-1", "255.0");
  file = edit("random_flip", "random_flop");
  EXPECT_EQ(checked(), "error: " + file +
                           ":12:16: field 'data.transforms.1.type': unknown transform "
                           "'random_flop'; did you mean 'random_flip'?\n");
}

TEST_F(Places, ASettingIsBlamedAsItWasWritten) {
  const std::string what =
      "field 'data.transforms.2.mean': wants one number for each of 1 channels, got 2";
  for (const char* path : {"data.transforms.2.mean", "data.transforms[2].mean"}) {
    const std::string text = refusedWith(std::string(path) + "=0.1,0.2");
    EXPECT_NE(text.find("--set " + std::string(path) + "=0.1,0.2: " + what), std::string::npos)
        << text;
    EXPECT_EQ(text.find("project.tenon"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tenon
