// SPDX-License-Identifier: Apache-2.0
// Layer normalization over the trailing axes.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "layer_norm" and its backward.
struct LayerNormParams {
  double eps = 1e-5;  ///< added to the variance, > 0
  int64_t axes = 1;   ///< how many trailing axes are normalized together, >= 1
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// y = (x - mean) / sqrt(var + eps) * gamma + beta, mean and biased var over the last `axes` axes.
/// @param x [...] floating; @param gamma, beta of the shape of those axes, each or both undefined;
/// of x's type, or f32 beside x in f16 or bf16, which is computed in f32 and rounded once. @returns
/// x's type @throws Error(Shape | Type). Gradients of every order.
TENON_API Tensor layerNorm(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                           const LayerNormParams& params = {});

/// What layer norm computes on the way. `mean` and `rstd` carry no gradient.
struct LayerNormResult {
  Tensor y;
  Tensor mean;  ///< one value a row; f32 if x is f16 or bf16, else x's type
  Tensor rstd;  ///< 1 / sqrt(var + eps), likewise
};
/// The same call with all that it gives.
TENON_API LayerNormResult layerNormWithStatistics(const Tensor& x, const Tensor& gamma,
                                                  const Tensor& beta,
                                                  const LayerNormParams& params = {});

}  // namespace tenon
#endif
