// SPDX-License-Identifier: Apache-2.0
// All segments and blocks of an allocator at one moment.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/memory/allocator.h"

namespace tenon::memory {

/// A piece of a segment. Scope and category are those of the live allocation, and empty for an
/// inactive block.
struct BlockInfo {
  uint64_t address = 0;
  uint64_t size = 0;
  uint64_t requested = 0;  ///< bytes the caller asked for; 0 if inactive
  bool active = false;
  Category category = Category::Temporary;
  Phase phase = Phase::None;
  uint64_t id = 0;  ///< Block::id; 0 if inactive
  NameId layer = 0;
  NameId op = 0;
  int64_t step = -1;
  int64_t timeNs = 0;  ///< monotonic, to a few milliseconds
};

/// Contiguous mapped memory of the device; an expandable reservation gives one for each mapped
/// range.
struct SegmentInfo {
  uint64_t address = 0;
  uint64_t size = 0;
  StreamId stream = 0;
  PoolId pool = {};
  bool small = false;
  bool expandable = false;
  std::vector<BlockInfo> blocks;  ///< by address, without gaps
};

struct Snapshot {
  std::vector<SegmentInfo> segments;  ///< by address
};

}  // namespace tenon::memory
