// SPDX-License-Identifier: Apache-2.0
// What the store's tests share: a project folder, child processes, and catching an Error.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/store/store.h"

namespace tenon {

/// The Error that `call` throws; the test fails if it throws none.
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

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// `count` bytes that depend on `seed`, different in every 8.
inline std::vector<std::byte> pattern(size_t count, uint64_t seed) {
  std::vector<std::byte> bytes(count);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (size_t i = 0; i < count; i += 8) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    for (size_t k = i; k < std::min(count, i + 8); ++k)
      bytes[k] = static_cast<std::byte>(state >> (8 * (k - i)));
  }
  return bytes;
}

/// A project folder of its own, in memory if possible: the tests are about order, not about the
/// disk.
class StoreTest : public ::testing::Test {
 protected:
  StoreTest() {
    std::error_code none;
    const auto memory = std::filesystem::space("/dev/shm", none);
    const bool fits = !none && memory.available > (uintmax_t{1} << 30);  // some stores are 50 MiB
    std::string name = fits && access("/dev/shm", W_OK) == 0 ? "/dev/shm/tenon_store_XXXXXX"
                                                             : "/tmp/tenon_store_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~StoreTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::shared_ptr<Store> open(OpenMode mode = OpenMode::ReadWrite, int busyMs = 10000) const {
    StoreOptions options;
    options.busyTimeout = std::chrono::milliseconds(busyMs);
    return Store::open(folder_, mode, options);
  }
  /// Runs SQL on a file of the folder, past the store.
  void sql(const std::string& file, const std::string& text) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path(file).c_str(), &database), SQLITE_OK);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database, text.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << (message == nullptr ? "" : message);
    sqlite3_free(message);
    sqlite3_close(database);
  }

  std::string folder_;
};

/// Runs `body` in a child process. Open no store before in this process: SQLite must not be carried
/// over a fork.
template <typename Body>
pid_t inChild(Body body) {
  const pid_t child = fork();
  if (child != 0) return child;
  int status = 0;
  try {
    body();
  } catch (const std::exception& error) {
    fprintf(stderr, "child %d: %s\n", getpid(), error.what());
    status = 1;
  }
  _exit(status != 0 || ::testing::Test::HasFailure() ? 1 : 0);
}

/// Waits for a child; true if it ended well.
inline bool endedWell(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Kills a child -9 and waits for its end.
inline void killHard(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

/// A value that parent and children share.
template <typename T>
class Shared {
 public:
  Shared()
      : value_(new (mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                         0)) T()) {}
  ~Shared() { munmap(value_, sizeof(T)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  T* operator->() { return value_; }
  T& operator*() { return *value_; }

 private:
  T* value_;
};

/// Waits until `condition` holds; false after `timeoutMs`.
template <typename Condition>
bool eventually(Condition condition, int timeoutMs = 10000) {
  for (int waited = 0; waited < timeoutMs; ++waited) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return condition();
}

}  // namespace tenon
