// SPDX-License-Identifier: Apache-2.0
// The project lock: flock on .tenon.lock, whose text names the holder.
#include "engine/store/project_lock.h"

#include <fcntl.h>
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

std::string hostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// What the holder wrote: its process number and, after a blank, the name of its machine.
struct Holder {
  int64_t pid = 0;
  std::string host;
};

Holder holderIn(const File& file) {
  char text[300] = {};
  const size_t length = file.pread(std::as_writable_bytes(std::span(text)), 0);
  Holder holder;
  const auto [rest, failed] = std::from_chars(text, text + length, holder.pid);
  if (failed != std::errc() || rest == text + length || *rest != ' ') return holder;
  const std::string_view name(rest + 1, static_cast<size_t>(text + length - rest - 1));
  holder.host = name.substr(0, name.find('\n'));
  return holder;
}

Error busyError(const std::string& folder, const Holder& holder) {
  std::string who = holder.pid > 0 ? fmt::format("process {}", holder.pid) : "another process";
  if (!holder.host.empty() && holder.host != hostName())
    who += fmt::format(" on '{}'", holder.host);
  return Error(Code::Busy, fmt::format("[store] project '{}' is open for writing in {}; only one "
                                       "at a time may train in it",
                                       folder, who));
}

Error notWritable(const std::string& folder, int why) {
  return Error(Code::Io,
               fmt::format("[store] project folder '{}' cannot be written: {}; runs are kept in "
                           "it, so copy the project to a folder of your own",
                           folder, std::strerror(why)),
               why);
}

/// Everybody who opens a project for writing comes here first, so this says what it means.
File openLock(const std::string& folder) {
  try {
    File file(lockPath(folder), FileMode::ReadWrite);
    // A lock of earlier days may be writable in a folder that takes no new files.
    if (faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
      throw notWritable(folder, errno);
    return file;
  } catch (const Error& error) {
    const int why = error.osError();
    if (why != EACCES && why != EROFS && why != EPERM) throw;
    throw notWritable(folder, why);
  }
}

}  // namespace

ProjectLock::ProjectLock(const std::string& projectFolder) : file_(openLock(projectFolder)) {
  // holder() in another process locks for a moment too, hence a few tries.
  bool locked = tryLock(file_, LOCK_EX);
  for (int attempt = 0; !locked && attempt < 5; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    locked = tryLock(file_, LOCK_EX);
  }
  if (!locked) throw busyError(projectFolder, holderIn(file_));
  file_.truncate(0);
  const std::string text = fmt::format("{} {}\n", getpid(), hostName());
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
  return holderIn(file).pid;
}

}  // namespace tenon
