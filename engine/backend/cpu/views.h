// SPDX-License-Identifier: Apache-2.0
// Small questions about tensor views that every CPU kernel asks.
#pragma once

#include "engine/backend/api/kernel.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

inline bool present(const TenonTensorView& v) { return v.ndim >= 0; }
inline bool blocked(const TenonTensorView& v) { return v.layout == TENON_BLOCKED; }

/// Elements of the logical shape.
inline int64_t countOf(const TenonTensorView& v) {
  int64_t n = 1;
  for (int i = 0; i < v.ndim; ++i) n *= v.sizes[i];
  return n;
}

/// Elements in memory: with the padding if blocked. Only for dense views.
inline int64_t physicalCount(const TenonTensorView& v) {
  int64_t n = 1;
  for (int i = 0; i < v.ndim; ++i) n *= blocked(v) && i == v.blockAxis ? v.paddedSize : v.sizes[i];
  return n;
}

inline bool sameShape(const TenonTensorView& a, const TenonTensorView& b) {
  if (a.ndim != b.ndim) return false;
  for (int i = 0; i < a.ndim; ++i)
    if (a.sizes[i] != b.sizes[i]) return false;
  return true;
}

/// Dense row-major (not blocked).
inline bool dense(const TenonTensorView& v) {
  if (blocked(v)) return false;
  int64_t step = 1;
  for (int i = v.ndim - 1; i >= 0; --i) {
    if (v.sizes[i] != 1 && v.strides[i] != step) return v.sizes[i] == 0;
    step *= v.sizes[i];
  }
  return true;
}

/// The same elements in the same places of memory order: one loop over memory serves both.
inline bool sameLayout(const TenonTensorView& a, const TenonTensorView& b) {
  if (!sameShape(a, b) || a.layout != b.layout) return false;
  if (blocked(a)) return a.blockAxis == b.blockAxis && a.blockSize == b.blockSize;
  return dense(a) && dense(b);
}

template <class T>
T* dataOf(const TenonTensorView& v) {
  return static_cast<T*>(v.data);
}
/// Of an input that may be absent: null then.
template <class T>
const T* valuesOf(const TenonTensorView& v) {
  return present(v) ? static_cast<const T*>(v.data) : nullptr;
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
