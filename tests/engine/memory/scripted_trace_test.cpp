// SPDX-License-Identifier: Apache-2.0
// Short traces on a made-up device against expectations derived by hand from
// reference/engine-facts.md 1.1 and 1.6.
#include <gtest/gtest.h>

#include <vector>

#include "engine/base/error.h"
#include "engine/memory/allocator.h"
#include "engine/memory/snapshot.h"
#include "tests/engine/memory/fake_raw_memory.h"

namespace tenon::memory {
namespace {

constexpr int64_t kMi = 1 << 20;
constexpr size_t kLarge = static_cast<size_t>(StatPool::Large);
constexpr size_t kSmall = static_cast<size_t>(StatPool::Small);

TEST(ScriptedTrace, requests_are_rounded_up_to_512_bytes) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  const std::vector<std::pair<size_t, size_t>> cases = {
      {0, 512}, {1, 512}, {511, 512}, {512, 512}, {513, 1024}, {1024, 1024}, {1025, 1536}};
  uintptr_t next = 0;
  int64_t requested = 0, rounded = 0;
  for (const auto& [bytes, size] : cases) {
    Block* block = allocator.allocate({bytes});
    EXPECT_EQ(block->size, size) << bytes;
    EXPECT_EQ(block->requested, bytes);
    EXPECT_TRUE(next == 0 || addressOf(block) == next) << "cut from the front of the remainder";
    next = addressOf(block) + size;
    requested += static_cast<int64_t>(bytes);
    rounded += static_cast<int64_t>(size);
  }
  const Statistics s = allocator.statistics();
  EXPECT_EQ(s.allocations[0].current, 7);
  EXPECT_EQ(s.allocatedBytes[kSmall].current, rounded);
  EXPECT_EQ(s.requestedBytes[kSmall].current, requested);
  EXPECT_EQ(s.reservedBytes[kSmall].current, 2 * kMi);
  EXPECT_EQ(s.segments[kSmall].current, 1);
  EXPECT_EQ(s.deviceAllocations, 1);
  EXPECT_EQ(s.inactiveSplit[kSmall].current, 1);
  EXPECT_EQ(s.inactiveSplit[kSmall].allocated, 1) << "shrinking is not a new split block";
  EXPECT_EQ(s.inactiveSplitBytes[kSmall].current, 2 * kMi - rounded);
  EXPECT_EQ(s.allocatedBytes[kLarge].allocated, 0);
}

TEST(ScriptedTrace, segments_have_the_size_of_their_class) {
  struct Case {
    size_t bytes, segment, handedOut;
    bool small;
  };
  const Case cases[] = {
      {1 * kMiB, 2 * kMiB, 1 * kMiB, true},
      {1 * kMiB + 1, 20 * kMiB, 1 * kMiB + 512, false},
      {10 * kMiB - 512, 20 * kMiB, 10 * kMiB - 512, false},
      {10 * kMiB, 10 * kMiB, 10 * kMiB, false},
      {10 * kMiB + 1, 12 * kMiB, 10 * kMiB + 512, false},
      {30 * kMiB, 30 * kMiB, 30 * kMiB, false},
  };
  for (const Case& c : cases) {
    FakeRawMemory raw;
    CachingAllocator allocator(raw, plainOptions());
    Block* block = allocator.allocate({c.bytes});
    EXPECT_EQ(allocator.reservedBytes(), c.segment) << c.bytes;
    EXPECT_EQ(block->size, c.handedOut) << c.bytes;
    EXPECT_EQ(allocator.snapshot().segments.at(0).small, c.small) << c.bytes;
    EXPECT_EQ(allocator.statistics().segments[c.small ? kSmall : kLarge].current, 1);
  }
}

TEST(ScriptedTrace, large_blocks_are_split_only_above_one_mebibyte) {
  struct Case {
    size_t bytes, handedOut;
    int64_t splitBytes;
  };
  const Case cases[] = {
      {19 * kMiB - 512, 19 * kMiB - 512, kMi + 512},  // remainder 1 MiB + 512
      {19 * kMiB, 20 * kMiB, 0},                      // exactly 1 MiB: handed out whole
      {19 * kMiB + 512, 20 * kMiB, 0},
  };
  for (const Case& c : cases) {
    FakeRawMemory raw;
    CachingAllocator allocator(raw, plainOptions());
    Block* block = allocator.allocate({c.bytes});
    EXPECT_EQ(block->size, c.handedOut) << c.bytes;
    EXPECT_EQ(allocator.allocatedBytes(), c.handedOut) << "allocated counts what was handed out";
    EXPECT_EQ(allocator.statistics().requestedBytes[0].current, static_cast<int64_t>(c.bytes));
    EXPECT_EQ(allocator.statistics().inactiveSplitBytes[kLarge].current, c.splitBytes);
    allocator.free(block);
    EXPECT_EQ(allocator.statistics().inactiveSplit[0].current, 0);
    EXPECT_EQ(allocator.allocatedBytes(), 0u);
  }
}

/// One small segment filled with neighbouring blocks of the given sizes.
std::vector<Block*> fill(CachingAllocator& allocator, const std::vector<size_t>& sizes) {
  std::vector<Block*> blocks;
  for (size_t size : sizes) blocks.push_back(allocator.allocate({size}));
  return blocks;
}

TEST(ScriptedTrace, the_smallest_block_that_fits_wins_and_the_lowest_among_equals) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  // Holes of 4096, 1024, 2048 and 1024, kept apart by live blocks of 512.
  auto b = fill(allocator, {4096, 512, 1024, 512, 2048, 512, 1024, 512});
  const uintptr_t at4096 = addressOf(b[0]), at1024 = addressOf(b[2]), at2048 = addressOf(b[4]),
                  second1024 = addressOf(b[6]);
  for (int hole : {4, 6, 0, 2}) allocator.free(b[static_cast<size_t>(hole)]);
  EXPECT_EQ(addressOf(allocator.allocate({1024})), at1024) << "lower of two equal ones";
  EXPECT_EQ(addressOf(allocator.allocate({1024})), second1024);
  Block* cut = allocator.allocate({1536});
  EXPECT_EQ(addressOf(cut), at2048);
  EXPECT_EQ(cut->size, 1536u);
  EXPECT_EQ(addressOf(allocator.allocate({512})), at2048 + 1536) << "its remainder";
  EXPECT_EQ(addressOf(allocator.allocate({2560})), at4096);
  EXPECT_EQ(raw.calls, 1);
}

TEST(ScriptedTrace, freed_neighbours_are_joined_in_every_order) {
  const std::vector<std::vector<size_t>> orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : orders) {
    FakeRawMemory raw;
    CachingAllocator allocator(raw, plainOptions());
    auto blocks = fill(allocator, {1024, 2048, 512});
    for (size_t index : order) allocator.free(blocks[index]);
    const Snapshot snapshot = allocator.snapshot();
    ASSERT_EQ(snapshot.segments.size(), 1u);
    ASSERT_EQ(snapshot.segments[0].blocks.size(), 1u) << "whole again";
    EXPECT_EQ(snapshot.segments[0].blocks[0].size, 2 * kMiB);
    EXPECT_EQ(allocator.statistics().inactiveSplit[0].current, 0);
    EXPECT_EQ(allocator.statistics().inactiveSplitBytes[0].current, 0);
  }
}

TEST(ScriptedTrace, inactive_split_follows_frees_between_live_blocks) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  auto b = fill(allocator, {1024, 2048, 512, 512});
  const int64_t rest = 2 * kMi - 4096;
  auto split = [&] { return allocator.statistics().inactiveSplit[kSmall].current; };
  auto bytes = [&] { return allocator.statistics().inactiveSplitBytes[kSmall].current; };
  EXPECT_EQ(split(), 1);
  EXPECT_EQ(bytes(), rest);
  allocator.free(b[0]);
  EXPECT_EQ(split(), 2);
  EXPECT_EQ(bytes(), rest + 1024);
  allocator.free(b[1]);  // joins the first
  EXPECT_EQ(split(), 2);
  EXPECT_EQ(bytes(), rest + 3072);
  allocator.free(b[3]);  // joins the rest
  EXPECT_EQ(split(), 2);
  EXPECT_EQ(bytes(), rest + 3584);
  Block* whole = allocator.allocate({3072});  // takes a split block whole
  EXPECT_EQ(addressOf(whole), addressOf(b[0]));
  EXPECT_EQ(split(), 1);
  EXPECT_EQ(bytes(), rest + 512);
  allocator.free(whole);
  allocator.free(b[2]);
  EXPECT_EQ(split(), 0);
  EXPECT_EQ(bytes(), 0);
}

TEST(ScriptedTrace, streams_and_pools_never_share_free_blocks) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  Block* first = allocator.allocate({.bytes = 4096, .stream = 1});
  const uintptr_t address = addressOf(first);
  allocator.free(first);
  EXPECT_NE(addressOf(allocator.allocate({.bytes = 4096, .stream = 2})), address);
  EXPECT_NE(addressOf(allocator.allocate({.bytes = 4096, .stream = 1, .pool = {1, 0}})), address);
  EXPECT_NE(addressOf(allocator.allocate({.bytes = 4096, .stream = 1, .pool = {0, 1}})), address);
  EXPECT_EQ(raw.calls, 4) << "a segment each";
  EXPECT_EQ(addressOf(allocator.allocate({.bytes = 4096, .stream = 1})), address);
  EXPECT_EQ(raw.calls, 4);
  const Snapshot snapshot = allocator.snapshot();
  ASSERT_EQ(snapshot.segments.size(), 4u);
  EXPECT_EQ(snapshot.segments[1].stream, 2u);
  EXPECT_EQ(snapshot.segments[2].pool, (PoolId{1, 0}));
  EXPECT_EQ(snapshot.segments[3].pool, (PoolId{0, 1}));
}

TEST(ScriptedTrace, small_and_large_pool_are_apart) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  allocator.free(allocator.allocate({5 * kMiB}));
  Block* small = allocator.allocate({1 * kMiB});
  EXPECT_EQ(allocator.reservedBytes(), 22 * kMiB) << "a cached large block is not used for it";
  allocator.free(small);
  EXPECT_EQ(allocator.statistics().allocations[kLarge].peak, 1);
  EXPECT_EQ(allocator.statistics().allocations[kSmall].peak, 1);
  EXPECT_EQ(allocator.statistics().allocations[0].peak, 1) << "never both at once";
}

AllocatorOptions maxSplit32() {
  AllocatorOptions options = plainOptions();
  options.maxSplitBytes = 32 * kMiB;
  return options;
}

TEST(ScriptedTrace, oversize_blocks_are_neither_split_nor_given_to_small_requests) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, maxSplit32());
  Block* oversize = allocator.allocate({40 * kMiB});
  const uintptr_t address = addressOf(oversize);
  EXPECT_EQ(allocator.statistics().oversizeAllocations.current, 1);
  EXPECT_EQ(allocator.statistics().oversizeSegments.current, 1);
  allocator.free(oversize);
  EXPECT_EQ(allocator.statistics().oversizeAllocations.current, 0);
  Block* below = allocator.allocate({30 * kMiB});
  EXPECT_NE(addressOf(below), address) << "a request below the limit leaves it alone";
  EXPECT_EQ(allocator.statistics().oversizeSegments.current, 1) << "30 MiB is not oversize";
  Block* whole = allocator.allocate({33 * kMiB});
  EXPECT_EQ(addressOf(whole), address);
  EXPECT_EQ(whole->size, 40 * kMiB) << "never split";
  allocator.free(whole);
  allocator.free(below);
}

TEST(ScriptedTrace, oversize_requests_refuse_blocks_twenty_mebibytes_too_large) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, maxSplit32());
  Block* big = allocator.allocate({60 * kMiB});
  const uintptr_t address = addressOf(big);
  allocator.free(big);
  Block* refused = allocator.allocate({40 * kMiB});  // 60 >= 40 + 20
  EXPECT_NE(addressOf(refused), address);
  Block* taken = allocator.allocate({40 * kMiB + 512});
  EXPECT_EQ(addressOf(taken), address);
}

TEST(ScriptedTrace, private_pools_refusals_and_waits_are_counted) {
  FakeRawMemory raw;
  raw.total = 100 * kMiB;
  AllocatorOptions options = maxSplit32();
  options.memoryFraction = 0.5;
  CachingAllocator allocator(raw, options);
  EXPECT_EQ(allocator.statistics().maxSplitBytes, 32 * kMi);
  EXPECT_TRUE(allocator.statistics().privatePools.empty());
  allocator.allocate({.bytes = 512});
  Block* graph = allocator.allocate({.bytes = 512, .stream = 1, .pool = {0, 7}});
  Block* other = allocator.allocate({.bytes = 12 * kMiB, .stream = 2, .pool = {0, 7}});
  allocator.allocate({.bytes = 512, .pool = {1, 0}});
  Statistics s = allocator.statistics();
  ASSERT_EQ(s.privatePools.size(), 2u);
  EXPECT_EQ(s.privatePools[0].pool, (PoolId{0, 7}));
  EXPECT_EQ(s.privatePools[0].bytes, 14 * kMi) << "two streams";
  EXPECT_EQ(s.privatePools[1].pool, (PoolId{1, 0}));
  EXPECT_EQ(s.privatePools[1].bytes, 2 * kMi);
  EXPECT_EQ(s.allStreamsWaits, 0);

  EXPECT_THROW(allocator.allocate({.bytes = 40 * kMiB}), Error);  // allowed are 50 MiB
  EXPECT_THROW(allocator.allocate({.bytes = size_t{1} << 50}), Error);
  s = allocator.statistics();
  EXPECT_EQ(s.outOfMemory, 2);
  EXPECT_EQ(s.outOfMemoryRejections, 2) << "the device was asked for neither";
  EXPECT_EQ(s.allStreamsWaits, 1) << "before the last attempt; no attempt is worth it for 2^50";
  raw.failNextCalls = 100;
  EXPECT_THROW(allocator.allocate({.bytes = 20 * kMiB}), Error);
  allocator.failAllocation(1);
  EXPECT_THROW(allocator.allocate({.bytes = 512}), Error);
  s = allocator.statistics();
  EXPECT_EQ(s.outOfMemory, 4);
  EXPECT_EQ(s.outOfMemoryRejections, 2) << "the device itself, then a test";
  EXPECT_EQ(s.allStreamsWaits, 2);
  raw.failNextCalls = 0;

  allocator.free(graph);
  allocator.free(other);
  allocator.releasePool({0, 7});
  allocator.emptyCache();
  s = allocator.statistics();
  EXPECT_EQ(s.allStreamsWaits, 3);
  ASSERT_EQ(s.privatePools.size(), 1u) << "given back";
  EXPECT_EQ(s.privatePools[0].pool, (PoolId{1, 0}));
  FakeRawMemory plain;
  EXPECT_EQ(CachingAllocator(plain, plainOptions()).statistics().maxSplitBytes, -1);
}

TEST(ScriptedTrace, peaks_stay_until_reset) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  Block* a = allocator.allocate({1024});
  Block* b = allocator.allocate({2048});
  allocator.free(a);
  EXPECT_EQ(allocator.statistics().allocatedBytes[0].peak, 3072);
  EXPECT_EQ(allocator.statistics().allocations[0].peak, 2);
  allocator.resetPeaks();
  EXPECT_EQ(allocator.statistics().allocatedBytes[0].peak, 2048);
  EXPECT_EQ(allocator.statistics().allocations[0].peak, 1);
  EXPECT_EQ(allocator.statistics().allocatedBytes[0].allocated, 3072);
  EXPECT_EQ(allocator.statistics().allocatedBytes[0].freed, 1024);
  allocator.free(b);
}

TEST(ScriptedTrace, front_cache_returns_the_same_block_and_counts_it_inactive) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, {.expandableSegments = false});
  Block* a = allocator.allocate({1024});
  Block* b = allocator.allocate({1024});
  const uintptr_t address = addressOf(a);
  allocator.free(a);
  EXPECT_EQ(allocator.allocatedBytes(), 1024u);
  EXPECT_EQ(allocator.statistics().inactiveSplit[kSmall].current, 2) << "it and the remainder";
  EXPECT_EQ(allocator.statistics().inactiveSplitBytes[kSmall].current, 2 * kMi - 1024);
  EXPECT_FALSE(allocator.snapshot().segments[0].blocks[0].active);
  EXPECT_NE(addressOf(allocator.allocate({512})), address) << "exact sizes only";
  EXPECT_EQ(addressOf(allocator.allocate({1000})), address);
  allocator.free(b);
  EXPECT_EQ(allocator.statistics().deviceAllocations, 1);
}

TEST(ScriptedTrace, front_cache_is_coalesced_before_the_device_is_asked) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, {.expandableSegments = false});
  std::vector<Block*> blocks;
  for (int i = 0; i < 4096; ++i)
    blocks.push_back(allocator.allocate({512}));  // the segment is full
  for (Block* block : blocks) allocator.free(block);
  allocator.allocate({1 * kMiB});
  EXPECT_EQ(raw.calls, 1);
}

}  // namespace
}  // namespace tenon::memory
