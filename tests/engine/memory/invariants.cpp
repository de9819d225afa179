// SPDX-License-Identifier: Apache-2.0
// Checks that an allocator's snapshot, its statistics and a test's own list of live blocks agree.
#include "tests/engine/memory/invariants.h"

#include <gtest/gtest.h>

#include "engine/memory/snapshot.h"

namespace tenon::memory {

namespace {

/// Figures derived from a snapshot alone.
struct Sums {
  int64_t reserved = 0, allocated = 0, requested = 0;
  int64_t active = 0, plainSegments = 0, inactiveSplit = 0, inactiveSplitBytes = 0;
};

void addSegment(const SegmentInfo& segment, const LiveBlocks& live, InvariantOptions options,
                Sums& sums) {
  sums.reserved += static_cast<int64_t>(segment.size);
  if (!segment.expandable) ++sums.plainSegments;
  uint64_t next = segment.address;
  bool freeBefore = false;
  for (const BlockInfo& block : segment.blocks) {
    ASSERT_EQ(block.address, next) << "gap or overlap in a segment";
    ASSERT_GT(block.size, 0u);
    ASSERT_EQ(block.size % 512, 0u);
    next += block.size;
    if (block.active) {
      const auto known = live.find(block.address);
      ASSERT_NE(known, live.end()) << "active block nobody holds";
      ASSERT_EQ(known->second->size, block.size);
      ASSERT_EQ(known->second->id, block.id);
      ++sums.active;
      sums.allocated += static_cast<int64_t>(block.size);
      sums.requested += static_cast<int64_t>(block.requested);
    } else {
      ASSERT_FALSE(options.coalesced && freeBefore) << "free neighbours were not joined";
      if (!segment.expandable && segment.blocks.size() > 1) {
        ++sums.inactiveSplit;
        sums.inactiveSplitBytes += static_cast<int64_t>(block.size);
      }
    }
    freeBefore = !block.active;
  }
  ASSERT_EQ(next, segment.address + segment.size);
}

void expectConsistent(const Stat& stat) {
  EXPECT_EQ(stat.current, stat.allocated - stat.freed);
  EXPECT_GE(stat.peak, stat.current);
  EXPECT_GE(stat.current, 0);
}

void expectFamily(const StatFamily& family, int64_t current) {
  EXPECT_EQ(family[0].current, current);
  EXPECT_EQ(family[1].current + family[2].current, current);
  for (const Stat& stat : family) expectConsistent(stat);
}

}  // namespace

void checkInvariants(const CachingAllocator& allocator, const LiveBlocks& live,
                     InvariantOptions options) {
  const Snapshot snapshot = allocator.snapshot();
  Sums sums;
  uint64_t end = 0;
  for (const SegmentInfo& segment : snapshot.segments) {
    ASSERT_GE(segment.address, end) << "segments overlap or are out of order";
    end = segment.address + segment.size;
    addSegment(segment, live, options, sums);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_EQ(sums.active, static_cast<int64_t>(live.size()));
  const Statistics statistics = allocator.statistics();
  expectFamily(statistics.allocations, sums.active);
  expectFamily(statistics.active, sums.active);
  expectFamily(statistics.allocatedBytes, sums.allocated);
  expectFamily(statistics.activeBytes, sums.allocated);
  expectFamily(statistics.requestedBytes, sums.requested);
  expectFamily(statistics.reservedBytes, sums.reserved);
  expectFamily(statistics.segments, sums.plainSegments);
  expectFamily(statistics.inactiveSplit, sums.inactiveSplit);
  expectFamily(statistics.inactiveSplitBytes, sums.inactiveSplitBytes);
  EXPECT_EQ(allocator.allocatedBytes(), static_cast<size_t>(sums.allocated));
  EXPECT_EQ(allocator.reservedBytes(), static_cast<size_t>(sums.reserved));
}

void addLive(LiveBlocks& live, Block* block) {
  const auto address = reinterpret_cast<uintptr_t>(block->data);
  const auto after = live.lower_bound(address);
  if (after != live.end()) {
    EXPECT_GE(after->first, address + block->size) << "overlap";
  }
  if (after != live.begin()) {
    const auto before = std::prev(after);
    EXPECT_LE(before->first + before->second->size, address) << "overlap";
  }
  live.emplace(address, block);
}

}  // namespace tenon::memory
