// SPDX-License-Identifier: Apache-2.0
// The counter of checkpoint writes in a shared mapping, which a kill -9 leaves behind intact.
#include "engine/store/stage_counter.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>

#include "engine/base/environment.h"
#include "engine/base/error.h"
#include "engine/base/file.h"

namespace tenon {
namespace {

StageCounts* mapCounts(const std::string& path) {
  File file(path, FileMode::ReadWrite);
  const StageCounts zero;
  if (file.size() < sizeof zero) file.write(std::as_bytes(std::span(&zero, 1)));
  void* memory =
      mmap(nullptr, sizeof(StageCounts), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
  if (memory == MAP_FAILED)
    throw Error(Code::Io, "map '" + path + "': " + std::strerror(errno), errno);
  return static_cast<StageCounts*>(memory);
}

std::string wantsText(const std::string& path) {
  return "wants a file in a folder that is there, got '" + path + "'";
}

/// Maps it for a moment, since what a folder lets make (/proc, a read-only disk) shows in no other
/// way. A file that is not there yet is tried under a name of this process's own, so that nobody
/// else's counts are taken away with it.
void refuseUnusable(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path file = std::filesystem::absolute(path, failed);
  if (!std::filesystem::is_directory(file.parent_path(), failed) ||
      std::filesystem::is_directory(file, failed))
    throw Error(Code::Usage, wantsText(path));
  const bool there = pathExists(path);
  const std::string tried = there ? path : path + ".try-" + std::to_string(getpid());
  try {
    munmap(mapCounts(tried), sizeof(StageCounts));
  } catch (const Error& error) {
    throw Error(Code::Usage, wantsText(path) + ": " + error.what(), error.osError());
  }
  if (!there) removeFile(tried);
}

const TextVariable kFile("TENON_STAGE_FILE", &refuseUnusable);

/// A file that has become unusable since the check.
StageCounts* mapOrExplain(const std::string& path) {
  try {
    return mapCounts(path);
  } catch (const Error& error) {
    throw Error(error.code(),
                std::string("environment variable ") + kFile.name() + ": " + wantsText(path) +
                    ": " + error.what(),
                error.osError());
  }
}

/// Mapped at the first write that finds the variable set (a test sets it before it forks).
StageCounts* counts() {
  static std::mutex mutex;
  static StageCounts* mapped = nullptr;
  const std::lock_guard lock(mutex);
  if (const std::string path = kFile.value(); mapped == nullptr && !path.empty())
    mapped = mapOrExplain(path);
  return mapped;
}

}  // namespace

StageMark::StageMark() : counts_(counts()) {
  if (counts_ != nullptr) std::atomic_ref(counts_->begun).fetch_add(1);
}

StageMark::~StageMark() {
  if (counts_ != nullptr) std::atomic_ref(counts_->ended).fetch_add(1);
}

}  // namespace tenon
