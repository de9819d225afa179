// SPDX-License-Identifier: Apache-2.0
// Conversion between element types: operator "cast", which the gate brings inputs to a common type
// with, and conversion at the edge of kernels that lack a type.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of operator "cast": the type wanted (a TenonDType).
struct CastParams {
  int32_t dtype = 0;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/ops/gate/launch.h"
#include "engine/tensor/tensor.h"

namespace tenon {

struct OpDef;

/// x as another type: itself if it has that type already. Floating to integer cuts towards zero;
/// anything to bool is "not zero"; to f16 and bf16 it is rounded to the nearest f32, then to the
/// nearest, ties to even. What an integer type cannot hold wraps around or is undefined, as in C.
/// Differentiable between floating types: each side gets a gradient of its own type.
/// @throws Error(Type) for a number that is no type.
TENON_API Tensor cast(const Tensor& x, DType dtype);

namespace gate {

const OpDef& castOp();
/// Writes the elements of `from` to `to`, which has its shape, converted to its type. Both are
/// strided, or both blocked alike. No gradient; no call of its own to listeners, so the launch is
/// noted for the call that it belongs to, if there is a list.
void convertInto(const Tensor& to, const Tensor& from, Launches* launches);
/// New memory for a tensor of x's shape and layout (dense if strided), of another type.
Tensor roomLike(const Tensor& x, DType dtype);
/// x converted into new memory that "cast" asked for.
Tensor convertedCopy(const Tensor& x, DType dtype, Launches* launches);

}  // namespace gate
}  // namespace tenon
#endif
