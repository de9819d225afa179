// SPDX-License-Identifier: Apache-2.0
// View operators: the same storage under another shape. No element moves, unless the text says so.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/ops/view/slice_params.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// Axes of a tensor; negative ones count from the end.
using Axes = SmallVector<int, 8>;

/// Parameters of "reshape" and "expand".
struct ShapeParams {
  int32_t ndim = 0;
  int64_t sizes[kMaxDims] = {};
};
/// Parameters of "permute": output axis i is input axis order[i].
struct PermuteParams {
  int32_t ndim = 0;
  int32_t order[kMaxDims] = {};
};

// Every function takes tensors of any type and layout; a blocked tensor is first made dense. All
// are differentiable. @throws Error(Shape) if shape or axis do not fit.

/// x with another shape of as many elements, in row-major order; one size may be -1. A view where
/// the strides allow it, else of a dense copy.
TENON_API Tensor reshape(const Tensor& x, const Shape& shape);
/// Axes first..last become one.
TENON_API Tensor flatten(const Tensor& x, int first = 0, int last = -1);
/// Two axes change places.
TENON_API Tensor transpose(const Tensor& x, int a, int b);
/// Output axis i is x's axis order[i].
TENON_API Tensor permute(const Tensor& x, const Axes& order);
/// Elements start, start + step, ... (`length` of them) along an axis.
TENON_API Tensor slice(const Tensor& x, int axis, int64_t start, int64_t length, int64_t step = 1);
/// Elements start .. start + length - 1 along an axis.
TENON_API Tensor narrow(const Tensor& x, int axis, int64_t start, int64_t length);
/// The part at `index` (negative: from the end) of an axis, which goes away.
TENON_API Tensor select(const Tensor& x, int axis, int64_t index);
/// Sizes of 1 (and missing leading axes) repeat up to `shape`, with stride 0. -1 keeps a size.
TENON_API Tensor expand(const Tensor& x, const Shape& shape);
/// Without an axis of size 1.
TENON_API Tensor squeeze(const Tensor& x, int axis);
/// Windows of `size` elements along an axis, each `step` after the one before: the axis becomes the
/// number of the window, and a new last axis the place in it. Windows may overlap in memory.
TENON_API Tensor unfold(const Tensor& x, int axis, int64_t size, int64_t step);
/// The opposite of `unfold`: windows [..., W, ..., size] added up where they overlap, `step` after
/// one another, into an axis of `length` elements (not a view; f32 or f64).
/// @throws Error(Shape) unless exactly W windows fit: (length - size) / step + 1, rounded down.
TENON_API Tensor fold(const Tensor& windows, int axis, int64_t step, int64_t length);
/// x cut along an axis into parts of these sizes, which must add up to the axis.
TENON_API std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& sizes, int axis);
/// x cut along an axis into `count` parts of equal size, the last ones smaller or fewer if they
/// must (as PyTorch's chunk).
TENON_API std::vector<Tensor> chunk(const Tensor& x, int64_t count, int axis);
/// With a new axis of size 1 before `axis`.
TENON_API Tensor unsqueeze(const Tensor& x, int axis);

}  // namespace tenon
