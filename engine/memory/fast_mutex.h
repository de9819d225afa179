// SPDX-License-Identifier: Apache-2.0
// A mutex whose uncontended lock and unlock are one atomic instruction each and inline; it sleeps
// in the kernel otherwise.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/base/export.h"

namespace tenon::memory {

/// Meets the requirements of std::lock_guard. Not recursive, not fair.
class TENON_API FastMutex {
 public:
  void lock() noexcept {
    uint32_t expected = kFree;
    if (!state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire)) lockSlow();
  }
  void unlock() noexcept {
    if (state_.exchange(kFree, std::memory_order_release) == kContended) wakeOne();
  }

 private:
  static constexpr uint32_t kFree = 0, kHeld = 1, kContended = 2;
  void lockSlow() noexcept;
  void wakeOne() noexcept;

  std::atomic<uint32_t> state_ = kFree;
};

}  // namespace tenon::memory
