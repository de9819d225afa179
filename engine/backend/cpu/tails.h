// SPDX-License-Identifier: Apache-2.0
// Loads and stores of a vector's first lanes, as whole vectors where all are wanted: masked stores
// are slow.
#pragma once

#include "engine/backend/cpu/simd.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// The first n lanes, zero elsewhere. 0 <= n <= Vec<T>::kLanes.
template <class T>
TENON_INLINE Vec<T> take(const T* from, int64_t n) {
  return n == Vec<T>::kLanes ? Vec<T>::load(from) : Vec<T>::loadTail(from, n);
}
/// Writes the first n lanes.
template <class T>
TENON_INLINE void put(Vec<T> value, T* to, int64_t n) {
  if (n == Vec<T>::kLanes) {
    value.store(to);
  } else {
    value.storeTail(to, n);
  }
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
