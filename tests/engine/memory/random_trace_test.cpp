// SPDX-License-Identifier: Apache-2.0
// Random traces keep the allocator's invariants; random-shape training steps waste little memory
// (goal P19).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "engine/base/error.h"
#include "engine/memory/allocator.h"
#include "tests/engine/memory/fake_raw_memory.h"
#include "tests/engine/memory/invariants.h"

namespace tenon::memory {
namespace {

constexpr int kOperations = 200000;

/// Sizes spread evenly over orders of magnitude, as tensors' are.
size_t randomSize(std::mt19937& random, double largestLog2) {
  std::uniform_real_distribution<double> log2Size(0.0, largestLog2);
  return static_cast<size_t>(std::exp2(log2Size(random)));
}

struct TraceParameters {
  bool expandable = false;
  bool frontCache = false;
  size_t maxSplit = SIZE_MAX;
  size_t total = size_t{1} << 40;
};

class RandomTrace : public testing::TestWithParam<TraceParameters> {};

TEST_P(RandomTrace, keeps_the_invariants) {
  const TraceParameters& p = GetParam();
  FakeRawMemory raw;
  raw.total = p.total;
  {
    CachingAllocator allocator(raw, {.expandableSegments = p.expandable,
                                     .maxSplitBytes = p.maxSplit,
                                     .frontCache = p.frontCache});
    std::mt19937 random(7);
    LiveBlocks live;
    std::vector<Block*> order;
    int refusals = 0;
    for (int i = 0; i < kOperations && !HasFailure(); ++i) {
      const bool grow = order.size() < 50 || (order.size() < 400 && random() % 2 == 0);
      if (grow) {
        try {
          Block* block = allocator.allocate(
              {.bytes = randomSize(random, 26.5), .stream = random() % 8 == 0 ? 1u : 0u});
          addLive(live, block);
          order.push_back(block);
        } catch (const Error& error) {
          ASSERT_EQ(error.code(), Code::Memory);
          ++refusals;
        }
      }
      if (!order.empty() && (!grow || refusals > 0) && random() % 16 != 0) {
        std::swap(order[random() % order.size()], order.back());
        live.erase(addressOf(order.back()));
        allocator.free(order.back());
        order.pop_back();
      }
      if (random() % 5000 == 0) allocator.emptyCache();
      if (i % 500 == 0) checkInvariants(allocator, live, {.coalesced = !p.frontCache});
    }
    for (Block* block : order) allocator.free(block);
    allocator.emptyCache();
    checkInvariants(allocator, {});
    EXPECT_EQ(allocator.reservedBytes(), 0u);
    EXPECT_EQ(refusals > 0, p.total < size_t{1} << 40)
        << "the limit must be met where there is one";
    EXPECT_EQ(allocator.statistics().outOfMemory, refusals);
  }
  EXPECT_EQ(raw.used, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RandomTrace,
    testing::Values(TraceParameters{}, TraceParameters{.frontCache = true},
                    TraceParameters{.expandable = true},
                    TraceParameters{.expandable = true, .frontCache = true},
                    TraceParameters{.maxSplit = 32u << 20, .total = size_t{1} << 30},
                    TraceParameters{
                        .expandable = true, .frontCache = true, .total = size_t{1} << 30}));

/// A training step of random batch, length, depth and widths: activations kept until their
/// backward, temporaries between.
class RandomStep {
 public:
  RandomStep(CachingAllocator& allocator, std::mt19937& random)
      : allocator_(allocator),
        random_(random),
        rows_((1 + random() % 64) * (16 + random() % 240)),
        layers_(4 + random() % 12) {}

  void run() {
    for (size_t layer = 0; layer < layers_; ++layer) forward();
    Block* gradient = take(rows_ * 128);
    while (!saved_.empty()) gradient = backward(gradient);
    allocator_.free(gradient);
  }

 private:
  Block* take(size_t floats) { return allocator_.allocate({4 * floats}); }
  void forward() {
    const size_t width = 32 + random_() % 1500;
    saved_.push_back(take(rows_ * width));
    Block* wide = take(rows_ * width * 2);
    Block* same = take(rows_ * width);
    saved_.push_back(take(rows_ * (width + random_() % 64)));
    allocator_.free(wide);
    allocator_.free(same);
    saved_.push_back(take(rows_));
  }
  Block* backward(Block* gradient) {
    Block* next = take(rows_ * 128);
    Block* temporary = take(rows_ * 256);
    for (int i = 0; i < 3; ++i) {
      allocator_.free(saved_.back());
      saved_.pop_back();
    }
    allocator_.free(temporary);
    allocator_.free(gradient);
    return next;
  }

  CachingAllocator& allocator_;
  std::mt19937& random_;
  size_t rows_;
  size_t layers_;
  std::vector<Block*> saved_;
};

class RandomShapes : public testing::TestWithParam<uint32_t> {};

TEST_P(RandomShapes, ten_thousand_steps_reserve_at_most_a_tenth_more_than_they_use) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw);
  std::mt19937 random(GetParam());
  std::vector<Block*> parameters;
  for (int i = 0; i < 40; ++i) parameters.push_back(allocator.allocate({randomSize(random, 22)}));
  for (int step = 0; step < 10000; ++step) RandomStep(allocator, random).run();
  const Statistics s = allocator.statistics();
  const double live = static_cast<double>(s.allocatedBytes[0].peak);
  const double reserved = static_cast<double>(s.reservedBytes[0].peak);
  std::printf("[ memory   ] peak reserved / peak live %.4f of %.0f MiB, pages moved %lld times\n",
              reserved / live, live / (1 << 20), static_cast<long long>(s.deviceFrees));
  EXPECT_LE(reserved, 1.10 * live + (20 << 20) + (2 << 20)) << "and one page for each pool";
  EXPECT_LT(s.deviceFrees, 200) << "moving pages costs page faults: it must stay rare";
  for (Block* block : parameters) allocator.free(block);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomShapes, testing::Values(1, 2, 3));

}  // namespace
}  // namespace tenon::memory
