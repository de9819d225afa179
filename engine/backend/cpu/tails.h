// SPDX-License-Identifier: Apache-2.0
// Loads and stores of what is left of a row, a vector's first lanes, as whole vectors where all are
// wanted: masked stores are slow.
#pragma once

#include "engine/backend/cpu/simd.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// The first n lanes, zero elsewhere. 0 <= n <= Vec<T>::kLanes.
template <class T>
TENON_INLINE Vec<T> take(const T* from, int64_t n) {
  return n == Vec<T>::kLanes ? Vec<T>::load(from) : Vec<T>::loadTail(from, n);
}
/// The first n lanes from memory, the others from `rest`.
template <class T>
TENON_INLINE Vec<T> take(const T* from, int64_t n, Vec<T> rest) {
  if (n == Vec<T>::kLanes) return Vec<T>::load(from);
  T lanes[Vec<T>::kLanes];
  rest.store(lanes);
  for (int64_t i = 0; i < n; ++i) lanes[i] = from[i];
  return Vec<T>::load(lanes);
}
/// The first n lanes of v, zeros after.
template <class T>
TENON_INLINE Vec<T> firstLanes(Vec<T> v, int64_t n) {
  if (n == Vec<T>::kLanes) return v;
  T lanes[Vec<T>::kLanes];
  v.store(lanes);
  return Vec<T>::loadTail(lanes, n);
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
