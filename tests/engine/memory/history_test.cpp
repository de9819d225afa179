// SPDX-License-Identifier: Apache-2.0
// The event history: contents of events, bounds, restart, and that replayed category sums equal
// live bytes.
#include "engine/memory/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "tests/engine/memory/fake_raw_memory.h"

namespace tenon::memory {
namespace {

using Sums = std::array<uint64_t, kCategoryCount>;

uint64_t total(const Sums& sums) { return std::accumulate(sums.begin(), sums.end(), uint64_t{0}); }
size_t at(Category category) { return static_cast<size_t>(category); }

TEST(History, events_carry_scope_place_and_both_sizes) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  EXPECT_FALSE(allocator.history().recording());
  allocator.free(allocator.allocate({512}));  // before: not recorded
  startHistory(allocator);
  EXPECT_TRUE(allocator.history().recording());
  const NameId stem = internName("stem"), conv = internName("conv2d"), sgd = internName("sgd");
  Block* block = nullptr;
  {
    ScopeGuard scope({.layer = stem, .op = conv, .phase = Phase::Forward, .step = 12});
    block = allocator.allocate(
        {.bytes = 1000, .stream = 5, .pool = {2, 7}, .category = Category::Activation});
  }
  allocator.retag(block, Category::Gradient);
  allocator.retag(block, Category::Gradient);  // no change, no event
  const uint64_t id = block->id, address = addressOf(block);
  {
    ScopeGuard scope({.op = sgd, .phase = Phase::Optimizer, .step = 13});
    allocator.free(block);
  }
  const Trace trace = stopHistory(allocator);
  EXPECT_FALSE(allocator.history().recording());
  EXPECT_TRUE(trace.initial.empty());
  ASSERT_EQ(trace.events.size(), 4u);
  EXPECT_EQ(trace.events[0].kind, EventKind::SegmentMap);
  const Event& alloc = trace.events[1];
  EXPECT_EQ(alloc.kind, EventKind::Alloc);
  EXPECT_EQ(alloc.category, Category::Activation);
  EXPECT_EQ(alloc.phase, Phase::Forward);
  EXPECT_EQ(alloc.block, id);
  EXPECT_EQ(alloc.address, address);
  EXPECT_EQ(alloc.bytes, 1024u);
  EXPECT_EQ(alloc.requested, 1000u);
  EXPECT_EQ(alloc.stream, 5u);
  EXPECT_EQ(alloc.pool, (PoolId{2, 7}));
  EXPECT_EQ(alloc.layer, stem);
  EXPECT_EQ(alloc.op, conv);
  EXPECT_EQ(alloc.step, 12);
  EXPECT_EQ(alloc.live, 1024u);
  const Event& retag = trace.events[2];
  EXPECT_EQ(retag.kind, EventKind::Retag);
  EXPECT_EQ(retag.category, Category::Gradient);
  EXPECT_EQ(retag.block, id);
  const Event& free = trace.events[3];
  EXPECT_EQ(free.kind, EventKind::Free);
  EXPECT_EQ(free.block, id);
  EXPECT_EQ(free.op, sgd) << "who frees it";
  EXPECT_EQ(free.step, 13);
  EXPECT_EQ(free.live, 0u);
  EXPECT_LE(alloc.timeNs, retag.timeNs);
  EXPECT_LE(retag.timeNs, free.timeNs);
  EXPECT_GT(alloc.timeNs, 0);
}

TEST(History, blocks_live_at_the_start_are_listed_with_the_scope_of_their_allocation) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw);
  const NameId layer = internName("classifier");
  Block *first = nullptr, *second = nullptr;
  {
    ScopeGuard scope({.layer = layer, .phase = Phase::Backward, .step = 3});
    first = allocator.allocate({.bytes = 2000, .category = Category::Parameter});
    Block* gone = allocator.allocate({700});
    second = allocator.allocate({3 << 20});
    allocator.free(gone);
  }
  allocator.retag(second, Category::OptimizerState);
  startHistory(allocator);
  allocator.free(first);
  const Trace trace = stopHistory(allocator);
  ASSERT_EQ(trace.initial.size(), 2u);
  EXPECT_EQ(trace.initial[0].block, first->id);
  EXPECT_EQ(trace.initial[0].category, Category::Parameter);
  EXPECT_EQ(trace.initial[0].layer, layer);
  EXPECT_EQ(trace.initial[0].phase, Phase::Backward);
  EXPECT_EQ(trace.initial[0].step, 3);
  EXPECT_EQ(trace.initial[0].live, 2048u);
  EXPECT_EQ(trace.initial[1].category, Category::OptimizerState) << "as it is tagged now";
  EXPECT_EQ(trace.initial[1].live, 2048u + (3u << 20));
  const std::vector<Sums> sums = replayCategories(trace);
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0][at(Category::Parameter)], 2048u);
  EXPECT_EQ(sums[0][at(Category::OptimizerState)], 3u << 20);
  EXPECT_EQ(sums[1][at(Category::Parameter)], 0u);
  allocator.free(second);
}

TEST(History, limit_keeps_the_oldest_and_counts_the_rest) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  startHistory(allocator, 3);
  for (int i = 0; i < 5; ++i) allocator.free(allocator.allocate({512}));
  EXPECT_EQ(allocator.history().droppedEvents(), 8u) << "1 map and 10 block events, 3 kept";
  const Trace trace = stopHistory(allocator);
  EXPECT_EQ(trace.events.size(), 3u);
  EXPECT_EQ(trace.events[2].kind, EventKind::Free);
  EXPECT_EQ(trace.dropped, 8u);
  EXPECT_EQ(replayCategories(trace).size(), 4u);
}

TEST(History, starting_again_begins_anew_and_stopping_twice_is_empty) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  startHistory(allocator, 1);
  Block* block = allocator.allocate({512});
  startHistory(allocator);
  EXPECT_EQ(allocator.history().droppedEvents(), 0u);
  allocator.free(block);
  const Trace trace = stopHistory(allocator);
  EXPECT_EQ(trace.initial.size(), 1u);
  EXPECT_EQ(trace.events.size(), 1u);
  const Trace nothing = stopHistory(allocator);
  EXPECT_TRUE(nothing.initial.empty());
  EXPECT_TRUE(nothing.events.empty());
  EXPECT_EQ(nothing.dropped, 0u);
}

/// Allocates, retags and frees at random; keeps its own sums by category.
class Actor {
 public:
  Actor(CachingAllocator& allocator, uint32_t seed) : allocator_(allocator), random_(seed) {}

  void act() {
    const uint32_t choice = random_() % 8;
    if (live_.size() < 20 || (choice < 3 && live_.size() < 300)) {
      const auto category = static_cast<Category>(random_() % kCategoryCount);
      const size_t bytes = random_() % (choice == 0 ? 4000000 : 9000);
      live_.push_back(allocator_.allocate({.bytes = bytes, .category = category}));
      sums_[at(category)] += live_.back()->size;
      return;
    }
    Block*& block = live_[random_() % live_.size()];
    sums_[at(block->category)] -= block->size;
    if (choice < 5) {
      const auto category = static_cast<Category>(random_() % kCategoryCount);
      sums_[at(category)] += block->size;
      allocator_.retag(block, category);
      return;
    }
    allocator_.free(block);
    block = live_.back();
    live_.pop_back();
  }
  void freeAll() {
    for (Block* block : live_) allocator_.free(block);
    live_.clear();
  }
  const Sums& sums() const { return sums_; }

 private:
  CachingAllocator& allocator_;
  std::mt19937 random_;
  std::vector<Block*> live_;
  Sums sums_ = {};
};

bool isSegmentEvent(const Event& event) {
  return event.kind == EventKind::SegmentMap || event.kind == EventKind::SegmentUnmap;
}

TEST(History, replayed_sums_equal_live_bytes_at_every_event) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw);
  Actor actor(allocator, 5);
  for (int i = 0; i < 1000; ++i) actor.act();  // so that something is live at the start
  allocator.resetPeaks();
  startHistory(allocator);
  std::vector<Sums> wanted = {actor.sums()};
  std::vector<uint64_t> live = {allocator.allocatedBytes()};
  for (int i = 0; i < 100000; ++i) {
    actor.act();
    if (actor.sums() == wanted.back()) continue;  // retagged as what it was: no event
    wanted.push_back(actor.sums());
    live.push_back(allocator.allocatedBytes());
  }
  const Trace trace = stopHistory(allocator);
  const std::vector<Sums> sums = replayCategories(trace);
  ASSERT_EQ(sums.size(), trace.events.size() + 1);
  size_t step = 0;
  EXPECT_EQ(sums[0], wanted[0]);
  for (size_t i = 0; i < trace.events.size(); ++i) {
    if (!isSegmentEvent(trace.events[i])) ++step;
    ASSERT_LT(step, wanted.size());
    ASSERT_EQ(sums[i + 1], wanted[step]) << i;
    ASSERT_EQ(total(sums[i + 1]), live[step]) << i;
    ASSERT_EQ(trace.events[i].live, live[step]) << i;
  }
  EXPECT_EQ(step + 1, wanted.size());
  EXPECT_EQ(*std::max_element(live.begin(), live.end()),
            static_cast<uint64_t>(allocator.statistics().allocatedBytes[0].peak));
  actor.freeAll();
}

TEST(History, replayed_sums_equal_live_bytes_with_many_threads) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw);
  constexpr uint32_t kThreads = 4;
  std::vector<Actor> actors;
  for (uint32_t i = 0; i < kThreads; ++i) actors.emplace_back(allocator, 100 + i);
  for (Actor& actor : actors)
    for (int i = 0; i < 200; ++i) actor.act();
  startHistory(allocator);
  std::vector<std::jthread> threads;
  for (Actor& actor : actors)
    threads.emplace_back([&actor] {
      for (int i = 0; i < 25000; ++i) actor.act();
    });
  threads.clear();
  const Trace trace = stopHistory(allocator);
  EXPECT_EQ(trace.dropped, 0u);
  EXPECT_GT(trace.events.size(), 80000u);
  const std::vector<Sums> sums = replayCategories(trace);
  for (size_t i = 0; i < trace.events.size(); ++i)
    ASSERT_EQ(total(sums[i + 1]), trace.events[i].live) << i;
  Sums wanted = {};
  for (const Actor& actor : actors)
    for (size_t c = 0; c < wanted.size(); ++c) wanted[c] += actor.sums()[c];
  EXPECT_EQ(sums.back(), wanted);
  EXPECT_EQ(total(wanted), allocator.allocatedBytes());
  for (Actor& actor : actors) actor.freeAll();
  EXPECT_EQ(allocator.allocatedBytes(), 0u);
}

}  // namespace
}  // namespace tenon::memory
