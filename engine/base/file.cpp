// SPDX-License-Identifier: Apache-2.0
// The file layer on top of POSIX calls, with the fault hook before each of them.
#include "engine/base/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "engine/base/error.h"

namespace tenon {
namespace {

[[noreturn]] void fail(std::string_view operation, const std::string& path, int osError) {
  throw Error(Code::Io, fmt::format("{} '{}': {}", operation, path, std::strerror(osError)),
              osError);
}

void ask(FileOperation operation, const std::string& path) {
  if (const int osError = fileFault(operation, path.c_str()))
    fail(fileOperationName(operation), path, osError);
}

int openFlags(FileMode mode) {
  switch (mode) {
    case FileMode::Read:
      return O_RDONLY | O_NONBLOCK;  // a named pipe is not waited for but refused
    case FileMode::ReadWrite:
      return O_RDWR | O_CREAT;
    case FileMode::Replace:
      return O_RDWR | O_CREAT | O_TRUNC;
    case FileMode::CreateNew:
      return O_RDWR | O_CREAT | O_EXCL;
  }
  return O_RDONLY;
}

/// Calls `call(done)` until `bytes` are through or it returns 0; it gets the count done so far.
template <typename Call>
size_t untilDone(size_t bytes, const std::string& path, std::string_view operation, Call call) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t now = call(done);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) fail(operation, path, errno);
    if (now == 0) break;
    done += static_cast<size_t>(now);
  }
  return done;
}

/// The file a symbolic link ends at, or the path itself.
std::string finalTarget(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) == nullptr) fail("resolve", path, errno);
  return resolved;
}

std::string folderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string temporaryBeside(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  return fmt::format("{}.{}.tmp-{}-{}", path.substr(0, name), path.substr(name), getpid(),
                     counter.fetch_add(1));
}

/// Devices are read without end, folders not at all, and of a named pipe nobody knows how long.
/// @throws Error(Code::Input) naming what it is
void refuseIrregular(const File& file) {
  struct stat info {};
  if (fstat(file.descriptor(), &info) != 0) fail("look at", file.path(), errno);
  if (S_ISREG(info.st_mode)) return;
  const char* got = S_ISDIR(info.st_mode)    ? "a folder"
                    : S_ISFIFO(info.st_mode) ? "a named pipe"
                                             : "a device";
  throw Error(Code::Input, fmt::format("'{}' is {}, wanted a regular file", file.path(), got));
}

void copyPermissions(const std::string& from, const File& to) {
  struct stat info {};
  if (stat(from.c_str(), &info) != 0) return;
  if (fchmod(to.descriptor(), info.st_mode & 07777) != 0) fail("chmod", to.path(), errno);
}

}  // namespace

File::File(std::string path, FileMode mode) : path_(std::move(path)) {
  ask(FileOperation::Open, path_);
  if (mode != FileMode::Read)
    if (const int osError = fileFault(FileOperation::OpenForWriting, path_.c_str()))
      fail("open", path_, osError);
  do {
    descriptor_ = ::open(path_.c_str(), openFlags(mode) | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) fail("open", path_, errno);
  if (mode == FileMode::Read) {
    try {
      refuseIrregular(*this);
    } catch (...) {  // no destructor runs
      ::close(descriptor_);
      throw;
    }
  }
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

size_t File::read(std::span<std::byte> into) {
  ask(FileOperation::Read, path_);
  return untilDone(into.size(), path_, "read", [&](size_t done) {
    return ::read(descriptor_, into.data() + done, into.size() - done);
  });
}

size_t File::pread(std::span<std::byte> into, uint64_t offset) const {
  ask(FileOperation::Read, path_);
  return untilDone(into.size(), path_, "read", [&](size_t done) {
    return ::pread(descriptor_, into.data() + done, into.size() - done,
                   static_cast<off_t>(offset + done));
  });
}

void File::write(std::span<const std::byte> bytes) {
  ask(FileOperation::Write, path_);
  const size_t done = untilDone(bytes.size(), path_, "write", [&](size_t at) {
    return ::write(descriptor_, bytes.data() + at, bytes.size() - at);
  });
  if (done < bytes.size()) fail("write", path_, ENOSPC);
}

void File::pwrite(std::span<const std::byte> bytes, uint64_t offset) {
  ask(FileOperation::Write, path_);
  const size_t done = untilDone(bytes.size(), path_, "write", [&](size_t at) {
    return ::pwrite(descriptor_, bytes.data() + at, bytes.size() - at,
                    static_cast<off_t>(offset + at));
  });
  if (done < bytes.size()) fail("write", path_, ENOSPC);
}

void File::sync() {
  ask(FileOperation::Sync, path_);
  // Not repeated after a failure: the kernel reports a lost page only once.
  if (::fsync(descriptor_) != 0) fail("sync", path_, errno);
}

void File::truncate(uint64_t bytes) {
  ask(FileOperation::Truncate, path_);
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) fail("truncate", path_, errno);
}

uint64_t File::size() const {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0) fail("size of", path_, errno);
  return static_cast<uint64_t>(info.st_size);
}

void File::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor >= 0 && ::close(descriptor) != 0 && errno != EINTR) fail("close", path_, errno);
}

std::string readFile(const std::string& path, uint64_t maxBytes) {
  File file(path, FileMode::Read);
  struct stat info {};
  if (::fstat(file.descriptor(), &info) == 0 && S_ISDIR(info.st_mode)) fail("read", path, EISDIR);
  // Files such as /proc entries report size 0 and grow while they are read: read until the end.
  std::string out;
  size_t used = 0;
  size_t room = static_cast<size_t>(std::min(file.size(), maxBytes)) + 1;
  while (true) {
    out.resize(used + room);
    const size_t now = file.read(std::as_writable_bytes(std::span(out)).subspan(used));
    used += now;
    if (used > maxBytes)
      throw Error(Code::Input, fmt::format("read '{}': at most {} bytes are allowed, it has {}",
                                           path, maxBytes, std::max<uint64_t>(file.size(), used)));
    if (now < room) break;
    room = std::min<size_t>(1 << 16, static_cast<size_t>(maxBytes - used) + 1);
  }
  out.resize(used);
  return out;
}

void writeFileAtomically(const std::string& path, std::string_view bytes) {
  const std::string target = finalTarget(path);
  File file(temporaryBeside(target), FileMode::CreateNew);
  try {
    copyPermissions(target, file);
    file.write(bytes);
    file.sync();
    file.close();
    renameFile(file.path(), target);
  } catch (...) {
    ::unlink(file.path().c_str());
    throw;
  }
  syncFolder(folderOf(target));
}

void removeFile(const std::string& path) {
  ask(FileOperation::Remove, path);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail("remove", path, errno);
}

void renameFile(const std::string& from, const std::string& to) {
  ask(FileOperation::Rename, from);
  if (::rename(from.c_str(), to.c_str()) != 0)
    fail("rename", fmt::format("{}' to '{}", from, to), errno);
}

void syncFolder(const std::string& folder) {
  ask(FileOperation::Sync, folder);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail("open", folder, errno);
  const int result = ::fsync(descriptor);
  const int osError = errno;
  ::close(descriptor);
  if (result != 0) fail("sync", folder, osError);
}

bool pathExists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

}  // namespace tenon
