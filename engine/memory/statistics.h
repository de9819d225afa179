// SPDX-License-Identifier: Apache-2.0
// Counters of a caching allocator, with the meaning of reference/engine-facts.md 1.6.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tenon::memory {

/// Pools keep captured graphs apart; {0, 0} is the common one.
struct PoolId {
  uint32_t kind = 0;
  uint32_t index = 0;
  bool operator==(const PoolId&) const = default;
};

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

/// What a private pool has of the device.
struct PoolReserve {
  PoolId pool;
  int64_t bytes = 0;
};

/// Counts and bytes; `allocation*` fall at the free request, `active*` and `requested` when the
/// free is complete.
struct Statistics {
  StatFamily allocations, segments, active, inactiveSplit;
  StatFamily allocatedBytes, reservedBytes, activeBytes, inactiveSplitBytes, requestedBytes;
  Stat oversizeAllocations, oversizeSegments;
  int64_t allocRetries = 0;
  int64_t outOfMemory = 0;
  /// Of these, refused by a limit of our own without asking the device.
  int64_t outOfMemoryRejections = 0;
  /// How often the device had to finish all its streams so that memory could be given back.
  int64_t allStreamsWaits = 0;
  int64_t deviceAllocations = 0;  ///< calls of the device for memory
  int64_t deviceFrees = 0;
  int64_t maxSplitBytes = -1;               ///< AllocatorOptions::maxSplitBytes; -1: no limit
  std::vector<PoolReserve> privatePools{};  ///< those that hold memory, by id; any stream
};

}  // namespace tenon::memory
