// SPDX-License-Identifier: Apache-2.0
// Operator "sort" along an axis, and the largest or smallest few.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "sort".
struct SortParams {
  int32_t axis = 0;
  int32_t descending = 0;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/ops/reduce/reduce.h"

namespace tenon {

/// Values in order along an axis, and where they were (i64). Equals keep their order; NaN counts as
/// largest. f32, f64, i64, i32, i8, u8, bool. Differentiable.
TENON_API ValuesAndIndices sort(const Tensor& x, int axis = -1, bool descending = false);
/// The first k of `sort`: the k largest, or smallest, in order.
/// @throws Error(Shape) if the axis has fewer than k elements.
TENON_API ValuesAndIndices topk(const Tensor& x, int64_t k, int axis = -1, bool largest = true);

}  // namespace tenon
#endif
