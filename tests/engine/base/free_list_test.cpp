// SPDX-License-Identifier: Apache-2.0
// Free lists: reuse, their limit, and threads that end.
#include "engine/base/free_list.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tenon {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local FreeList list;
constexpr size_t kBytes = 48;

TEST(FreeList, GivesBackTheLatestFirst) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "nothing is kept under the address sanitizer";
#endif
  void* first = list.take(kBytes);
  void* second = list.take(kBytes);
  EXPECT_NE(first, second);
  list.give(first);
  list.give(second);
  EXPECT_EQ(list.count(), 2U);
  EXPECT_EQ(list.take(kBytes), second);
  EXPECT_EQ(list.take(kBytes), first);
  EXPECT_EQ(list.count(), 0U);
  list.give(first);
  list.give(second);
}

TEST(FreeList, KeepsABoundedNumberAndNothingOfADeadThread) {
  std::vector<void*> taken;
  std::thread([&] {
    for (int i = 0; i < 2000; ++i) taken.push_back(list.take(kBytes));
    for (void* memory : taken) list.give(memory);
    EXPECT_LE(list.count(), 512U);
  }).join();  // the leak checker of the asan build sees what a thread leaves behind
  taken.clear();
  std::thread([&] { taken.push_back(list.take(kBytes)); }).join();
  list.give(taken[0]);  // on another thread than it was taken on
}

[[gnu::tls_model("initial-exec")]] constinit thread_local FreeList unused;

/// Destroyed after the lists of its thread: giving must still work then.
struct Late {
  void* memory = nullptr;
  ~Late() {
    list.give(memory);
    unused.give(unused.take(kBytes));  // its first use
    EXPECT_EQ(list.count(), 0U);
    EXPECT_EQ(unused.count(), 0U);
  }
};

TEST(FreeList, TakesBackMemoryAfterItsThreadsListsAreGone) {
  std::thread([] {
    thread_local Late late;  // made first, so destroyed last
    late.memory = list.take(kBytes);
    list.give(list.take(kBytes));
  }).join();
}

}  // namespace
}  // namespace tenon
