// SPDX-License-Identifier: Apache-2.0
// What the allocator keeps for itself: blocks with neighbours, segments, and the free blocks of a
// stream and pool.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/memory/allocator.h"

namespace tenon::memory {

inline constexpr size_t kGrain = 512;              // sizes are multiples of it
inline constexpr size_t kSmallLimit = 1u << 20;    // rounded sizes up to it live in the small pool
inline constexpr size_t kSmallSegment = 2u << 20;  // segments and pages of the small pool
inline constexpr size_t kLargeSegment = 20u << 20;
inline constexpr size_t kLargeSegmentLimit =
    10u << 20;  // from here on a segment is as large as its first block
inline constexpr size_t kSegmentGrain = 2u << 20;

enum class BlockState : uint8_t {
  Unmapped,  ///< address space without memory, only in expandable segments
  Free,      ///< in its pool's free set
  Cached,    ///< in the lane's front cache
  Active,    ///< handed out
};

struct Segment;

struct BlockImpl : Block {
  Segment* segment = nullptr;
  BlockImpl* prev = nullptr;  // neighbours by address in the segment
  BlockImpl* next = nullptr;
  BlockImpl* link = nullptr;  // next in the front cache's bin or among spare objects
  BlockState state = BlockState::Free;
  Phase phase = Phase::None;
  NameId layer = 0;
  NameId op = 0;
  int64_t step = -1;
  int64_t timeNs = 0;

  std::byte* begin() const { return static_cast<std::byte*>(data); }
  std::byte* end() const { return begin() + size; }
  bool isSplit() const { return prev != nullptr || next != nullptr; }
};

/// Order of the free set; a size alone stands before every block of that size.
struct BySize {
  using is_transparent = void;
  bool operator()(const BlockImpl* a, size_t size) const { return a->size < size; }
  bool operator()(size_t size, const BlockImpl* b) const { return size <= b->size; }
  bool operator()(const BlockImpl* a, const BlockImpl* b) const {
    return a->size != b->size ? a->size < b->size : a->begin() < b->begin();
  }
};
struct ByAddress {
  bool operator()(const BlockImpl* a, const BlockImpl* b) const { return a->begin() < b->begin(); }
};

struct Lane;

/// Free memory of one size class of a lane.
struct SizePool {
  Lane* lane = nullptr;
  StatPool kind = StatPool::Small;
  bool expandable = false;
  std::set<BlockImpl*, BySize> free;
  std::set<BlockImpl*, ByAddress> unmapped;

  bool isSmall() const { return kind == StatPool::Small; }
  size_t pageBytes() const { return isSmall() ? kSmallSegment : kLargeSegment; }
};

/// Memory got from the device in one piece, or a reservation that is backed page by page.
struct Segment {
  std::byte* base = nullptr;
  size_t size = 0;
  bool expandable = false;
  SizePool* pool = nullptr;
  BlockImpl* first = nullptr;
};

struct LaneKey {
  uint32_t kind = 0;
  uint32_t index = 0;
  StreamId stream = 0;
  auto operator<=>(const LaneKey&) const = default;  // NOLINT(modernize-use-nullptr): its bug
};

/// Everything of one (pool id, stream): lanes never share free memory.
struct Lane {
  Lane(const LaneKey& laneKey, bool expandable) : key(laneKey) {
    small.lane = large.lane = this;
    small.expandable = large.expandable = expandable;
    large.kind = StatPool::Large;
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  LaneKey key;
  SizePool small, large;
  /// Front cache: freed blocks of the small pool by exact size, last in first out, not yet
  /// coalesced.
  std::array<BlockImpl*, kSmallLimit / kGrain + 1> bins = {};
  size_t cachedBytes = 0;
  size_t reservedBytes = 0;  ///< of both pools

  SizePool& poolFor(size_t size) { return size <= kSmallLimit ? small : large; }
  PoolId poolId() const { return {key.kind, key.index}; }
  bool isPrivate() const { return key.kind != 0 || key.index != 0; }
};

}  // namespace tenon::memory
