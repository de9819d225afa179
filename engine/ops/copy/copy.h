// SPDX-License-Identifier: Apache-2.0
// Operators "copy" and "cast": the same values in new memory, or as another type.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of operator "cast": the type wanted (a TenonDType).
struct CastParams {
  int32_t dtype = 0;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// A dense row-major copy of x in memory of its own. Differentiable.
TENON_API Tensor clone(const Tensor& x);
/// x itself if it is dense row-major, else a copy that is. Differentiable.
TENON_API Tensor contiguous(const Tensor& x);
/// x as another type: itself if it has that type already. Floating to integer cuts towards zero;
/// anything to bool is "not zero". Differentiable between floating types.
/// @throws Error(Type) for types without a conversion.
TENON_API Tensor cast(const Tensor& x, DType dtype);

}  // namespace tenon
#endif
