// SPDX-License-Identifier: Apache-2.0
// Loops over several strided operands of one (broadcast) shape at once.
//
// Axes that all operands walk alike are merged; the innermost axis is handed to the kernel as a
// row with one stride an operand.
#pragma once

#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// How K operands walk through memory together. The last axis is the row.
template <int K>
struct LoopNest {
  int ndim = 0;
  int64_t sizes[TENON_MAX_DIMS];
  int64_t strides[K][TENON_MAX_DIMS];
  int64_t total = 1;

  int64_t rowLength() const { return ndim ? sizes[ndim - 1] : 1; }
  int64_t rowStride(int k) const { return ndim ? strides[k][ndim - 1] : 0; }
};

namespace detail {
/// Stride of `view` along `axis` of a shape with `ndim` axes; 0 where it is broadcast.
inline int64_t strideAlong(const TenonTensorView& view, int axis, int ndim) {
  const int own = axis - (ndim - view.ndim);
  return own < 0 || view.sizes[own] == 1 ? 0 : view.strides[own];
}

template <int K>
bool mergeable(const LoopNest<K>& nest, const int64_t (&next)[K], int64_t size) {
  if (nest.ndim == 0) return false;
  for (int k = 0; k < K; ++k)
    if (nest.strides[k][nest.ndim - 1] != next[k] * size) return false;
  return true;
}
}  // namespace detail

/// @param shape gives the sizes; each of `views` (strided, not blocked) has them or broadcasts.
template <int K>
LoopNest<K> makeNest(const TenonTensorView& shape, const TenonTensorView* const (&views)[K]) {
  LoopNest<K> nest;
  for (int axis = 0; axis < shape.ndim; ++axis) {
    const int64_t size = shape.sizes[axis];
    nest.total *= size;
    if (size == 1) continue;
    int64_t next[K];
    for (int k = 0; k < K; ++k) next[k] = detail::strideAlong(*views[k], axis, shape.ndim);
    const bool merge = detail::mergeable(nest, next, size);
    if (!merge) nest.sizes[nest.ndim++] = 1;
    nest.sizes[nest.ndim - 1] *= size;
    for (int k = 0; k < K; ++k) nest.strides[k][nest.ndim - 1] = next[k];
  }
  return nest;
}

/// A place in a nest: the element offset of each operand, moved on row by row.
template <int K>
class NestPosition {
 public:
  NestPosition(const LoopNest<K>& nest, int64_t linear) : nest_(nest) {
    if (nest.total == 0) return;  // no place to stand on
    for (int axis = nest.ndim - 1; axis >= 0; --axis) {
      index_[axis] = linear % nest.sizes[axis];
      linear /= nest.sizes[axis];
      for (int k = 0; k < K; ++k) offset[k] += index_[axis] * nest.strides[k][axis];
    }
  }
  /// Elements up to the end of the row.
  int64_t rest() const {
    return nest_.ndim ? nest_.sizes[nest_.ndim - 1] - index_[nest_.ndim - 1] : 1;
  }
  /// Moves n elements on; n <= rest().
  void advance(int64_t n) {
    int axis = nest_.ndim - 1;
    if (axis < 0) return;
    index_[axis] += n;
    for (int k = 0; k < K; ++k) offset[k] += n * nest_.strides[k][axis];
    while (axis > 0 && index_[axis] == nest_.sizes[axis]) {
      for (int k = 0; k < K; ++k)
        offset[k] += nest_.strides[k][axis - 1] - nest_.sizes[axis] * nest_.strides[k][axis];
      index_[axis] = 0;
      ++index_[--axis];
    }
  }

  int64_t offset[K] = {};

 private:
  const LoopNest<K>& nest_;
  int64_t index_[TENON_MAX_DIMS] = {};
};

/// Calls body(offsets, n) for pieces of rows that cover the nest, in parallel.
template <int K, class Body>
void forEachRow(const LoopNest<K>& nest, int64_t grain, Body&& body) {
  parallelFor(nest.total, grain, [&](int64_t begin, int64_t end) {
    NestPosition<K> at(nest, begin);
    while (begin < end) {
      const int64_t rest = at.rest();
      const int64_t n = rest < end - begin ? rest : end - begin;
      body(at.offset, n);
      at.advance(n);
      begin += n;
    }
  });
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
