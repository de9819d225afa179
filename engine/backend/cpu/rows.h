// SPDX-License-Identifier: Apache-2.0
// Work on one row along an axis: its largest value, sums of a function of it, a function mapped
// over it. For softmax and losses.
//
// A contiguous f32 row runs over SIMD vectors, whose lanes are added in a fixed tree; a strided row
// or another type runs over scalars with the same mathematics. Bits depend on the row alone.
#pragma once

#include "engine/backend/cpu/math.h"
#include "engine/backend/cpu/simd.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// Elements x[0], x[stride], ..., `size` of them.
template <class T>
struct RowOf {
  T* at;
  int64_t stride;
};

/// Largest element. NaN may be passed over: whoever then adds exp(x - max) gets NaN in any case.
template <class T>
T rowMax(RowOf<const T> x, int64_t size) {
  T best = x.at[0];
  for (int64_t i = 1; i < size; ++i) best = math::max(best, x.at[i * x.stride]);
  return best;
}
template <>
inline float rowMax(RowOf<const float> x, int64_t size) {
  using V = Vec<float>;
  const auto larger = [](V a, V b) { return math::select(a > b, a, b); };  // one instruction
  V most[4];  // chains that do not wait for each other
  for (V& chain : most) chain = V(-__builtin_inf());
  int64_t i = 0;
  if (x.stride == 1)
    for (; i + 4 * V::kLanes <= size; i += 4 * V::kLanes)
      for (int k = 0; k < 4; ++k) most[k] = larger(V::load(x.at + i + k * V::kLanes), most[k]);
  for (; i < size; i += V::kLanes) {
    const int64_t n = size - i < V::kLanes ? size - i : V::kLanes;
    const V seen = larger(V::gather(x.at + i * x.stride, x.stride, n), most[0]);
    most[0] = math::select(firstLanes(n), seen, most[0]);
  }
  return foldLanes(larger(larger(most[0], most[1]), larger(most[2], most[3])), larger);
}

/// Sum of f(x...) over the row. f takes and gives Vec<float> or T.
template <class T, class F, class... X>
T rowSum(int64_t size, F f, RowOf<const T> x, X... more) {
  T sum = 0;
  for (int64_t i = 0; i < size; ++i) sum += f(x.at[i * x.stride], more.at[i * more.stride]...);
  return sum;
}
template <class F, class... X>
float rowSum(int64_t size, F f, RowOf<const float> x, X... more) {
  using V = Vec<float>;
  V sum(0);
  int64_t i = 0;
  if (x.stride == 1 && ((more.stride == 1) && ...))
    for (; i + V::kLanes <= size; i += V::kLanes)
      sum = sum + f(V::load(x.at + i), V::load(more.at + i)...);
  for (; i < size; i += V::kLanes) {
    const int64_t n = size - i < V::kLanes ? size - i : V::kLanes;
    const V part = f(V::gather(x.at + i * x.stride, x.stride, n),
                     V::gather(more.at + i * more.stride, more.stride, n)...);
    sum = sum + math::select(firstLanes(n), part, V(0));
  }
  return sumLanes(sum);
}

/// out = f(x...) over the row.
template <class T, class F, class... X>
void rowMap(int64_t size, F f, RowOf<T> out, X... x) {
  for (int64_t i = 0; i < size; ++i) out.at[i * out.stride] = f(x.at[i * x.stride]...);
}
template <class F, class... X>
void rowMap(int64_t size, F f, RowOf<float> out, X... x) {
  using V = Vec<float>;
  int64_t i = 0;
  if (out.stride == 1 && ((x.stride == 1) && ...))
    for (; i + V::kLanes <= size; i += V::kLanes) f(V::load(x.at + i)...).store(out.at + i);
  for (; i < size; i += V::kLanes) {
    const int64_t n = size - i < V::kLanes ? size - i : V::kLanes;
    f(V::gather(x.at + i * x.stride, x.stride, n)...)
        .scatter(out.at + i * out.stride, out.stride, n);
  }
}

/// Asks the memory for the next row, vector by vector, while this one is computed from the cache.
template <class T>
struct Ahead {
  const T* at;  ///< may lie beyond the end of what can be read

  TENON_INLINE void next() {
    if constexpr (sizeof(T) == 4) {
      __builtin_prefetch(at);
      at += Vec<float>::kLanes;
    }
  }
};

/// What a row's function computes on: Vec<float> for f32, else T.
template <class T>
struct RowLanes {
  using Type = T;
};
template <>
struct RowLanes<float> {
  using Type = Vec<float>;
};

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
