// SPDX-License-Identifier: Apache-2.0
// What kernels over lists of tensors share: chunks of fixed length of all tensors in parallel, and
// lanes of a dense tensor.
//
// No element depends on another and chunks do not depend on threads, so neither do the bits.
#pragma once

#include "engine/backend/cpu/math.h"
#include "engine/backend/cpu/pointwise.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

inline constexpr int64_t kChunk = 16384;  ///< elements

inline int64_t chunksOf(const TenonTensorView& view) {
  return (countOf(view) + kChunk - 1) / kChunk;
}
/// Chunks of all tensors that head a group of `group` inputs from input 1 on.
inline int64_t allChunks(const TenonKernelArgs* args, int group) {
  int64_t total = 0;
  for (int i = 1; i + group <= args->inputCount; i += group) total += chunksOf(args->inputs[i]);
  return total;
}
inline int64_t allElements(const TenonKernelArgs* args, int group) {
  int64_t total = 0;
  for (int i = 1; i + group <= args->inputCount; i += group) total += countOf(args->inputs[i]);
  return total;
}

/// Calls body(input number of the group, number of the group's first chunk, begin, end) for the
/// elements of all groups, in parallel; begin is a multiple of kChunk.
template <class Body>
void forEachChunk(const TenonKernelArgs* args, int group, Body&& body) {
  const int64_t total = allChunks(args, group);
  const int64_t grain = allElements(args, group) <= kChunk ? total + 1 : 1;  // few: one thread
  parallelFor(total, grain, [&](int64_t begin, int64_t end) {
    int64_t first = 0;
    for (int i = 1; i + group <= args->inputCount && first < end; i += group) {
      const int64_t count = countOf(args->inputs[i]);
      const int64_t chunks = chunksOf(args->inputs[i]);
      const int64_t from = begin > first ? begin - first : 0;
      const int64_t to = end - first < chunks ? end - first : chunks;
      if (from < to) body(i, first, from * kChunk, to * kChunk < count ? to * kChunk : count);
      first += chunks;
    }
  });
}

/// Lanes [i, i + n) of a tensor, loaded and stored; n < kCount only at the end.
template <class V>
struct Slice {
  using S = typename Lanes<V>::Scalar;
  S* at;
  TENON_INLINE V load(int64_t i, int64_t n) const {
    return n == Lanes<V>::kCount ? Lanes<V>::load(at + i) : Lanes<V>::gather(at + i, 1, n);
  }
  TENON_INLINE void store(int64_t i, int64_t n, V v) const {
    if (n == Lanes<V>::kCount) {
      Lanes<V>::store(at + i, v);
    } else {
      Lanes<V>::scatter(at + i, v, 1, n);
    }
  }
};

template <class V, class Step>
TENON_INLINE void forEachLanes(int64_t begin, int64_t end, Step&& step) {
  constexpr int64_t kCount = Lanes<V>::kCount;
  int64_t i = begin;
  for (; i + kCount <= end; i += kCount) step(i, kCount);
  if (i < end) step(i, end - i);
}

template <class V>
Slice<V> sliceOf(const TenonKernelArgs* args, int i) {
  return {dataOf<typename Lanes<V>::Scalar>(args->inputs[i])};
}

/// The scalars of a step by place.
template <class V>
struct Scalars {
  const TenonKernelArgs* args;
  double number(int place) const {
    return static_cast<double>(dataOf<typename Lanes<V>::Scalar>(args->inputs[0])[place]);
  }
  V operator[](int place) const { return V(number(place)); }
  bool on(int place) const { return number(place) != 0; }
};

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
