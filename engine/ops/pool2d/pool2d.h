// SPDX-License-Identifier: Apache-2.0
// Max, average and adaptive average pooling over windows of two axes.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "max_pool2d" and "avg_pool2d". Pairs are (height, width).
struct Pool2dParams {
  int64_t kernel[2] = {2, 2};        ///< >= 1
  int64_t stride[2] = {2, 2};        ///< >= 1
  int64_t padding[2] = {0, 0};       ///< 0 .. kernel / 2
  int32_t ceilMode = 0;              ///< 1: the output size is rounded up, not down
  int32_t countIncludesPadding = 1;  ///< average pooling: the divisor counts padding
};

/// Parameters of the backward operators of both: `size` is (H, W) of the pooled input.
struct Pool2dGradParams {
  Pool2dParams pool;
  int64_t size[2] = {0, 0};
};

/// Parameters of "adaptive_avg_pool2d" (output size) and its backward (input size).
struct AdaptivePool2dParams {
  int64_t size[2] = {1, 1};  ///< (H, W), >= 1
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// Largest value of each window. @param x [N, C, H, W] f32 or f64; keeps its layout. Of equal
/// values the first of the window in row-major order gets the gradient; NaN wins over every number.
/// @throws Error(Shape). Gradients of every order.
TENON_API Tensor maxPool2d(const Tensor& x, const Pool2dParams& params);

/// The same with the place of each maximum.
struct MaxPool2dResult {
  Tensor y;
  Tensor which;  ///< row-major number within the whole window: u8, or i32 for more than 256
};
TENON_API MaxPool2dResult maxPool2dWithPlaces(const Tensor& x, const Pool2dParams& params);

/// Mean of each window; padding counts as zeros unless countIncludesPadding is 0.
/// @param x [N, C, H, W] f32 or f64; keeps its layout.
TENON_API Tensor avgPool2d(const Tensor& x, const Pool2dParams& params);

/// Mean over bins floor(i*in/out) .. ceil((i+1)*in/out), so that the output has size (height,
/// width); (1, 1) is global average pooling. @param x [N, C, H, W] f32 or f64; keeps its layout.
TENON_API Tensor adaptiveAvgPool2d(const Tensor& x, int64_t height, int64_t width);

}  // namespace tenon
#endif
