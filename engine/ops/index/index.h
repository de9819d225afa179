// SPDX-License-Identifier: Apache-2.0
// Operators that read or write at places given by a tensor of indices or by a mask.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "gather", "scatter" and "scatter_add".
struct GatherParams {
  int32_t axis = 0;
};

/// Parameters of "index_select" and "index_add".
struct IndexParams {
  int32_t axis = 0;
  int64_t size = 0;   ///< of the axis of what is read from or added to
  int64_t skip = -1;  ///< adding to this place is left out (an embedding's padding)
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

// Indices are i64 and must lie inside the axis: @throws Error(Input) naming the first that does
// not, Error(Shape) for shapes that do not fit, Error(Type) for indices of another type.

/// y[i][j][k] = x[i][index[i][j][k]][k] for axis 1. index has as many axes as x and none longer
/// than x's but along `axis`; any type. Differentiable in x.
TENON_API Tensor gather(const Tensor& x, int axis, const Tensor& index);
/// x with y[i][index[i][j][k]][k] = src[i][j][k] for axis 1; src has index's shape. Of several
/// writes to one place the last counts, but each of them gets that place's gradient.
TENON_API Tensor scatter(const Tensor& x, int axis, const Tensor& index, const Tensor& src);
/// The same with one value for all places. @throws Error(Input) as fillInPlace
TENON_API Tensor scatter(const Tensor& x, int axis, const Tensor& index, double value);
/// As scatter, but src is added to what is there, in row-major order. f32, f64, i64, i32.
TENON_API Tensor scatterAdd(const Tensor& x, int axis, const Tensor& index, const Tensor& src);
/// The parts of x at `index` ([K]) of an axis, in that order. Any type. Differentiable in x.
TENON_API Tensor indexSelect(const Tensor& x, int axis, const Tensor& index);
/// x with the k-th part of src added at index[k] of an axis. f32, f64, i64, i32.
TENON_API Tensor indexAdd(const Tensor& x, int axis, const Tensor& index, const Tensor& src);
/// x, but `value` where `mask` (bool, broadcast to x) is true. @throws Error(Input) as fillInPlace
TENON_API Tensor maskedFill(const Tensor& x, const Tensor& mask, double value);
/// The elements of x where `mask` (bool; both broadcast) is true, in row-major order: [K]. Reads
/// the mask on the host.
TENON_API Tensor maskedSelect(const Tensor& x, const Tensor& mask);
/// Rows of a table: [..., D] for indices [...] into weight [V, D]. The row at `paddingIndex` (-1:
/// none) gets no gradient.
TENON_API Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t paddingIndex = -1);
/// 1 at each index of a new last axis of `classes` (-1: as many as the largest index needs), else
/// 0; i64.
TENON_API Tensor oneHot(const Tensor& indices, int64_t classes = -1);

}  // namespace tenon
#endif
