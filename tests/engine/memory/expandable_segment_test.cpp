// SPDX-License-Identifier: Apache-2.0
// Expandable segments: growth page by page, joining with free space, unmapping of free pages, what
// counters say.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/memory/allocator.h"
#include "engine/memory/history.h"
#include "engine/memory/snapshot.h"
#include "tests/engine/memory/fake_raw_memory.h"
#include "tests/engine/memory/invariants.h"

namespace tenon::memory {
namespace {

AllocatorOptions expandableOptions() { return {.expandableSegments = true, .frontCache = false}; }

TEST(ExpandableSegment, grows_by_pages_of_its_pool) {
  FakeRawMemory raw;
  raw.total = 800 * kMiB;
  CachingAllocator allocator(raw, expandableOptions());
  Block* large = allocator.allocate({30 * kMiB});
  EXPECT_EQ(allocator.reservedBytes(), 40 * kMiB) << "two pages of 20 MiB";
  Block* small = allocator.allocate({1000});
  EXPECT_EQ(allocator.reservedBytes(), 42 * kMiB) << "a page of 2 MiB";
  ASSERT_EQ(raw.reservations.size(), 2u);
  for (const auto& [address, bytes] : raw.reservations) {
    EXPECT_GE(bytes, 900 * kMiB) << "9/8 of the device";
    EXPECT_LT(bytes, 920 * kMiB);
  }
  Block* next = allocator.allocate({15 * kMiB});
  EXPECT_EQ(addressOf(next), addressOf(large) + 30 * kMiB);
  EXPECT_EQ(next->size, 15 * kMiB) << "always split exactly";
  EXPECT_EQ(allocator.reservedBytes(), 62 * kMiB);
  const Statistics s = allocator.statistics();
  EXPECT_EQ(s.segments[0].current, 0) << "not in the segment count";
  EXPECT_EQ(s.inactiveSplit[0].current, 0);
  EXPECT_EQ(s.inactiveSplitBytes[0].current, 0);
  EXPECT_EQ(s.deviceAllocations, 3);
  checkInvariants(allocator,
                  {{addressOf(large), large}, {addressOf(small), small}, {addressOf(next), next}});
}

TEST(ExpandableSegment, a_free_tail_is_used_for_a_larger_request) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, expandableOptions());
  Block* first = allocator.allocate({25 * kMiB});
  allocator.free(first);
  Block* larger = allocator.allocate({50 * kMiB});
  EXPECT_EQ(addressOf(larger), addressOf(first)) << "the 40 MiB there plus one page";
  EXPECT_EQ(allocator.reservedBytes(), 60 * kMiB);
  EXPECT_EQ(allocator.statistics().deviceAllocations, 2);
}

TEST(ExpandableSegment, free_whole_pages_are_unmapped_and_mapped_again) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, expandableOptions());
  Block* a = allocator.allocate({10 * kMiB});
  Block* b = allocator.allocate({60 * kMiB});  // from 10 to 70
  Block* c = allocator.allocate({5 * kMiB});   // from 70 to 75, mapped up to 80
  const uintptr_t base = addressOf(a);
  allocator.free(b);
  allocator.emptyCache();
  EXPECT_EQ(allocator.reservedBytes(), 40 * kMiB) << "20..60 went back";
  EXPECT_EQ(allocator.statistics().deviceFrees, 1);
  const Snapshot snapshot = allocator.snapshot();
  ASSERT_EQ(snapshot.segments.size(), 2u) << "one for each mapped range";
  EXPECT_EQ(snapshot.segments[0].address, base);
  EXPECT_EQ(snapshot.segments[0].size, 20 * kMiB);
  EXPECT_EQ(snapshot.segments[1].address, base + 60 * kMiB);
  EXPECT_TRUE(snapshot.segments[1].expandable);
  checkInvariants(allocator, {{addressOf(a), a}, {addressOf(c), c}});

  Block* again = allocator.allocate({60 * kMiB});
  EXPECT_EQ(addressOf(again), base + 10 * kMiB) << "the hole, with the free ends at both sides";
  EXPECT_EQ(allocator.reservedBytes(), 80 * kMiB);
  checkInvariants(allocator, {{addressOf(a), a}, {addressOf(again), again}, {addressOf(c), c}});
  for (Block* block : {a, again, c}) allocator.free(block);
  allocator.emptyCache();
  EXPECT_EQ(allocator.reservedBytes(), 0u);
  EXPECT_TRUE(raw.reservations.empty()) << "the address space too";
  EXPECT_EQ(raw.used, 0u);
}

TEST(ExpandableSegment, a_hole_too_small_is_left_for_the_end) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, expandableOptions());
  Block* a = allocator.allocate({20 * kMiB});
  Block* b = allocator.allocate({20 * kMiB});
  Block* c = allocator.allocate({20 * kMiB});
  allocator.free(b);
  allocator.emptyCache();
  Block* large = allocator.allocate({30 * kMiB});
  EXPECT_EQ(addressOf(large), addressOf(c) + 20 * kMiB);
  Block* fits = allocator.allocate({15 * kMiB});
  EXPECT_EQ(addressOf(fits), addressOf(a) + 20 * kMiB) << "lowest address that fits";
}

TEST(ExpandableSegment, the_block_that_can_grow_is_kept_for_later) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, expandableOptions());
  Block* a = allocator.allocate({14 * kMiB});
  Block* b = allocator.allocate({13 * kMiB});  // the tail is 13 MiB, bordering unmapped space
  allocator.free(a);
  EXPECT_EQ(addressOf(allocator.allocate({12 * kMiB})), addressOf(a)) << "not the tighter tail";
  allocator.free(b);
}

TEST(ExpandableSegment, free_pages_are_moved_rather_than_more_reserved) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, expandableOptions());
  Block* a = allocator.allocate({20 * kMiB});
  Block* b = allocator.allocate({60 * kMiB});
  Block* c = allocator.allocate({20 * kMiB});
  allocator.free(b);
  Block* large = allocator.allocate({70 * kMiB});  // wants four new pages where 110 MiB are live
  EXPECT_EQ(addressOf(large), addressOf(c) + 20 * kMiB);
  EXPECT_EQ(allocator.reservedBytes(), 120 * kMiB) << "the hole's three pages went";
  EXPECT_EQ(allocator.statistics().reservedBytes[0].peak, 120 * kMiB);
  EXPECT_EQ(allocator.statistics().allocRetries, 0);
  checkInvariants(allocator, {{addressOf(a), a}, {addressOf(c), c}, {addressOf(large), large}});
}

TEST(ExpandableSegment, moving_pages_spares_the_free_ends_of_the_place_that_grows) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, expandableOptions());
  Block* a = allocator.allocate({20 * kMiB});
  Block* b = allocator.allocate({100 * kMiB});
  Block* c = allocator.allocate({20 * kMiB});
  allocator.free(b);
  allocator.emptyCache();                           // 20..120 is unmapped
  Block* d = allocator.allocate({30 * kMiB});       // 20..50, mapped up to 60
  allocator.free(allocator.allocate({60 * kMiB}));  // 50..110, mapped up to 120
  Block* e = allocator.allocate({90 * kMiB});
  EXPECT_EQ(addressOf(e), addressOf(c) + 20 * kMiB);
  checkInvariants(allocator,
                  {{addressOf(a), a}, {addressOf(c), c}, {addressOf(d), d}, {addressOf(e), e}});
  EXPECT_LE(allocator.reservedBytes(), 180 * kMiB);
}

TEST(ExpandableSegment, memory_moves_between_streams_when_the_device_is_full) {
  FakeRawMemory raw;
  raw.total = 100 * kMiB;
  CachingAllocator allocator(raw, expandableOptions());
  Block* keep = allocator.allocate({.bytes = 5 * kMiB, .stream = 1});
  allocator.free(allocator.allocate({.bytes = 70 * kMiB, .stream = 1}));
  EXPECT_EQ(allocator.reservedBytes(), 80 * kMiB);
  Block* other = allocator.allocate({.bytes = 60 * kMiB, .stream = 2});
  EXPECT_EQ(allocator.reservedBytes(), 80 * kMiB) << "60 of stream 1 were unmapped";
  EXPECT_EQ(allocator.statistics().allocRetries, 1);
  EXPECT_EQ(allocator.statistics().outOfMemory, 0);
  checkInvariants(allocator, {{addressOf(keep), keep}, {addressOf(other), other}});
}

TEST(ExpandableSegment, devices_that_cannot_reserve_get_plain_segments) {
  FakeRawMemory raw;
  raw.canReserve = false;
  CachingAllocator allocator(raw, expandableOptions());
  Block* block = allocator.allocate({5 * kMiB});
  EXPECT_EQ(raw.segments.size(), 1u);
  EXPECT_EQ(allocator.statistics().segments[0].current, 1);
  EXPECT_FALSE(allocator.snapshot().segments.at(0).expandable);
  allocator.free(block);
  allocator.emptyCache();
  EXPECT_TRUE(raw.segments.empty());
}

TEST(ExpandableSegment, private_pools_keep_their_memory_until_they_are_released) {
  for (bool expandable : {false, true}) {
    FakeRawMemory raw;
    AllocatorOptions options = expandableOptions();
    options.expandableSegments = expandable;
    CachingAllocator allocator(raw, options);
    const PoolId pool{1, 3};
    allocator.free(allocator.allocate({.bytes = 5 * kMiB, .pool = pool}));
    allocator.free(allocator.allocate({5 * kMiB}));
    allocator.emptyCache();
    EXPECT_EQ(allocator.reservedBytes(), 20 * kMiB) << "the common pool's went";
    allocator.releasePool(pool);
    allocator.emptyCache();
    EXPECT_EQ(allocator.reservedBytes(), 0u);
    Block* again = allocator.allocate({.bytes = 1024, .pool = pool});
    allocator.free(again);
    allocator.emptyCache();
    EXPECT_EQ(allocator.reservedBytes(), 2 * kMiB) << "a new pool of the same number";
  }
}

TEST(ExpandableSegment, a_released_pool_keeps_what_is_live) {
  FakeRawMemory raw;
  raw.total = 60 * kMiB;
  CachingAllocator allocator(raw, expandableOptions());
  const PoolId pool{1, 1};
  Block* live = allocator.allocate({.bytes = 5 * kMiB, .pool = pool});
  Block* gone = allocator.allocate({.bytes = 30 * kMiB, .pool = pool});
  allocator.free(gone);
  allocator.releasePool(pool);
  Block* other = allocator.allocate({40 * kMiB});  // only with the released pool's second page
  EXPECT_EQ(allocator.statistics().allocRetries, 1);
  allocator.emptyCache();
  checkInvariants(allocator, {{addressOf(live), live}, {addressOf(other), other}});
  allocator.free(live);
  allocator.free(other);
  allocator.emptyCache();
  EXPECT_EQ(allocator.reservedBytes(), 0u);
}

TEST(ExpandableSegment, mapping_and_unmapping_are_events) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, expandableOptions());
  startHistory(allocator);
  Block* block = allocator.allocate({.bytes = 30 * kMiB, .stream = 2});
  allocator.free(block);
  allocator.emptyCache();
  const Trace trace = stopHistory(allocator);
  ASSERT_EQ(trace.events.size(), 4u);
  const EventKind kinds[] = {EventKind::SegmentMap, EventKind::Alloc, EventKind::Free,
                             EventKind::SegmentUnmap};
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(trace.events[i].kind, kinds[i]) << i;
  EXPECT_EQ(trace.events[0].bytes, 40 * kMiB);
  EXPECT_EQ(trace.events[0].address, addressOf(block));
  EXPECT_EQ(trace.events[0].stream, 2u);
  EXPECT_EQ(trace.events[3].bytes, 40 * kMiB);
}

}  // namespace
}  // namespace tenon::memory
