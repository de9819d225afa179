// SPDX-License-Identifier: Apache-2.0
// Reductions: sums, moments, norms, largest and smallest over axes. The order of additions depends
// on the shape alone, so that the same input gives the same bits for any thread count.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "sum", "mean", "amax" and "amin".
struct ReduceParams {
  uint32_t axes = 0;  ///< bit k: axis k is reduced
  int32_t keepdim = 0;
};

/// Parameters of "max", "min", "argmax", "argmin" and "logsumexp".
struct ReduceAxisParams {
  int32_t axis = 0;
  int32_t keepdim = 0;
};

/// Parameters of "var" and "std".
struct MomentParams {
  ReduceParams over;
  double correction = 1;  ///< what is taken from the number of elements to divide by
};

/// Parameters of "norm".
struct NormParams {
  ReduceParams over;
  double order = 2;
};

/// Parameters of "cumsum".
struct CumsumParams {
  int32_t axis = 0;
  int32_t reverse = 0;
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

/// Sum over `axes` (none: all). Floating types give their own type, integers and bools i64.
/// f32 is added up as f32 in short stretches and then as f64; f16 and bf16 likewise, the sum
/// rounded.
/// @throws Error(Shape) for an axis out of range or named twice.
TENON_API Tensor sum(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Mean over `axes` (none: all); of no elements it is NaN. Integers and bools give f32.
TENON_API Tensor mean(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Largest value along one axis; NaN counts as largest. The gradient goes to the first of equals.
/// @throws Error(Shape) if the axis has no elements.
TENON_API ValuesAndIndices maxAlong(const Tensor& x, int axis, bool keepdim = false);
/// Smallest value along one axis; NaN counts as smallest.
TENON_API ValuesAndIndices minAlong(const Tensor& x, int axis, bool keepdim = false);
/// Index (i64) of the largest value along an axis. No gradient.
TENON_API Tensor argmax(const Tensor& x, int axis, bool keepdim = false);
/// Index (i64) of the smallest value along an axis. No gradient.
TENON_API Tensor argmin(const Tensor& x, int axis, bool keepdim = false);
/// Index (i64 scalar) of the largest of all elements, counted in row-major order; of equals the
/// first, NaN counts as largest. No gradient. @throws Error(Shape) if there are none.
TENON_API Tensor argmax(const Tensor& x);
/// Index (i64 scalar) of the smallest of all elements; NaN counts as smallest.
TENON_API Tensor argmin(const Tensor& x);
/// Largest value over `axes` (none: all); NaN counts as largest. Equals share the gradient evenly.
/// @throws Error(Shape) if there are no elements to choose from.
TENON_API Tensor amax(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Smallest value over `axes`; NaN counts as smallest.
TENON_API Tensor amin(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Variance over `axes` (none: all): squared distances from the mean, added as f64, divided by
/// their number less `correction` (1: of a sample; 0: of everything); NaN where nothing is left to
/// divide by. x: floating.
TENON_API Tensor var(const Tensor& x, const Axes& axes = {}, double correction = 1,
                     bool keepdim = false);
/// Square root of `var`; its gradient where it is 0 is 0.
TENON_API Tensor stddev(const Tensor& x, const Axes& axes = {}, double correction = 1,
                        bool keepdim = false);
/// (sum |x|^order)^(1 / order) over `axes` (none: all); +-infinity: largest or smallest |x|; 0: how
/// many are not 0. Added as f64. The gradient where the norm is 0 is 0; equals share that of an
/// infinite order. x: floating.
/// @throws Error(Shape) for an infinite order of no elements.
TENON_API Tensor norm(const Tensor& x, double order = 2, const Axes& axes = {},
                      bool keepdim = false);
/// log sum exp x (integers become f32) over `axes` (none: all), without overflow; of nothing it is
/// -infinity.
TENON_API Tensor logsumexp(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Product over `axes` (none: all); of nothing it is 1. Integers and bools give i64; f16 and bf16
/// are multiplied as f32. The gradient is right for zeros too.
TENON_API Tensor prod(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Whether any element over `axes` (none: all) is not 0: bool. No gradient.
TENON_API Tensor any(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Whether no element over `axes` (none: all) is 0: bool. No gradient.
TENON_API Tensor all(const Tensor& x, const Axes& axes = {}, bool keepdim = false);
/// Sums of the first 1, 2, ... elements along an axis. f32 is added as f64; integers and bools
/// give i64.
TENON_API Tensor cumsum(const Tensor& x, int axis);
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
