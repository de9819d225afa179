// SPDX-License-Identifier: Apache-2.0
// The order of attempts when the device has no more: counters, what is given back, the error and
// its text.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/memory/allocator.h"
#include "engine/memory/history.h"
#include "engine/memory/snapshot.h"
#include "tests/engine/memory/fake_raw_memory.h"

namespace tenon::memory {
namespace {

/// Text of the Error(Code::Memory) that a request must end in.
std::string failureText(CachingAllocator& allocator, const AllocationRequest& request) {
  try {
    allocator.allocate(request);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Memory);
    return error.what();
  }
  ADD_FAILURE() << "the request was met";
  return {};
}

TEST(OutOfMemory, cached_segments_are_given_back_and_the_device_asked_once_more) {
  FakeRawMemory raw;
  raw.total = 42 * kMiB;
  CachingAllocator allocator(raw, plainOptions());
  Block* kept = allocator.allocate({1024});                              // 2 MiB
  allocator.free(allocator.allocate({5 * kMiB}));                        // 20 MiB, cached
  Block* other = allocator.allocate({.bytes = 12 * kMiB, .stream = 7});  // 12 MiB
  allocator.free(other);
  Block* large = allocator.allocate({30 * kMiB});
  const Statistics s = allocator.statistics();
  EXPECT_EQ(s.allocRetries, 1);
  EXPECT_EQ(s.outOfMemory, 0);
  EXPECT_EQ(s.deviceAllocations, 4);
  EXPECT_EQ(s.deviceFrees, 2) << "other streams' cached segments too";
  EXPECT_EQ(allocator.reservedBytes(), 32 * kMiB);
  EXPECT_EQ(s.segments[0].current, 2);
  EXPECT_EQ(raw.calls, 5) << "one failed call";
  allocator.free(large);
  allocator.free(kept);
}

TEST(OutOfMemory, split_segments_stay_and_the_failure_is_counted) {
  FakeRawMemory raw;
  raw.total = 40 * kMiB;
  CachingAllocator allocator(raw, plainOptions());
  Block* a = allocator.allocate({5 * kMiB});
  Block* b = allocator.allocate({5 * kMiB});
  allocator.free(a);
  failureText(allocator, {30 * kMiB});
  const Statistics s = allocator.statistics();
  EXPECT_EQ(s.outOfMemory, 1);
  EXPECT_EQ(s.allocRetries, 1);
  EXPECT_EQ(s.deviceFrees, 0);
  EXPECT_EQ(allocator.allocatedBytes(), 5 * kMiB);
  EXPECT_EQ(allocator.reservedBytes(), 20 * kMiB);
  EXPECT_NE(allocator.allocate({5 * kMiB}), nullptr) << "the cached part is still there";
  allocator.free(b);
}

TEST(OutOfMemory, the_smallest_oversize_segment_that_is_enough_goes_first) {
  FakeRawMemory raw;
  raw.total = 160 * kMiB;
  AllocatorOptions options = plainOptions();
  options.maxSplitBytes = 32 * kMiB;
  CachingAllocator allocator(raw, options);
  std::vector<Block*> blocks;
  for (size_t size : {64, 50, 34}) blocks.push_back(allocator.allocate({size * kMiB}));
  for (Block* block : blocks) allocator.free(block);
  allocator.allocate({36 * kMiB});  // fits the cached 50 (50 < 36 + 20)
  EXPECT_EQ(raw.calls, 3);
  allocator.allocate({40 * kMiB});  // the 64 is too large for it: 64 >= 60, so it is released
  EXPECT_EQ(allocator.statistics().deviceFrees, 1);
  EXPECT_EQ(allocator.statistics().allocRetries, 0) << "this attempt is not a retry";
  EXPECT_EQ(allocator.statistics().oversizeSegments.current, 3);
  EXPECT_EQ(allocator.reservedBytes(), (50 + 34 + 40) * kMiB);
}

TEST(OutOfMemory, oversize_segments_are_released_largest_first_until_it_is_enough) {
  FakeRawMemory raw;
  raw.total = 150 * kMiB;
  AllocatorOptions options = plainOptions();
  options.maxSplitBytes = 32 * kMiB;
  CachingAllocator allocator(raw, options);
  std::vector<Block*> blocks;
  for (size_t size : {36, 40, 44, 30}) blocks.push_back(allocator.allocate({size * kMiB}));
  for (Block* block : blocks) allocator.free(block);
  allocator.allocate({80 * kMiB});  // 44 + 40 >= 80
  const Statistics s = allocator.statistics();
  EXPECT_EQ(s.deviceFrees, 2);
  EXPECT_EQ(s.allocRetries, 0);
  EXPECT_EQ(allocator.reservedBytes(), (36 + 30 + 80) * kMiB);
}

TEST(OutOfMemory, memory_fraction_fails_without_calling_the_device) {
  FakeRawMemory raw;
  raw.total = 100 * kMiB;
  for (bool expandable : {false, true}) {
    AllocatorOptions options = plainOptions();
    options.expandableSegments = expandable;
    options.memoryFraction = 0.5;
    CachingAllocator allocator(raw, options);
    Block* block = allocator.allocate({20 * kMiB});
    const int calls = raw.calls;
    const std::string text = failureText(allocator, {40 * kMiB});
    EXPECT_EQ(raw.calls, calls);
    EXPECT_NE(text.find("allowed are 50.00 MiB"), std::string::npos) << text;
    EXPECT_EQ(allocator.reservedBytes(), 20 * kMiB);
    EXPECT_EQ(allocator.allocatedBytes(), 20 * kMiB);
    Block* rest = allocator.allocate({20 * kMiB});
    EXPECT_LE(raw.used, 50 * kMiB);
    allocator.free(rest);
    allocator.free(block);
  }
}

TEST(OutOfMemory, text_says_what_was_wanted_what_there_is_and_who_holds_it) {
  FakeRawMemory raw;
  raw.total = 64 * kMiB;
  CachingAllocator allocator(raw, plainOptions());
  std::vector<Block*> blocks;
  {
    ScopeGuard scope({.layer = internName("stem"), .op = internName("conv2d")});
    blocks.push_back(allocator.allocate({.bytes = 12 * kMiB, .category = Category::Activation}));
    blocks.push_back(allocator.allocate({.bytes = 14 * kMiB, .category = Category::Activation}));
  }
  blocks.push_back(
      allocator.allocate({.bytes = 1024, .pool = {1, 4}, .category = Category::Buffer}));
  blocks.push_back(allocator.allocate({5 * kMiB}));
  const std::string text = failureText(allocator, {41 * kMiB});
  const char* const parts[] = {
      "[memory] no room for 42991616 bytes (41.00 MiB), a piece of 42.00 MiB",
      "device has 64.00 MiB in all, 16.00 MiB free",
      "allocated 31.00 MiB",
      "in private pools 2.00 MiB",
      "reserved but unallocated 17.00 MiB",
      "reserved 48.00 MiB",
      "largest live: layer 'stem' (activation) 26.00 MiB in 2 blocks",
      "no layer (temporary) 5.00 MiB in 1 block",
      "no layer (buffer) 1.00 KiB in 1 block",
  };
  size_t at = 0;
  for (const char* part : parts) {
    const size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos)
        << "'" << part << "' missing, or not in order, in: " << text;
    at = found;
  }
  for (Block* block : blocks) allocator.free(block);
}

TEST(OutOfMemory, text_says_who_asked_as_far_as_it_is_known) {
  FakeRawMemory raw;
  raw.total = 8 * kMiB;
  CachingAllocator allocator(raw, plainOptions());
  const auto textIn = [&](const Scope& scope) {
    const ScopeGuard guard(scope);
    return failureText(allocator, {16 * kMiB});
  };
  Scope scope;
  EXPECT_EQ(textIn(scope).find("asked for"), std::string::npos);
  scope.op = internName("conv2d");
  EXPECT_NE(textIn(scope).find("a piece of 16.00 MiB; asked for by operator 'conv2d': device has"),
            std::string::npos)
      << textIn(scope);
  scope.layer = internName("stem");
  scope.phase = Phase::Backward;
  scope.step = 0;
  EXPECT_NE(textIn(scope).find("; asked for by operator 'conv2d', layer 'stem', phase backward, "
                               "step 0: device has 8.00 MiB in all, 8.00 MiB free; allocated"),
            std::string::npos)
      << textIn(scope);
  scope.op = 0;
  EXPECT_NE(textIn(scope).find("; asked for by layer 'stem', phase backward, step 0: "),
            std::string::npos)
      << textIn(scope);
}

TEST(OutOfMemory, text_hints_at_expandable_segments_where_they_would_help) {
  FakeRawMemory raw;
  raw.total = 60 * kMiB;
  CachingAllocator allocator(raw, plainOptions());
  std::vector<Block*> live, gone;
  for (int i = 0; i < 3; ++i) {
    live.push_back(allocator.allocate({2 * kMiB}));
    gone.push_back(allocator.allocate({9 * kMiB}));
    gone.push_back(allocator.allocate({9 * kMiB}));
  }
  for (Block* block : gone) allocator.free(block);
  EXPECT_NE(failureText(allocator, {20 * kMiB}).find("expandable segments"), std::string::npos);
  EXPECT_EQ(failureText(allocator, {58 * kMiB}).find("expandable segments"), std::string::npos);
}

TEST(OutOfMemory, absurd_sizes_fail_cleanly) {
  FakeRawMemory raw;
  CachingAllocator allocator(raw, plainOptions());
  for (size_t bytes : {SIZE_MAX, SIZE_MAX - 511, size_t{1} << 62, (size_t{1} << 47) + 1}) {
    failureText(allocator, {bytes});
  }
  EXPECT_EQ(raw.calls, 0);
  EXPECT_EQ(allocator.statistics().outOfMemory, 4);
}

TEST(OutOfMemory, a_failing_map_gives_back_nothing_and_the_next_call_works) {
  FakeRawMemory raw;
  AllocatorOptions options = plainOptions();
  options.expandableSegments = true;
  CachingAllocator allocator(raw, options);
  Block* block = allocator.allocate({5 * kMiB});
  raw.failNextCalls = 2;  // first attempt and retry
  failureText(allocator, {30 * kMiB});
  EXPECT_EQ(allocator.statistics().allocRetries, 1);
  EXPECT_EQ(allocator.allocatedBytes(), 5 * kMiB);
  Block* next = allocator.allocate({30 * kMiB});
  EXPECT_EQ(addressOf(next), addressOf(block) + 5 * kMiB);
  EXPECT_EQ(allocator.reservedBytes(), 40 * kMiB);
}

TEST(OutOfMemory, is_an_event_of_the_history) {
  FakeRawMemory raw;
  raw.total = 10 * kMiB;
  CachingAllocator allocator(raw, plainOptions());
  startHistory(allocator);
  failureText(allocator, {.bytes = 15 * kMiB, .stream = 3});
  const Trace trace = stopHistory(allocator);
  ASSERT_EQ(trace.events.size(), 1u);
  EXPECT_EQ(trace.events[0].kind, EventKind::OutOfMemory);
  EXPECT_EQ(trace.events[0].requested, 15 * kMiB);
  EXPECT_EQ(trace.events[0].bytes, 16 * kMiB);
  EXPECT_EQ(trace.events[0].stream, 3u);
}

/// A block that goes back by itself, as a tensor's storage does.
struct Owned {
  Owned(CachingAllocator& from, size_t bytes) : allocator(from), block(from.allocate({bytes})) {}
  ~Owned() { allocator.free(block); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  CachingAllocator& allocator;
  Block* block;
};

/// Allocates as a step does: activations that stay, temporaries that go, then everything.
int runStep(CachingAllocator& allocator) {
  int count = 0;
  std::vector<std::unique_ptr<Owned>> saved;
  for (size_t layer = 1; layer <= 12; ++layer) {
    const Owned workspace(allocator, layer * 300000);
    saved.push_back(std::make_unique<Owned>(allocator, layer * 70000));
    count += 2;
  }
  return count;
}

TEST(OutOfMemory, every_failing_allocation_of_a_step_leaves_the_base_line) {
  for (bool expandable : {false, true}) {
    FakeRawMemory raw;
    CachingAllocator allocator(raw, {.expandableSegments = expandable});
    const Owned parameter(allocator, 123456);
    const size_t baseline = allocator.allocatedBytes();
    const int count = runStep(allocator);
    EXPECT_EQ(count, 24);
    for (int n = 1; n <= count; ++n) {
      allocator.failAllocation(static_cast<uint64_t>(n));
      EXPECT_THROW(runStep(allocator), Error) << n;
      EXPECT_EQ(allocator.allocatedBytes(), baseline) << n;
      EXPECT_EQ(runStep(allocator), count) << "the failure comes once";
    }
    allocator.failAllocation(static_cast<uint64_t>(count) + 1);
    runStep(allocator);
    allocator.failAllocation(0);
    EXPECT_EQ(runStep(allocator), count) << "switched off";
    EXPECT_EQ(allocator.statistics().outOfMemory, count);
  }
}

}  // namespace
}  // namespace tenon::memory
