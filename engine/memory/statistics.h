// SPDX-License-Identifier: Apache-2.0
// Counters of a caching allocator, with the meaning of reference/engine-facts.md 1.6.
#pragma once

#include <array>
#include <cstdint>

namespace tenon::memory {

/// One figure over time. `current` = allocated - freed.
struct Stat {
  int64_t current = 0;
  int64_t peak = 0;
  int64_t allocated = 0;
  int64_t freed = 0;
};

/// Index into StatFamily.
enum class StatPool { All = 0, Large = 1, Small = 2 };
using StatFamily = std::array<Stat, 3>;

/// Counts and bytes; `allocation*` fall at the free request, `active*` and `requested` when the
/// free is complete.
struct Statistics {
  StatFamily allocations, segments, active, inactiveSplit;
  StatFamily allocatedBytes, reservedBytes, activeBytes, inactiveSplitBytes, requestedBytes;
  Stat oversizeAllocations, oversizeSegments;
  int64_t allocRetries = 0;
  int64_t outOfMemory = 0;
  int64_t deviceAllocations = 0;  ///< calls of the device for memory
  int64_t deviceFrees = 0;
};

}  // namespace tenon::memory
