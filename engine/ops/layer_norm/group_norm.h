// SPDX-License-Identifier: Apache-2.0
// Normalization of each sample on its own: over groups of channels, or over each channel.
#pragma once

#include "engine/tensor/tensor.h"

namespace tenon {

/// y = (x - mean) / sqrt(var + eps) * gamma + beta, mean and biased var of each sample over the
/// C / groups channels of a group and all their places (Wu and He 2018, arXiv:1803.08494).
/// @param x [N, C, ...] f32 or f64; @param gamma, beta [C], each or both undefined;
/// @param groups divides C; @param eps > 0
/// @throws Error(Shape) naming wanted and got, Error(Usage) for eps. Gradients of every order.
TENON_API Tensor groupNorm(const Tensor& x, int64_t groups, const Tensor& gamma, const Tensor& beta,
                           double eps = 1e-5);

/// The same with each channel its own group (Ulyanov et al. 2016, arXiv:1607.08022).
/// @param x [N, C, ...] with at least one more axis and more than one place a channel
/// @throws Error(Shape) also for one place a channel, of which there is no variance.
TENON_API Tensor instanceNorm(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                              double eps = 1e-5);

/// What a training call of instance norm gives. `mean` and `var` carry no gradient.
struct InstanceNormResult {
  Tensor y;
  Tensor mean;  ///< [N, C] of each sample; f32 if x is f16 or bf16, else x's type
  Tensor var;   ///< [N, C], biased (divided by the count of places)
};
/// The same with the statistics that it has computed.
TENON_API InstanceNormResult instanceNormTraining(const Tensor& x, const Tensor& gamma,
                                                  const Tensor& beta, double eps = 1e-5);

/// Updates running statistics [C] in place: new = (1 - momentum) * old + momentum * batch, where
/// batch is the mean over the samples of each sample's mean and unbiased variance. With given
/// statistics instance norm is batchNormEval (engine/ops/batch_norm/batch_norm.h).
/// @param places values a channel of one sample, >= 2
TENON_API void instanceNormUpdateStats(const Tensor& runningMean, const Tensor& runningVar,
                                       const InstanceNormResult& batch, double momentum,
                                       int64_t places);

}  // namespace tenon
