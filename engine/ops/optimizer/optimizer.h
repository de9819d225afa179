// SPDX-License-Identifier: Apache-2.0
// Operators "sgd_step" and "adam_step": one fused pass over all parameters of a group, in place.
//
// Numbers that change from step to step come from a tensor `scalars` (f32 [8]) on the device, so
// that a captured step can be replayed. Which place means what is in the enums.
#pragma once

#include <cstdint>

namespace tenon {

/// Places in the scalars of "sgd_step".
enum SgdScalar : int {
  kSgdLearningRate = 0,
  kSgdWeightDecay = 1,
  kSgdMomentum = 2,
  kSgdOneMinusDampening = 3,
  kSgdFirstStep = 4,  ///< 1: the momentum buffers are set to the gradient (no dampening)
  kSgdGradScale = 5,  ///< gradients are multiplied by it (1, or 1 / loss scale, or a clip factor)
};

/// Places in the scalars of "adam_step". `1 - beta` stands beside `beta`, since the difference of
/// rounded numbers would be off by 5e-5.
enum AdamScalar : int {
  kAdamStepSize = 0,  ///< learning rate / (1 - beta1^t)
  kAdamDecay = 1,     ///< decoupled: 1 - learning rate * weight decay; else weight decay
  kAdamOneMinusBeta1 = 2,
  kAdamBeta2 = 3,
  kAdamOneMinusBeta2 = 4,
  kAdamEpsilon = 5,
  kAdamInvSqrtBias2 = 6,  ///< 1 / sqrt(1 - beta2^t)
  kAdamGradScale = 7,     ///< gradients are multiplied by it
};

inline constexpr int kStepScalars = 8;

/// Parameters of "sgd_step".
struct SgdStepParams {
  int32_t momentum = 0;  ///< 1: with momentum buffers
  int32_t nesterov = 0;
  int32_t maximize = 0;
};

/// Parameters of "adam_step".
struct AdamStepParams {
  int32_t decoupled = 1;  ///< 1: AdamW (p *= decay first); 0: L2 (g += decay * p)
  int32_t maximize = 0;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include <span>

#include "engine/tensor/tensor.h"

namespace tenon {

/// One parameter of an SGD step; `momentum` is undefined without momentum.
struct SgdSlot {
  Tensor parameter;
  Tensor gradient;
  Tensor momentum;
};

/// One parameter of an Adam step with its two moments.
struct AdamSlot {
  Tensor parameter;
  Tensor gradient;
  Tensor firstMoment;
  Tensor secondMoment;
};

// Parameters and their state are f32 (or f64) and dense or blocked alike; gradients may lie
// otherwise. Formulas: reference/engine-facts.md 4.1, as in PyTorch.
// @throws Error(Shape | Type) naming the slot whose tensors do not fit.

/// g += decay * p; b = first ? g : momentum * b + (1 - dampening) * g; p -= lr * (nesterov ? g +
/// momentum * b : b).
TENON_API void sgdStep(const Tensor& scalars, std::span<const SgdSlot> slots,
                       const SgdStepParams& params);
/// m += (1 - b1) (g - m); v = b2 v + (1 - b2) g^2;
/// p -= stepSize * m / (sqrt(v) * invSqrtBias2 + eps).
TENON_API void adamStep(const Tensor& scalars, std::span<const AdamSlot> slots,
                        const AdamStepParams& params);
/// Every tensor is multiplied by `factor` (a scalar tensor of type f32 or f64 on the device).
TENON_API void scaleInPlace(std::span<const Tensor> tensors, const Tensor& factor);

}  // namespace tenon
#endif
