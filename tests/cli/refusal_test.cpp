// SPDX-License-Identifier: Apache-2.0
// A project that cannot be written: in use, read-only, its database locked, its disk full. Each is
// said clearly, ends with exit code 3 or waits, and harms nothing.
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "engine/store/project_lock.h"
#include "engine/store/runs.h"
#include "tests/cli/command.h"
#include "tests/support/idx_files.h"
#include "tests/support/run_contents.h"

namespace tenon {
namespace {

using testing::CommandResult;
using testing::Launch;
using testing::launchCli;
using testing::launchToEnd;
using testing::runCli;
using testing::startCli;
using testing::TemporaryFolder;
using testing::waitFor;
using testing::writeToyProject;

constexpr uid_t kNobody = 65534;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string textOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// True as soon as `condition` holds; false if it does not within a minute.
template <class Condition>
bool comesTrue(Condition condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

class Refusal : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TENON_CACHE", folder.path("cache").c_str(), 1);
    writeToyProject(folder.path(), R"("epochs": 100000, )");
  }
  CommandResult trainTwoSteps() { return runCli({"train", folder.path(), "--steps", "2"}); }

  TemporaryFolder folder;
};

TEST_F(Refusal, ASecondStartNamesProjectAndProcess) {
  const pid_t first = startCli({"train", folder.path()});
  ASSERT_TRUE(comesTrue([&] { return ProjectLock::holder(folder.path()) == first; }));
  const CommandResult second = trainTwoSteps();
  EXPECT_EQ(second.exitCode, 3);
  EXPECT_TRUE(contains(second.errors, "project '" + folder.path() + "' is open for writing"))
      << second.errors;
  EXPECT_TRUE(contains(second.errors, "process " + std::to_string(first))) << second.errors;
  EXPECT_EQ(second.output, "");
  EXPECT_EQ(kill(first, 0), 0) << "the first goes on";
  // Looking at the project is no writing.
  EXPECT_TRUE(comesTrue([&] { return runCli({"runs", folder.path()}).exitCode == 0; }));
  kill(first, SIGTERM);
  EXPECT_EQ(waitFor(first), 130);
  EXPECT_EQ(trainTwoSteps().exitCode, 0);  // the lock went with its holder
}

TEST_F(Refusal, AReadOnlyFileSystemIsSaidAndCanBeLookedAt) {
  ASSERT_EQ(trainTwoSteps().exitCode, 0);
  const std::vector<std::string> readOnly = {"TENON_FAULTS=openwrite:1+:EROFS"};
  const CommandResult refused = runCli({"train", folder.path(), "--steps", "3"}, readOnly);
  EXPECT_EQ(refused.exitCode, 3);
  EXPECT_TRUE(contains(refused.errors, "'" + folder.path() + "' cannot be written"))
      << refused.errors;
  EXPECT_TRUE(contains(refused.errors, "Read-only file system")) << refused.errors;
  EXPECT_TRUE(contains(refused.errors, "copy the project to a folder of your own"))
      << refused.errors;
  const CommandResult listed = runCli({"runs", folder.path()}, readOnly);
  EXPECT_EQ(listed.exitCode, 0) << listed.errors;
  EXPECT_TRUE(contains(listed.output, "step        2")) << listed.output;
  EXPECT_EQ(
      runCli({"evaluate", folder.path(), "--run", "1", "--checkpoint", "last"}, readOnly).exitCode,
      0);
  EXPECT_EQ(runCli({"check", folder.path()}, readOnly).exitCode, 0);
}

TEST_F(Refusal, ADatabaseThatBecameReadOnlyIsSaid) {
  ASSERT_EQ(trainTwoSteps().exitCode, 0);
  const std::string database = folder.path("tenon.sqlite");
  // The first file that is opened for writing is the project's lock, the second is the database.
  for (const auto& [error, text] :
       {std::pair{"EROFS", "Read-only file system"}, std::pair{"EACCES", "Permission denied"}}) {
    const CommandResult refused = runCli({"train", folder.path(), "--steps", "3"},
                                         {std::string("TENON_FAULTS=openwrite:2+:") + error});
    EXPECT_EQ(refused.exitCode, 3);
    EXPECT_TRUE(contains(refused.errors, "'" + database + "': " + text)) << refused.errors;
  }
  EXPECT_EQ(runCli({"train", folder.path(), "--resume", "last", "--steps", "3"}).exitCode, 0);
}

/// With real permissions: only where another user may execute the program, or who runs this is no
/// root. The two tests above always run.
TEST_F(Refusal, AFolderWithoutPermissionIsSaidAndCanBeLookedAt) {
  ASSERT_EQ(trainTwoSteps().exitCode, 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  Launch train{{"train", folder.path(), "--steps", "3"}};
  Launch runs{{"runs", folder.path()}};
  if (geteuid() == 0) train.user = runs.user = kNobody;  // root may write everywhere
  const CommandResult refused = launchToEnd(train);
  const CommandResult listed = launchToEnd(runs);
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  if (refused.exitCode == 126 || refused.exitCode == 127)
    GTEST_SKIP() << "other users cannot execute the program here";
  EXPECT_EQ(refused.exitCode, 3);
  EXPECT_TRUE(contains(refused.errors, "'" + folder.path() + "' cannot be written"))
      << refused.errors;
  EXPECT_TRUE(contains(refused.errors, "Permission denied")) << refused.errors;
  EXPECT_EQ(listed.exitCode, 0) << listed.errors;
  EXPECT_TRUE(contains(listed.output, "step        2")) << listed.output;
}

/// A write transaction in this process, which is another one for the program.
class HeldDatabase {
 public:
  explicit HeldDatabase(const std::string& path) {
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  ~HeldDatabase() { sqlite3_close(handle_); }
  HeldDatabase(const HeldDatabase&) = delete;
  HeldDatabase& operator=(const HeldDatabase&) = delete;

 private:
  sqlite3* handle_ = nullptr;
};

TEST_F(Refusal, ALockedDatabaseIsWaitedForAndThenSaid) {
  ASSERT_EQ(trainTwoSteps().exitCode, 0);
  const std::string database = folder.path("tenon.sqlite");
  {
    const HeldDatabase held(database);
    const CommandResult refused = trainTwoSteps();
    EXPECT_EQ(refused.exitCode, 3);
    EXPECT_TRUE(contains(refused.errors, "'" + database + "' is held by another process"))
        << refused.errors;
    EXPECT_EQ(runCli({"runs", folder.path()}).exitCode, 0);  // readers do not wait
  }
  EXPECT_EQ(trainTwoSteps().exitCode, 0);
}

TEST_F(Refusal, ADiskThatIsFullAtTheStartIsSaid) {
  const CommandResult refused = runCli({"train", folder.path()}, {"TENON_FAULTS=write:1+:ENOSPC"});
  EXPECT_EQ(refused.exitCode, 3);
  EXPECT_TRUE(contains(refused.errors, "No space left on device")) << refused.errors;
  EXPECT_TRUE(contains(refused.errors, folder.path())) << refused.errors;
}

TEST_F(Refusal, ADiskThatFillsUpPausesTheRunWhichCanStillBeStopped) {
  ASSERT_EQ(trainTwoSteps().exitCode, 0);  // leaves a checkpoint of step 2
  Launch launch{
      {"train", folder.path(), "--resume", "1", "--set", "train.checkpoint.every_steps=5"}};
  launch.environment = {"TENON_FAULTS=write:400+:ENOSPC"};
  launch.errors = folder.path("errors.txt");
  const pid_t child = launchCli(launch);
  EXPECT_TRUE(comesTrue([&] { return contains(textOf(launch.errors), "paused: "); }));
  const std::string said = textOf(launch.errors);
  EXPECT_TRUE(contains(said, "No space left on device")) << said;
  EXPECT_TRUE(contains(said, folder.path())) << said;
  kill(child, SIGTERM);
  int status = -1;
  EXPECT_TRUE(comesTrue([&] { return waitpid(child, &status, WNOHANG) == child; }));
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);  // it could not leave a checkpoint of its last step
  EXPECT_EQ(runCli({"runs", folder.path()}).exitCode, 0);
  const int64_t step =
      Store::open(folder.path(), OpenMode::ReadOnly)->checkpoints().newestWhole(1)->step;
  EXPECT_GE(step, 2);
  const CommandResult resumed =
      runCli({"train", folder.path(), "--resume", "1", "--steps", std::to_string(step + 3)});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.errors;
  const auto store = Store::open(folder.path(), OpenMode::ReadOnly);
  EXPECT_EQ(store->runs().get(1).step, step + 3);
  // Every step once: no checkpoint reaches the disk before the rows up to it.
  const auto losses = testing::curve(*store, 1, "train/loss");
  ASSERT_EQ(losses.size(), static_cast<size_t>(step + 3));
  for (size_t i = 0; i < losses.size(); ++i)
    EXPECT_EQ(losses[i].first, static_cast<int64_t>(i) + 1);
}

}  // namespace
}  // namespace tenon
