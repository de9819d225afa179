// SPDX-License-Identifier: Apache-2.0
// The first of the places that threads of a parallel loop find, so that inputs can be checked where
// they are read.
#pragma once

#include <cstdint>

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// Smallest place noted, whatever the order in which threads came to it.
class Earliest {
 public:
  explicit Earliest(int64_t none) : none_(none), at_(none) {}

  void note(int64_t place) {
    int64_t seen = __atomic_load_n(&at_, __ATOMIC_RELAXED);
    while (place < seen && !__atomic_compare_exchange_n(&at_, &seen, place, false, __ATOMIC_RELAXED,
                                                        __ATOMIC_RELAXED)) {
    }
  }
  /// To be asked after the loop.
  bool found() const { return at_ != none_; }
  int64_t place() const { return at_; }

 private:
  int64_t none_;
  int64_t at_;
};

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
