// SPDX-License-Identifier: Apache-2.0
// The host allocator on real memory: alignment, reuse, growth, limits, NaN filling, time of the hot
// pair.
#include "engine/memory/cpu_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/memory/cpu_raw_memory.h"

namespace tenon::memory {
namespace {

constexpr size_t kMiB = 1u << 20;

TEST(CpuAllocator, gives_aligned_memory_that_can_be_written) {
  CachingAllocator& allocator = cpuAllocator();
  const size_t before = allocator.allocatedBytes();
  std::vector<Block*> blocks;
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{512}, size_t{513}, kMiB, kMiB + 1, 30 * kMiB}) {
    Block* block = allocator.allocate({bytes});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block->data) % 64, 0u);
    EXPECT_EQ(block->requested, bytes);
    EXPECT_GE(block->size, std::max<size_t>(bytes, 512));
    std::memset(block->data, 0x5a, bytes);
    blocks.push_back(block);
  }
  for (Block* block : blocks) allocator.free(block);
  EXPECT_EQ(allocator.allocatedBytes(), before);
}

TEST(CpuAllocator, maps_pages_as_it_grows_and_gives_them_back) {
  CpuRawMemory raw;
  {
    CachingAllocator allocator(raw);
    Block* first = allocator.allocate({5 * kMiB});
    EXPECT_EQ(raw.mappedBytes(), 20 * kMiB);
    Block* second = allocator.allocate({25 * kMiB});
    EXPECT_EQ(raw.mappedBytes(), 40 * kMiB);
    EXPECT_EQ(allocator.reservedBytes(), 40 * kMiB);
    std::memset(second->data, 1, 25 * kMiB);
    allocator.free(second);
    allocator.emptyCache();
    EXPECT_EQ(raw.mappedBytes(), 20 * kMiB) << "the page under the first block stays";
    allocator.free(first);
    allocator.emptyCache();
    EXPECT_EQ(raw.mappedBytes(), 0u);
    allocator.allocate({100});
  }
  EXPECT_EQ(raw.mappedBytes(), 0u) << "the destructor gives everything back";
}

TEST(CpuAllocator, memory_given_back_reads_zero_when_mapped_again) {
  CpuRawMemory raw;
  CachingAllocator allocator(raw);
  Block* block = allocator.allocate({2 * kMiB});
  std::memset(block->data, 0x77, block->requested);
  allocator.free(block);
  allocator.emptyCache();
  block = allocator.allocate({2 * kMiB});
  const unsigned char* bytes = static_cast<unsigned char*>(block->data);
  EXPECT_TRUE(std::all_of(bytes, bytes + block->requested, [](unsigned char b) { return b == 0; }));
}

TEST(CpuAllocator, limit_ends_in_a_typed_error_and_leaves_the_rest_usable) {
  CpuRawMemory raw;
  raw.setLimit(64 * kMiB);
  CachingAllocator allocator(raw);
  EXPECT_EQ(raw.totalBytes(), 64 * kMiB);
  Block* half = allocator.allocate({35 * kMiB});
  try {
    allocator.allocate({30 * kMiB});
    FAIL() << "should have thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Memory);
    EXPECT_NE(std::string(error.what()).find("31457280 bytes"), std::string::npos) << error.what();
  }
  EXPECT_EQ(allocator.allocatedBytes(), half->size);
  Block* fits = allocator.allocate({20 * kMiB});
  allocator.free(fits);
  allocator.free(half);
}

TEST(CpuAllocator, plain_segments_work_on_the_host_too) {
  CpuRawMemory raw;
  CachingAllocator allocator(raw, {.expandableSegments = false});
  Block* block = allocator.allocate({11 * kMiB});
  std::memset(block->data, 1, block->requested);
  EXPECT_EQ(raw.mappedBytes(), allocator.reservedBytes());
  EXPECT_EQ(allocator.statistics().segments[0].current, 1);
  allocator.free(block);
  allocator.emptyCache();
  EXPECT_EQ(raw.mappedBytes(), 0u);
}

TEST(CpuAllocator, debug_filling_makes_new_memory_nan) {
  CpuRawMemory raw;
  CachingAllocator allocator(raw, {.fillWithNan = true});
  for (int round = 0; round < 2; ++round) {  // fresh memory, then memory from the front cache
    Block* block = allocator.allocate({1000 * sizeof(float)});
    float* values = static_cast<float*>(block->data);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(std::isnan(values[i])) << i;
    std::fill(values, values + 1000, 1.0f);
    allocator.free(block);
  }
}

TEST(CpuAllocator, the_environment_switches_filling_on) {
  CpuRawMemory raw;
  setenv("TENON_FILL_NAN", "1", 1);
  CachingAllocator filling(raw);
  setenv("TENON_FILL_NAN", "0", 1);
  CachingAllocator plain(raw);
  unsetenv("TENON_FILL_NAN");
  EXPECT_TRUE(std::isnan(*static_cast<double*>(filling.allocate({8})->data)));
  EXPECT_EQ(*static_cast<double*>(plain.allocate({8})->data), 0.0) << "fresh from the system";
}

TEST(CpuAllocator, hot_pair_is_fast) {
  CpuRawMemory raw;
  CachingAllocator allocator(raw);
  constexpr int kPairs = 200000;
  double best = 1e9;
  for (int window = 0; window < 7; ++window) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kPairs; ++i) allocator.free(allocator.allocate({4096}));
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / kPairs);
  }
  std::printf("[ time     ] hot pair %.1f ns\n", best);
  RecordProperty("hot_pair_ns", std::to_string(best));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(best, 500.0);
#endif
}

}  // namespace
}  // namespace tenon::memory
