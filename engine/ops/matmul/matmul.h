// SPDX-License-Identifier: Apache-2.0
// Matrix product, batched with broadcasting of the leading axes.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of operator "matmul".
struct MatmulParams {
  int32_t transposeA = 0;  ///< 1: the last two axes of a are swapped before the product
  int32_t transposeB = 0;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// Matrix product of a [..., M, K] and b [..., K, N] (f32 or f64), leading axes broadcast: [..., M,
/// N]. A vector a [K] counts as [1, K] and a vector b [K] as [K, 1]; the axis of size 1 is dropped
/// from the result. Transposed views are read in place. Gradients of every order.
/// @throws Error(Shape) naming both shapes.
TENON_API Tensor matmul(const Tensor& a, const Tensor& b);

/// The same for a, b of at least two axes, each with its last two axes swapped first if asked so.
TENON_API Tensor matmul(const Tensor& a, const Tensor& b, const MatmulParams& params);

}  // namespace tenon
#endif
