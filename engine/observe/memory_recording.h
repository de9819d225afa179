// SPDX-License-Identifier: Apache-2.0
// The allocator's history of one step as plain values, stored as a versioned artifact of kind
// "memory".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/export.h"
#include "engine/memory/history.h"

namespace tenon {

/// A memory trace with its names, so that it can be read in another process.
struct MemoryRecording {
  int64_t step = 0;
  memory::Trace trace;             ///< layer and op are indices into `names`
  std::vector<std::string> names;  ///< names[0] is empty
  uint64_t peakBytes = 0;  ///< highest live bytes during the step, by the allocator's own counter
  uint64_t reservedBytes = 0;  ///< at the end
};

inline constexpr int kMemoryRecordingVersion = 1;
/// Stored form and back. @throws Error(Code::Version) for a newer version, Error(Code::Input) for
/// damaged bytes.
TENON_API std::vector<std::byte> encode(const MemoryRecording& recording);
TENON_API MemoryRecording decodeMemory(std::span<const std::byte> bytes);

/// The life of one block, from the trace.
struct BlockLife {
  uint64_t block = 0;
  uint64_t bytes = 0;
  int32_t allocEvent = -1;  ///< -1: lived before the recording
  int32_t freeEvent = -1;   ///< -1: still live at its end
  int64_t startNs = 0;
  int64_t endNs = 0;
  memory::Category category = memory::Category::Temporary;  ///< its last one
  uint32_t layer = 0;                                       ///< index into MemoryRecording::names
  uint32_t op = 0;
  memory::Phase phase = memory::Phase::None;
};
/// Every block that was live at some time, in order of allocation.
TENON_API std::vector<BlockLife> blockLives(const MemoryRecording& recording);

}  // namespace tenon
