// SPDX-License-Identifier: Apache-2.0
// The project lock: flock on .tenon.lock, whose text names the holder.
#include "engine/store/project_lock.h"

#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <thread>

#include "engine/base/error.h"

namespace tenon {
namespace {

std::string lockPath(const std::string& folder) { return folder + "/.tenon.lock"; }

/// False if somebody else holds it.
bool tryLock(const File& file, int kind) {
  int result = 0;
  do {
    result = flock(file.descriptor(), kind | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  throw Error(Code::Io, fmt::format("lock '{}': {}", file.path(), std::strerror(errno)), errno);
}

int64_t pidIn(const File& file) {
  char text[32] = {};
  const size_t length = file.pread(std::as_writable_bytes(std::span(text)), 0);
  int64_t pid = 0;
  std::from_chars(text, text + length, pid);
  return pid;
}

}  // namespace

ProjectLock::ProjectLock(const std::string& projectFolder)
    : file_(lockPath(projectFolder), FileMode::ReadWrite) {
  // holder() in another process locks for a moment too, hence a few tries.
  bool locked = tryLock(file_, LOCK_EX);
  for (int attempt = 0; !locked && attempt < 5; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    locked = tryLock(file_, LOCK_EX);
  }
  if (!locked) {
    const int64_t pid = pidIn(file_);
    throw Error(Code::Busy, fmt::format("[store] project '{}' is open for writing in process {}",
                                        projectFolder, pid > 0 ? std::to_string(pid) : "unknown"));
  }
  file_.truncate(0);
  const std::string text = fmt::format("{}\n", getpid());
  file_.pwrite(std::as_bytes(std::span(text)), 0);
}

ProjectLock::~ProjectLock() {
  // The file stays: removing it would let two processes lock two files of one name.
  if (file_.isOpen()) flock(file_.descriptor(), LOCK_UN);
}

int64_t ProjectLock::holder(const std::string& projectFolder) {
  if (!pathExists(lockPath(projectFolder))) return 0;
  const File file(lockPath(projectFolder), FileMode::Read);
  if (tryLock(file, LOCK_SH)) return 0;
  return pidIn(file);
}

}  // namespace tenon
