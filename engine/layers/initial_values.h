// SPDX-License-Identifier: Apache-2.0
// Initial values of weights: every one is a function of key, call number and element index alone.
#pragma once

#include "engine/base/philox.h"
#include "engine/layers/layer_def.h"

namespace tenon {

/// Which random numbers initial values are made of. Two tensors of one key take different calls.
struct InitNumbers {
  philox::Key key;
  uint64_t call = 0;
};

// All fill a dense f32 or f64 tensor on the CPU that no gradient graph knows yet.
// @throws Error(Type) for other types.

/// Every element `value`, cut to a whole number in an i64 tensor.
TENON_API void fillConstant(const Tensor& tensor, double value);
/// Uniform in [low, high]; steps of (high - low) / 2^24.
TENON_API void fillUniform(const Tensor& tensor, double low, double high, InitNumbers numbers);
TENON_API void fillNormal(const Tensor& tensor, double mean, double deviation, InitNumbers numbers);
/// A normal distribution cut to [low, high], by its inverse distribution function.
/// @throws Error(Usage) if low is not below high or the deviation not above 0.
TENON_API void fillTruncatedNormal(const Tensor& tensor, double mean, double deviation, double low,
                                   double high, InitNumbers numbers);

/// As a layer plans it.
TENON_API void initialize(const Tensor& tensor, const Init& init, InitNumbers numbers);

}  // namespace tenon
