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

/// Updates running statistics [C] in place: new = (1 - momentum) * old + momentum * batch, where
/// batch is the mean over the samples of each sample's mean and unbiased variance. With given
/// statistics instance norm is batchNormEval (engine/ops/batch_norm/batch_norm.h).
TENON_API void instanceNormUpdateStats(const Tensor& runningMean, const Tensor& runningVar,
                                       const Tensor& x, double momentum = 0.1);

}  // namespace tenon
