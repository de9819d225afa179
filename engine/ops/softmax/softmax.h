// SPDX-License-Identifier: Apache-2.0
// Operators "softmax" and "log_softmax" along one axis, and their fused gradients.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of softmax operators.
struct AxisParams {
  int32_t axis = 0;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// exp(x - max) / sum exp(x - max) along `axis`. A row of -inf only gives NaN. f32 or f64.
/// @throws Error(Shape) for an axis out of range.
TENON_API Tensor softmax(const Tensor& x, int axis);
/// x - max - log sum exp(x - max) along `axis`.
TENON_API Tensor logSoftmax(const Tensor& x, int axis);

}  // namespace tenon
#endif
