// SPDX-License-Identifier: Apache-2.0
// What a call on tiny tensors allocates: the memory of its result and the objects of result and
// node, which in a steady loop come from what the thread kept.
//
// Counts every operator new of this program, on the thread that asked for it. Sanitizers have a
// replacement of their own and keep no objects, so there it is left alone.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "engine/autograd/autograd.h"
#include "engine/memory/cpu_allocator.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
constinit thread_local int64_t newCalls = 0;

void* counted(size_t bytes, size_t alignment) {
  ++newCalls;
  void* memory =
      alignment > alignof(std::max_align_t)
          ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
          : std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

void* operator new(size_t bytes) { return counted(bytes, 0); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace tenon::test {
namespace {

/// What happened on this thread since it was made.
struct Since {
  int64_t news = newCalls;
  int64_t blocks = memory::cpuAllocator().statistics().allocations[0].allocated;
  uint64_t launches = gate::threadState().counters.launches;

  int64_t newsNow() const { return newCalls - news; }
  int64_t blocksNow() const {
    return memory::cpuAllocator().statistics().allocations[0].allocated - blocks;
  }
  uint64_t launchesNow() const { return gate::threadState().counters.launches - launches; }
};

constexpr int kCalls = 1000;

class TinyOp : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!GetParam()) return;
    autograd::setRequiresGrad(a);
    autograd::setRequiresGrad(b);
    keptAlive = add(a, b);  // so that the leaves' own nodes stay
  }
  Tensor a = Tensor::full({4}, 1);
  Tensor b = Tensor::full({4}, 2);
  Tensor keptAlive;
};

TEST_P(TinyOp, ASteadyLoopAllocatesTheResultAlone) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(add(a, b).requiresGrad(), GetParam());
  const Since since;
  for (int i = 0; i < kCalls; ++i) add(a, b);
  EXPECT_EQ(since.newsNow(), 0);
  EXPECT_EQ(since.blocksNow(), kCalls);
  EXPECT_EQ(since.launchesNow(), static_cast<uint64_t>(kCalls));
}

/// Results that stay need objects of their own: a tensor and its storage, and with a gradient the
/// node and the tensor's part of it.
TEST_P(TinyOp, AKeptResultIsItselfAndItsNode) {
  std::vector<Tensor> kept;
  kept.reserve(5 * kCalls);
  const auto keep = [&](int calls) {
    for (int i = 0; i < calls; ++i) kept.push_back(add(a, b));
  };
  keep(5 * kCalls);  // as many blocks as the allocator keeps its books of
  kept.clear();
  keep(2 * kCalls);  // the objects that the thread kept are used up
  const Since since;
  keep(kCalls);
  const int objects = GetParam() ? 4 : 2;
  EXPECT_GE(since.newsNow(), kCalls) << "is anything counted?";
  EXPECT_LE(since.newsNow(), objects * kCalls + kCalls / 20) << "beside the allocator's own tables";
  EXPECT_EQ(since.blocksNow(), kCalls);
  EXPECT_EQ(kept.back().toVector<float>(), std::vector<float>(4, 3));
}

INSTANTIATE_TEST_SUITE_P(Gradients, TinyOp, ::testing::Values(false, true),
                         [](const auto& info) { return info.param ? "Recorded" : "NotRecorded"; });

}  // namespace
}  // namespace tenon::test

#endif
