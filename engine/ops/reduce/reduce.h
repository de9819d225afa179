// SPDX-License-Identifier: Apache-2.0
// Reductions: sum, mean, maximum and minimum over axes. The order of additions depends on the
// shape alone, so that the same input gives the same bits for any thread count.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "sum" and "mean".
struct ReduceParams {
  uint32_t axes = 0;  ///< bit k: axis k is reduced
  int32_t keepdim = 0;
};

/// Parameters of "max", "min" and "argmax".
struct ReduceAxisParams {
  int32_t axis = 0;
  int32_t keepdim = 0;
};

/// Parameters of "pick" and "place".
struct PickParams {
  int32_t axis = 0;
  int64_t size = 0;  ///< of the axis in the tensor picked from
};

/// Parameters of "count_correct".
struct CountCorrectParams {
  int64_t ignoreIndex = -100;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/base/small_vector.h"
#include "engine/tensor/tensor.h"

namespace tenon {

using Axes = SmallVector<int, 8>;

/// Values and where they were found (i64, along the reduced axis; the first of equals).
struct ValuesAndIndices {
  Tensor values;
  Tensor indices;
};

/// Sum over `axes` (none: all). f32, f64, i64, i32 give their own type, u8 and bool give i64.
/// f32 is added up as f32 in short stretches and then as f64.
/// @throws Error(Shape) for an axis out of range or named twice.
TENON_API Tensor sum(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Mean over `axes` (none: all) of floating x; of no elements it is NaN.
TENON_API Tensor mean(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Largest value along one axis; NaN counts as largest. The gradient goes to the first of equals.
/// @throws Error(Shape) if the axis has no elements.
TENON_API ValuesAndIndices maxAlong(const Tensor& x, int axis, bool keepdim = false);
/// Smallest value along one axis; NaN counts as smallest.
TENON_API ValuesAndIndices minAlong(const Tensor& x, int axis, bool keepdim = false);
/// Index (i64) of the largest value along an axis. No gradient.
TENON_API Tensor argmax(const Tensor& x, int axis, bool keepdim = false);
/// Sums x over the axes along which a tensor of `shape` was broadcast to x's shape; x itself if the
/// shapes are equal. @throws Error(Shape) if `shape` does not broadcast to x's shape.
TENON_API Tensor sumTo(const Tensor& x, const Shape& shape);
/// The element at `indices` along an axis. Differentiable in x.
/// @param indices i64, x's shape but for size 1 along `axis`, 0 .. size - 1
/// @returns the shape of `indices`
/// @throws Error(Input) naming the first index that is out of range.
TENON_API Tensor pick(const Tensor& x, const Tensor& indices, int axis);
/// How many rows have their largest logit at the target: i64 scalar. Rows whose target is
/// `ignoreIndex` do not count.
/// @param logits [N, C] f32 or f64
/// @param targets [N] i64
TENON_API Tensor countCorrect(const Tensor& logits, const Tensor& targets,
                              int64_t ignoreIndex = -100);
/// Sum of the squares of all elements of all tensors (f32 or f64, all of one type): f64 scalar. The
/// squares are added as f64 in a fixed order. No gradient. For gradient clipping.
TENON_API Tensor sumSquares(TensorList tensors);

}  // namespace tenon
#endif
