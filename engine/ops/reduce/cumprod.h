// SPDX-License-Identifier: Apache-2.0
// Running products along an axis.
#pragma once

#include "engine/tensor/tensor.h"

namespace tenon {

/// Products of the first 1, 2, ... elements along an axis; integers and bools give i64, f16 and
/// bf16 are multiplied as f32. Made of log2 n multiplications of the whole, whose gradients never
/// divide, so that they are right for zeros too.
/// @throws Error(Usage) if x is undefined, Error(Shape) for an axis out of range.
TENON_API Tensor cumprod(const Tensor& x, int axis);

}  // namespace tenon
