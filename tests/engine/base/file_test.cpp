// SPDX-License-Identifier: Apache-2.0
// The file layer: contents, error texts, and that a failing operation never leaves half a file.
#include "engine/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/error.h"

namespace tenon {
namespace {

class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    char name[] = "/tmp/tenon_file_XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  size_t entries() const {
    const std::filesystem::directory_iterator begin(folder_);
    return static_cast<size_t>(std::distance(begin, std::filesystem::directory_iterator()));
  }

  std::string folder_;
};

/// The Error that `call` throws; fails the test if it throws none.
template <typename Call>
Error errorOf(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(Code::Internal, "");
}

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST_F(FileTest, WritesReadsAndMeasures) {
  File file(path("a"), FileMode::CreateNew);
  file.write("hello ");
  file.write("world");
  file.pwrite(bytesOf("W"), 6);
  file.sync();
  EXPECT_EQ(file.size(), 11u);
  std::string word(5, ' ');
  EXPECT_EQ(file.pread(std::as_writable_bytes(std::span(word)), 6), 5u);
  EXPECT_EQ(word, "World");
  EXPECT_EQ(file.pread(std::as_writable_bytes(std::span(word)), 9), 2u);
  file.truncate(5);
  file.close();
  EXPECT_FALSE(file.isOpen());
  EXPECT_EQ(readFile(path("a"), 5), "hello");
  File again(path("a"), FileMode::Read);
  std::string all(8, '.');
  EXPECT_EQ(again.read(std::as_writable_bytes(std::span(all))), 5u);
  EXPECT_EQ(all, "hello...");
  File moved = std::move(again);
  EXPECT_TRUE(moved.isOpen());
  EXPECT_EQ(moved.path(), path("a"));
}

TEST_F(FileTest, ModesKeepReplaceAndRefuse) {
  writeFileAtomically(path("a"), "old content");
  { File file(path("a"), FileMode::ReadWrite); }
  EXPECT_EQ(readFile(path("a"), 100), "old content");
  { File file(path("a"), FileMode::Replace); }
  EXPECT_EQ(readFile(path("a"), 100), "");
  const Error error = errorOf([&] { File(path("a"), FileMode::CreateNew); });
  EXPECT_EQ(error.code(), Code::Io);
  EXPECT_EQ(error.osError(), EEXIST);
}

TEST_F(FileTest, ErrorsNamePathOperationAndCause) {
  const Error missing = errorOf([&] { readFile(path("none"), 10); });
  EXPECT_EQ(missing.code(), Code::Io);
  EXPECT_EQ(missing.osError(), ENOENT);
  EXPECT_EQ(missing.message(), "open '" + path("none") + "': No such file or directory");

  const Error folder = errorOf([&] { readFile(folder_, 10); });
  EXPECT_EQ(folder.message(), "'" + folder_ + "' is a folder, wanted a regular file");
  EXPECT_EQ(folder.code(), Code::Input);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);  // nobody writes into it: it is not waited for
  const Error pipe = errorOf([&] { readFile(path("pipe"), 10); });
  EXPECT_EQ(pipe.message(), "'" + path("pipe") + "' is a named pipe, wanted a regular file");

  File readOnly((writeFileAtomically(path("a"), "x"), path("a")), FileMode::Read);
  const Error write = errorOf([&] { readOnly.write("y"); });
  EXPECT_EQ(write.message(), "write '" + path("a") + "': Bad file descriptor");
  EXPECT_EQ(write.osError(), EBADF);

  const Error rename = errorOf([&] { renameFile(path("none"), path("b")); });
  EXPECT_EQ(rename.message(),
            "rename '" + path("none") + "' to '" + path("b") + "': No such file or directory");
  EXPECT_EQ(errorOf([&] { syncFolder(path("none")); }).osError(), ENOENT);
  EXPECT_EQ(errorOf([&] { removeFile(folder_); }).code(), Code::Io);
  EXPECT_NO_THROW(removeFile(path("none")));
}

TEST_F(FileTest, ReadFileHonoursTheLimit) {
  writeFileAtomically(path("a"), std::string(100, 'x'));
  EXPECT_EQ(readFile(path("a"), 100).size(), 100u);
  const Error error = errorOf([&] { readFile(path("a"), 99); });
  EXPECT_EQ(error.code(), Code::Input);
  EXPECT_EQ(error.message(), "read '" + path("a") + "': at most 99 bytes are allowed, it has 100");
  // Size 0 in its stat, yet it has content.
  EXPECT_GT(readFile("/proc/self/stat", 1 << 20).size(), 20u);
}

TEST_F(FileTest, AtomicWriteKeepsPermissionsAndLinks) {
  writeFileAtomically(path("a"), "one");
  ASSERT_EQ(chmod(path("a").c_str(), 0600), 0);
  ASSERT_EQ(symlink("a", path("link").c_str()), 0);
  writeFileAtomically(path("link"), "two");
  EXPECT_EQ(readFile(path("a"), 10), "two");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  struct stat info {};
  ASSERT_EQ(stat(path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  EXPECT_EQ(entries(), 2u);
}

TEST_F(FileTest, AtomicWriteSurvivesEveryFault) {
  writeFileAtomically(path("a"), "old");
  for (const FileOperation operation :
       {FileOperation::Open, FileOperation::Write, FileOperation::Sync, FileOperation::Rename}) {
    int failures = 0;
    for (long n = 1;; ++n) {
      ASSERT_LT(n, 10);
      FaultPlan plan(operation, n, operation == FileOperation::Write ? ENOSPC : EIO);
      FaultScope scope(plan);
      const std::string fresh = "new " + std::to_string(n);
      try {
        writeFileAtomically(path("a"), fresh);
        ASSERT_FALSE(plan.fired());
        break;
      } catch (const Error& error) {
        ++failures;
        EXPECT_EQ(error.code(), Code::Io);
        EXPECT_EQ(error.osError(), operation == FileOperation::Write ? ENOSPC : EIO);
        const std::string now = readFile(path("a"), 10);
        // Only the fsync of the folder comes after the rename.
        const bool afterRename = operation == FileOperation::Sync && n == 2;
        EXPECT_EQ(now, afterRename ? fresh : "old");
        writeFileAtomically(path("a"), "old");
        EXPECT_EQ(entries(), 1u) << "a temporary file was left";
      }
    }
    EXPECT_EQ(failures, operation == FileOperation::Sync ? 2 : 1);
    writeFileAtomically(path("a"), "old");
  }
}

TEST_F(FileTest, FaultPlanCountsStaysAndHeals) {
  FaultPlan plan("write:2+:ENOSPC");
  FaultScope scope(plan);
  File file(path("a"), FileMode::CreateNew);
  file.write("1");
  EXPECT_EQ(errorOf([&] { file.write("2"); }).message(),
            "write '" + path("a") + "': No space left on device");
  EXPECT_EQ(errorOf([&] { file.write("2"); }).osError(), ENOSPC);
  EXPECT_TRUE(plan.fired());
  plan.heal();
  file.write("2");
  EXPECT_EQ(plan.count(), 4);
  file.close();
  EXPECT_EQ(readFile(path("a"), 10), "12");
  EXPECT_EQ(fileFault(FileOperation::Sync, "x"), 0);
}

TEST_F(FileTest, FaultPlanRefusesWhatItCannotRead) {
  for (const char* text : {"", "write", "write:1", "wrote:1:EIO", "write:0:EIO", "write:x:EIO",
                           "write:1:EWHAT", "write:+:EIO", "write:1 :EIO"}) {
    const Error error = errorOf([&] { FaultPlan plan{std::string_view(text)}; });
    EXPECT_EQ(error.code(), Code::Usage) << text;
    EXPECT_NE(error.message().find("OPERATION:NUMBER"), std::string::npos);
  }
}

TEST_F(FileTest, FaultsComeFromTheEnvironment) {
  // A process of its own, since the variable is read once.
  const pid_t child = fork();
  if (child == 0) {
    setenv("TENON_FAULTS", "open:1:EROFS", 1);
    setenv("TENON_FILE_TEST_PATH", path("a").c_str(), 1);
    execl("/proc/self/exe", "test_base", "--gtest_filter=FileEnvironment.Child",
          "--gtest_also_run_disabled_tests", nullptr);
    _exit(99);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(FileEnvironment, Child) {
  const char* path = std::getenv("TENON_FILE_TEST_PATH");
  if (path == nullptr) GTEST_SKIP() << "run by FaultsComeFromTheEnvironment";
  EXPECT_EQ(errorOf([&] { File(path, FileMode::CreateNew); }).osError(), EROFS);
  EXPECT_NO_THROW(File(path, FileMode::CreateNew));
}

}  // namespace
}  // namespace tenon
