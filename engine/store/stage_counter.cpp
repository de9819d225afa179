// SPDX-License-Identifier: Apache-2.0
// The counter of checkpoint writes in a shared mapping, which a kill -9 leaves behind intact.
#include "engine/store/stage_counter.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>

#include "engine/base/error.h"
#include "engine/base/file.h"

namespace tenon {
namespace {

StageCounts* mapCounts() {
  const char* path = std::getenv("TENON_STAGE_FILE");
  if (path == nullptr || *path == '\0') return nullptr;
  const File file(path, FileMode::ReadWrite);
  const StageCounts zero;
  if (file.size() < sizeof zero) {
    File grown(path, FileMode::ReadWrite);
    grown.write(std::as_bytes(std::span(&zero, 1)));
  }
  void* memory =
      mmap(nullptr, sizeof(StageCounts), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
  if (memory == MAP_FAILED) throw Error(Code::Io, "[store] cannot map TENON_STAGE_FILE");
  return static_cast<StageCounts*>(memory);
}

StageCounts* counts() {
  static StageCounts* const kCounts = mapCounts();
  return kCounts;
}

}  // namespace

StageMark::StageMark() {
  if (counts() != nullptr) std::atomic_ref(counts()->begun).fetch_add(1);
}

StageMark::~StageMark() {
  if (counts() != nullptr) std::atomic_ref(counts()->ended).fetch_add(1);
}

}  // namespace tenon
