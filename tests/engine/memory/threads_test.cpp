// SPDX-License-Identifier: Apache-2.0
// Many threads on one allocator with real memory: no block is handed out twice, none is lost.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "engine/memory/cpu_raw_memory.h"
#include "engine/memory/fast_mutex.h"
#include "engine/memory/snapshot.h"
#include "tests/engine/memory/fake_raw_memory.h"
#include "tests/engine/memory/invariants.h"

namespace tenon::memory {
namespace {

TEST(FastMutex, lets_one_thread_in_at_a_time) {
  FastMutex mutex;
  int64_t count = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 20000; ++i) {
          const std::lock_guard lock(mutex);
          ++count;
          if (i % 4000 == 0) std::this_thread::yield();  // others come to wait in the kernel
        }
      });
  }
  EXPECT_EQ(count, 160000);
}

/// Blocks handed from thread to thread; each holds its own id in first and last word.
class Exchange {
 public:
  void put(Block* block) {
    const std::lock_guard lock(mutex_);
    blocks_.push_back(block);
  }
  Block* take(uint32_t random) {
    const std::lock_guard lock(mutex_);
    if (blocks_.empty()) return nullptr;
    std::swap(blocks_[random % blocks_.size()], blocks_.back());
    Block* block = blocks_.back();
    blocks_.pop_back();
    return block;
  }
  size_t size() const {
    const std::lock_guard lock(mutex_);
    return blocks_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Block*> blocks_;
};

void mark(Block* block) {
  std::memcpy(block->data, &block->id, sizeof(block->id));
  std::memcpy(static_cast<char*>(block->data) + block->requested - 8, &block->id, 8);
}

bool isMarked(const Block* block) {
  return std::memcmp(block->data, &block->id, 8) == 0 &&
         std::memcmp(static_cast<char*>(block->data) + block->requested - 8, &block->id, 8) == 0;
}

void work(CachingAllocator& allocator, Exchange& exchange, uint32_t seed,
          std::atomic<int>& damaged) {
  std::mt19937 random(seed);
  for (int i = 0; i < 20000; ++i) {
    const bool large = random() % 64 == 0;
    if (exchange.size() < 200 && random() % 2 == 0) {
      const size_t bytes = 16 + random() % (large ? 3000000 : 6000);
      Block* block = allocator.allocate({.bytes = bytes, .stream = random() % 2});
      mark(block);
      exchange.put(block);
    } else if (Block* block = exchange.take(random())) {
      if (!isMarked(block)) damaged.fetch_add(1);
      allocator.retag(block, Category::Gradient);
      allocator.free(block);
    }
  }
}

TEST(Threads, blocks_freed_by_other_threads_stay_whole) {
  CpuRawMemory raw;
  for (bool expandable : {true, false}) {
    CachingAllocator allocator(raw, {.expandableSegments = expandable});
    Exchange exchange;
    std::atomic<int> damaged = 0;
    {
      std::vector<std::jthread> threads;
      for (uint32_t t = 0; t < 6; ++t)
        threads.emplace_back([&, t] { work(allocator, exchange, t, damaged); });
      threads.emplace_back([&](std::stop_token stop) {
        while (!stop.stop_requested()) {
          allocator.emptyCache();
          EXPECT_GE(allocator.reservedBytes() + (1u << 30), allocator.allocatedBytes());
          allocator.snapshot();
          allocator.statistics();
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
      });
    }
    EXPECT_EQ(damaged, 0);
    LiveBlocks live;
    while (Block* block = exchange.take(0)) addLive(live, block);
    checkInvariants(allocator, live, {.coalesced = false});
    for (const auto& [address, block] : live) allocator.free(block);
    allocator.emptyCache();
    EXPECT_EQ(allocator.allocatedBytes(), 0u);
    EXPECT_EQ(raw.mappedBytes(), 0u);
  }
}

}  // namespace
}  // namespace tenon::memory
