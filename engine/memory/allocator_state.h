// SPDX-License-Identifier: Apache-2.0
// The inside of CachingAllocator: search, growth, release, history and reports, all under one lock.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/memory/allocator.h"
#include "engine/memory/block_impl.h"
#include "engine/memory/counters.h"
#include "engine/memory/fast_mutex.h"
#include "engine/memory/history.h"
#include "engine/memory/snapshot.h"

namespace tenon::memory {

/// All functions but the constructor want `mutex` held, unless they say otherwise.
struct AllocatorState {
  AllocatorState(RawMemory& rawMemory, const AllocatorOptions& allocatorOptions);
  ~AllocatorState();

  /// How inactive split blocks change in one operation; only blocks of plain segments count.
  struct InactiveChange {
    int64_t blocks = 0;
    int64_t bytes = 0;
    void leave(const BlockImpl& block) { add(block, -1); }
    void enter(const BlockImpl& block) { add(block, 1); }
    void add(const BlockImpl& block, int64_t sign) {
      if (block.segment->expandable || !block.isSplit()) return;
      blocks += sign;
      bytes += sign * static_cast<int64_t>(block.size);
    }
  };

  /// Who refuses memory: the device, a limit of ours before it is asked, or a test.
  enum class Refusal { Device, Early, Test };

  // allocator.cpp
  Lane& laneOf(PoolId pool, StreamId stream);
  size_t roundedSize(size_t bytes) const;
  BlockImpl* takeCached(Lane& lane, size_t size);
  bool putCached(BlockImpl& block);
  void markActive(BlockImpl& block, const AllocationRequest& request);
  /// Flushes the front cache; true if anything was in it.
  bool flush(Lane& lane);
  void flushAll();

  // block_search.cpp
  /// The best fitting free block of exactly `size` or, where it may not be split, more; nullptr if
  /// there is none.
  BlockImpl* bestFit(SizePool& pool, size_t size);
  /// Cuts a block taken out of the free set down to `size`, where the split rule allows it.
  void split(BlockImpl& block, size_t size);
  /// Joins a block with free neighbours and puts it into the free set.
  void makeFree(BlockImpl& block, InactiveChange& change);
  BlockImpl* newBlock(Segment& segment, std::byte* data, size_t size);
  void dropBlock(BlockImpl& block);
  /// Cuts `block` at `offset`: it keeps the front, the result is the back in the same state. In no
  /// set.
  BlockImpl* cut(BlockImpl& block, size_t offset);
  /// Joins a block with the one behind it, which disappears. Both in no set.
  void joinNext(BlockImpl& block);

  // segment_growth.cpp
  /// Memory from the device (attempts 5 to 7 of reference/engine-facts.md 1.2); nullptr if there is
  /// none.
  BlockImpl* grow(SizePool& pool, size_t size);
  BlockImpl* newSegment(SizePool& pool, size_t size);
  BlockImpl* growExpandable(SizePool& pool, size_t size);
  /// Remembers in `refusedByLimit` what it said.
  bool withinLimit(size_t moreBytes);
  size_t limitBytes() const;
  static size_t segmentBytes(size_t size);
  BlockImpl* roomToGrow(SizePool& pool, size_t size);
  /// Where the device holds much more than was ever live, takes pages out of free blocks of the
  /// pool in exchange for those that `size` bytes from `start` on will need (goal P19).
  void moveFreePages(SizePool& pool, BlockImpl& start, size_t size);
  BlockImpl* reserveMore(SizePool& pool, size_t size);
  bool mapFront(BlockImpl& block, size_t bytes);
  Segment& addSegment(SizePool& pool, void* data, size_t bytes);

  // segment_release.cpp
  /// Frees just enough oversize blocks of the pool for a request; true if that could be enough.
  bool releaseOversize(SizePool& pool, size_t size);
  /// Gives back all that is free, except in private pools in use.
  void releaseAll();
  void releaseUnused(SizePool& pool);
  bool mayRelease(const Lane& lane) const;
  /// Forgets the lanes of released pools that hold no memory any more. Not while one of them grows.
  void dropReleasedLanes();
  void releaseSegment(BlockImpl& whole);
  /// Unmaps whole pages of a free block, the last ones first, at most `most` bytes rounded up to
  /// pages.
  void unmapPages(BlockImpl& block, size_t most = SIZE_MAX);
  void unmapLargest(SizePool& pool, size_t bytes);

  // allocator_report.cpp
  void record(EventKind kind, const BlockImpl& block);
  void recordRange(EventKind kind, const SizePool& pool, const void* data, size_t bytes);
  Event blockEvent(EventKind kind, const BlockImpl& block) const;
  void startHistory(size_t maxEvents);
  Trace stopHistory() { return history.stop(); }
  Snapshot takeSnapshot() const;
  std::string outOfMemoryText(const AllocationRequest& request, size_t wanted) const;
  /// Counts and records the failure. @throws Error(Code::Memory) always.
  [[noreturn]] void failOutOfMemory(const AllocationRequest& request, size_t wanted,
                                    Refusal refusal);
  Statistics takeStatistics() const;

  void apply(const InactiveChange& change, StatPool pool);

  void changeReserved(SizePool& pool, int64_t bytes);

  RawMemory& raw;
  const AllocatorOptions options;
  const bool hostVisible;
  const bool fillWithNan;
  const size_t redZone;

  mutable FastMutex mutex;
  std::map<LaneKey, std::unique_ptr<Lane>> lanes;
  Lane* lastLane = nullptr;
  std::map<std::byte*, std::unique_ptr<Segment>> segments;  // by address
  std::set<std::pair<uint32_t, uint32_t>> releasedPools;
  std::deque<BlockImpl> blockStore;
  BlockImpl* spareBlocks = nullptr;
  uint64_t lastId = 0;
  uint64_t failCountdown = 0;
  bool refusedByLimit = false;
  Counters counters;
  History history;
  /// Most live bytes so far; unlike the counters' peaks it is never reset, since growth goes by it.
  size_t highWaterBytes = 0;
  std::atomic<size_t> liveBytes = 0;  // copies of counters that are read without the lock
  std::atomic<size_t> reservedBytes = 0;
};

}  // namespace tenon::memory
