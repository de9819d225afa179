// SPDX-License-Identifier: Apache-2.0
// Pooling over one, two or three spatial axes.
//
// All is made of the operators of engine/ops/pool2d: a line is an image of one row, and a volume is
// pooled over height and width first and then over the depth, since largest values and means of
// boxes can be taken axis by axis.
#pragma once

#include "engine/ops/reduce/reduce.h"
#include "engine/ops/spatial.h"

namespace tenon {

/// Settings of `maxPool` and `avgPool`. Each list holds one number, or one for each spatial axis.
struct PoolOptions {
  PerAxis kernel = {2};              ///< >= 1
  PerAxis stride = {};               ///< >= 1; empty: the kernel
  PerAxis padding = {0};             ///< 0 .. kernel / 2
  bool ceilMode = false;             ///< the output size is rounded up, not down
  bool countIncludesPadding = true;  ///< avgPool: the divisor counts padding
};

/// Largest value of each window. @param x [N, C, (D,) (H,) W] f32 or f64. Of equal values the first
/// of the window in row-major order gets the gradient; NaN wins over every number.
/// @throws Error(Shape | Usage). Gradients of every order.
TENON_API Tensor maxPool(const Tensor& x, const PoolOptions& options = {});
/// The same with the place of each maximum among x's spatial elements in row-major order (i64), as
/// PyTorch's return_indices. The places are counted on the host.
TENON_API ValuesAndIndices maxPoolWithIndices(const Tensor& x, const PoolOptions& options = {});
/// Mean of each window; padding counts as zeros unless countIncludesPadding is false.
TENON_API Tensor avgPool(const Tensor& x, const PoolOptions& options = {});

/// Mean over bins floor(i * in / out) .. ceil((i + 1) * in / out) of every spatial axis, so that
/// the result has these sizes. @param x [N, C, (D,) (H,) W] f32 or f64, with at least one element
/// an axis. @throws Error(Shape | Usage). Gradients of every order.
TENON_API Tensor adaptiveAvgPool(const Tensor& x, const PerAxis& size);
/// Largest value of the same bins; gradients as for maxPool.
TENON_API Tensor adaptiveMaxPool(const Tensor& x, const PerAxis& size);

}  // namespace tenon
