// SPDX-License-Identifier: Apache-2.0
// Root-mean-square normalization over the trailing axes.
#pragma once

#include <cstdint>

namespace tenon {

/// As `eps` of rmsNorm: the machine epsilon of the type that is computed in, 2^-52 for f64, else
/// 2^-23. So does PyTorch 2.15 where eps is None, whatever its page says of f16 and bf16.
inline constexpr double kEpsilonOfType = -1;

/// Parameters of "rms_norm" and its backward, which themselves want a number > 0.
struct RmsNormParams {
  double eps = kEpsilonOfType;  ///< added to the mean square, > 0
  int64_t axes = 1;             ///< how many trailing axes are normalized together, >= 1
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// y = x / sqrt(mean(x^2) + eps) * gamma, the mean over the last `axes` axes (Zhang and Sennrich
/// 2019, arXiv:1910.07467).
/// @param x [...] f32 or f64; @param gamma of the shape of those axes, or undefined.
/// @throws Error(Shape) naming wanted and got, Error(Usage) for eps. Gradients of every order.
TENON_API Tensor rmsNorm(const Tensor& x, const Tensor& gamma, const RmsNormParams& params = {});

}  // namespace tenon
#endif
