// SPDX-License-Identifier: Apache-2.0
// The contended paths of FastMutex: spin a little, then wait on a futex.
#include "engine/memory/fast_mutex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tenon::memory {

void FastMutex::lockSlow() noexcept {
  for (int spin = 0; spin < 64; ++spin) {
    uint32_t expected = kFree;
    if (state_.load(std::memory_order_relaxed) == kFree &&
        state_.compare_exchange_weak(expected, kHeld, std::memory_order_acquire))
      return;
    __builtin_ia32_pause();
  }
  // Whoever waits marks the lock contended, so that the holder knows to wake someone.
  while (state_.exchange(kContended, std::memory_order_acquire) != kFree)
    syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, kContended, nullptr, nullptr, 0);
}

void FastMutex::wakeOne() noexcept {
  syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace tenon::memory
