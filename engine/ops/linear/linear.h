// SPDX-License-Identifier: Apache-2.0
// Affine map of the last axis: y = x w^T + b, and its gradients as operators of their own.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "linear_backward_weight".
struct LinearGradParams {
  int64_t bias = 0;  ///< 1: the bias gradient is given too; 0: it has shape [0]
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include <utility>

#include "engine/tensor/tensor.h"

namespace tenon {

/// y[..., o] = b[o] + sum over i of x[..., i] * w[o, i].
/// @param x [..., in] f32 or f64, at least one axis; @param w [out, in]; @param b [out] or
/// undefined.
/// @throws Error(Shape) naming wanted and got. Gradients of every order.
TENON_API Tensor linear(const Tensor& x, const Tensor& w, const Tensor& b);

/// max(linear(x, w, b), 0) with bias and activation in one pass over the product; the same bits as
/// the two calls. The gradient at 0 is 0, NaN stays NaN. @throws Error(Shape) as linear.
TENON_API Tensor linearRelu(const Tensor& x, const Tensor& w, const Tensor& b);

/// Gradient with respect to x: dy [..., out] w [out, in] -> [..., in].
TENON_API Tensor linearBackwardInput(const Tensor& dy, const Tensor& w);

/// Gradients with respect to w [out, in] and, if `bias`, b [out] (else shape [0]).
TENON_API std::pair<Tensor, Tensor> linearBackwardWeight(const Tensor& dy, const Tensor& x,
                                                         bool bias);

}  // namespace tenon
#endif
