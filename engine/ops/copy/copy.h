// SPDX-License-Identifier: Apache-2.0
// The same values in new memory, as another type (`cast`, from the gate) or elsewhere.
#pragma once

#include "engine/ops/gate/cast.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// A dense row-major copy of x in memory of its own. Differentiable.
TENON_API Tensor clone(const Tensor& x);
/// x itself if it is dense row-major, else a copy that is. Differentiable.
TENON_API Tensor contiguous(const Tensor& x);
/// x as that type on that device: x itself (no copy) if it is so already. Differentiable, as
/// `cast`.
/// @throws Error(Device) if x is on another device: copies between devices are not there yet.
TENON_API Tensor to(const Tensor& x, DType dtype, Device device);
TENON_API Tensor to(const Tensor& x, DType dtype);
TENON_API Tensor to(const Tensor& x, Device device);

}  // namespace tenon
