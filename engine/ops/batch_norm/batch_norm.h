// SPDX-License-Identifier: Apache-2.0
// Batch normalization over all axes but the second, with and without a fused ReLU.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of every batch norm operator that computes with values.
struct BatchNormParams {
  double eps = 1e-5;  ///< added to the variance, > 0
};

/// Parameters of "batch_norm_backward".
struct BatchNormGradParams {
  double eps = 1e-5;
  int32_t relu = 0;   ///< 1: the forward operator ended in a ReLU
  int32_t fixed = 0;  ///< 1: mean and var were given, not computed from x
};

/// Parameters of "batch_norm_update_stats".
struct BatchNormUpdateParams {
  double momentum = 0.1;  ///< 0 .. 1: new = (1 - momentum) * old + momentum * batch
  int64_t count = 0;      ///< values per channel in the batch, >= 2 (for the unbiased variance)
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// What a training call of batch norm gives. `mean` and `var` carry no gradient.
struct BatchNormResult {
  Tensor y;     ///< shape and layout of x
  Tensor mean;  ///< [C] of the batch; f32 if x is f16 or bf16, else x's type
  Tensor var;   ///< [C], biased (divided by the count)
};

/// y = (x - mean) / sqrt(var + eps) * gamma + beta with the batch's own mean and biased variance;
/// if `relu`, max(y, 0) in the same pass.
/// @param x [N, C, ...] floating, 2 to 8 axes; @param gamma, beta [C], both or neither undefined;
/// of x's type, or f32 beside x in f16 or bf16, which is computed in f32 and rounded once.
/// @throws Error(Shape | Type), also for one value per channel. Gradients of every order.
TENON_API BatchNormResult batchNormTraining(const Tensor& x, const Tensor& gamma,
                                            const Tensor& beta, double eps, bool relu = false);

/// The same with given mean and var [C] (running statistics), which carry no gradient.
TENON_API Tensor batchNormEval(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                               const Tensor& mean, const Tensor& var, double eps,
                               bool relu = false);

/// Updates running statistics in place from a batch: new = (1 - momentum) * old + momentum * batch;
/// the variance enters unbiased. @param count values per channel (x.numel() / C).
/// A cumulative average is momentum = 1 / (batches seen, this one included).
TENON_API void batchNormUpdateStats(const Tensor& runningMean, const Tensor& runningVar,
                                    const BatchNormResult& batch, double momentum, int64_t count);

}  // namespace tenon
#endif
