// SPDX-License-Identifier: Apache-2.0
// Two-dimensional convolution (cross-correlation) and its two gradients as operators of their own.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of operator "conv2d". Pairs are (height, width).
struct Conv2dParams {
  int64_t stride[2] = {1, 1};    ///< >= 1
  int64_t padding[2] = {0, 0};   ///< zeros on both sides, >= 0
  int64_t dilation[2] = {1, 1};  ///< >= 1
  int64_t groups = 1;            ///< >= 1; divides both channel counts
};

/// Parameters of "conv2d_backward_data" and "conv2d_backward_weight".
struct Conv2dGradParams {
  Conv2dParams conv;
  int64_t size[2] = {0, 0};  ///< (H, W) of the input, or (kh, kw) of the weight
  int64_t bias = 0;          ///< backward_weight: 1 gives the bias gradient too, 0 one of shape [0]
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include <utility>

#include "engine/tensor/tensor.h"

namespace tenon {

/// y[n,o,i,j] = b[o] + sum over c, p, q of x[n, c, i*stride+p*dilation-padding, ...] * w[o,c,p,q].
/// @param x [N, C, H, W] f32 or f64; @param w [O, C/groups, kh, kw]; @param b [O] or undefined.
/// @return [N, O, H', W'] with H' = (H + 2*padding - dilation*(kh-1) - 1) / stride + 1, rounded
///   down. Blocked if the kernel likes it so and O is a multiple of 8.
/// @throws Error(Shape) naming wanted and got. Gradients of every order.
TENON_API Tensor conv2d(const Tensor& x, const Tensor& w, const Tensor& b,
                        const Conv2dParams& params = {});

/// Gradient of conv2d with respect to x [N, C, H, W], for dy [N, O, H', W'].
TENON_API Tensor conv2dBackwardData(const Tensor& dy, const Tensor& w, const Conv2dParams& params,
                                    int64_t height, int64_t width);

/// Gradients with respect to w [O, C/groups, kh, kw] and, if `bias`, b [O] (else shape [0]).
TENON_API std::pair<Tensor, Tensor> conv2dBackwardWeight(const Tensor& dy, const Tensor& x,
                                                         const Conv2dGradParams& params);

}  // namespace tenon
#endif
