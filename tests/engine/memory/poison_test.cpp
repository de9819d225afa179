// SPDX-License-Identifier: Apache-2.0
// Under AddressSanitizer, touching what was not asked for is reported although the memory is cached
// by us.
#include "engine/memory/poison.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/memory/cpu_raw_memory.h"
#include "tests/engine/memory/fake_raw_memory.h"

namespace tenon::memory {
namespace {

/// Not optimised away, and instrumented.
[[gnu::noinline]] void write(void* data, size_t index) {
  static_cast<volatile unsigned char*>(data)[index] = 1;
}

TEST(Poison, all_that_was_asked_for_may_be_touched) {
  CpuRawMemory raw;
  CachingAllocator allocator(raw);
  for (size_t bytes : {size_t{1}, size_t{7}, size_t{100}, size_t{448}, size_t{512}, 2 * kMiB}) {
    for (int round = 0; round < 2; ++round) {
      Block* block = allocator.allocate({bytes});
      for (size_t i = 0; i < bytes; ++i) write(block->data, i);
      allocator.free(block);
    }
  }
}

TEST(Poison, a_block_freed_twice_is_reported_in_every_build) {
  CpuRawMemory raw;
  CachingAllocator allocator(raw);
  Block* block = allocator.allocate({100});
  allocator.free(block);
  EXPECT_DEATH(allocator.free(block), "free of a block that is not live");
}

TEST(Poison, without_sanitizer_blocks_stay_dense) {
  if (kRedZoneBytes != 0) GTEST_SKIP() << "sanitizer build: red zones between blocks";
  CpuRawMemory raw;
  CachingAllocator allocator(raw);
  EXPECT_EQ(allocator.allocate({512})->size, 512u);
}

#if defined(__SANITIZE_ADDRESS__)

constexpr char kReport[] = "use-after-poison";

TEST(Poison, one_element_beyond_the_end_is_reported) {
  CpuRawMemory raw;
  CachingAllocator allocator(raw);
  for (size_t bytes :
       {size_t{4}, size_t{100}, size_t{448}, size_t{512}, size_t{1} << 20, 3 * kMiB}) {
    Block* block = allocator.allocate({bytes});
    Block* behind = allocator.allocate({bytes});  // a live neighbour must not hide it
    EXPECT_DEATH(write(block->data, bytes), kReport) << bytes;
    EXPECT_DEATH(write(behind->data, bytes), kReport) << bytes;
    allocator.free(block);
    allocator.free(behind);
  }
}

TEST(Poison, one_element_before_the_start_of_a_later_block_is_reported) {
  CpuRawMemory raw;
  CachingAllocator allocator(raw);
  allocator.allocate({4096});
  Block* block = allocator.allocate({4096});
  EXPECT_DEATH(write(static_cast<char*>(block->data) - 4, 0), kReport);
}

TEST(Poison, freed_memory_is_reported_cached_in_front_or_not) {
  CpuRawMemory raw;
  for (bool frontCache : {true, false}) {
    CachingAllocator allocator(raw, {.frontCache = frontCache});
    Block* block = allocator.allocate({950});  // 950 and 920 with red zone: 1024 both
    void* data = block->data;
    allocator.free(block);
    EXPECT_DEATH(write(data, 10), kReport);
    Block* again = allocator.allocate({920});
    ASSERT_EQ(again->data, data);
    write(again->data, 919);
    EXPECT_DEATH(write(again->data, 949), kReport) << "touchable before, now slack";
    allocator.free(again);
  }
}

TEST(Poison, memory_given_back_to_the_system_is_clean) {
  CpuRawMemory raw;
  void* data = raw.allocateSegment(2 * kMiB);
  write(data, 0);
  raw.freeSegment(data, 2 * kMiB);
  {
    CachingAllocator allocator(raw, {.expandableSegments = false});
    data = allocator.allocate({100})->data;
  }
  EXPECT_FALSE(__asan_address_is_poisoned(static_cast<char*>(data) + 200));
}

#endif

}  // namespace
}  // namespace tenon::memory
