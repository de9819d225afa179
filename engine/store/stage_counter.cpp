// SPDX-License-Identifier: Apache-2.0
// The counter of checkpoint writes in a shared mapping, which a kill -9 leaves behind intact.
#include "engine/store/stage_counter.h"

#include <sys/mman.h>

#include <atomic>
#include <mutex>
#include <string>

#include "engine/base/environment.h"
#include "engine/base/error.h"
#include "engine/base/file.h"

namespace tenon {
namespace {

const TextVariable kFile("TENON_STAGE_FILE", [](const std::string&) {});

StageCounts* mapCounts(const std::string& path) {
  File file(path, FileMode::ReadWrite);
  const StageCounts zero;
  if (file.size() < sizeof zero) file.write(std::as_bytes(std::span(&zero, 1)));
  void* memory =
      mmap(nullptr, sizeof(StageCounts), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
  if (memory == MAP_FAILED) throw Error(Code::Io, "[store] cannot map TENON_STAGE_FILE");
  return static_cast<StageCounts*>(memory);
}

/// Mapped at the first write that finds the variable set (a test sets it before it forks).
StageCounts* counts() {
  static std::mutex mutex;
  static StageCounts* mapped = nullptr;
  const std::lock_guard lock(mutex);
  if (const std::string path = kFile.value(); mapped == nullptr && !path.empty())
    mapped = mapCounts(path);
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
