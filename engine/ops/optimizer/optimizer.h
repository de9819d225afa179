// SPDX-License-Identifier: Apache-2.0
// Operators "sgd_step", "adam_step", ...: one fused pass over all parameters of a group, in place;
// and what is done to whole lists of tensors: "scale_", "unscale_", "clip_", "average_".
//
// Numbers that change from step to step come from a tensor `scalars` on the device, of the
// parameters' type, so that a captured step can be replayed. Which place means what is in the
// enums.
#pragma once

#include <cstdint>

namespace tenon {

/// The rules there are, each an operator of its own. Names of their state, in order, as PyTorch
/// calls it; a state in brackets is there only if the flags say so.
enum class StepKind : int32_t {
  Sgd,       ///< "sgd_step": [momentum]
  Adam,      ///< "adam_step": exp_avg, exp_avg_sq
  AmsGrad,   ///< "amsgrad_step": exp_avg, exp_avg_sq, max_exp_avg_sq
  Adamax,    ///< "adamax_step": exp_avg, exp_inf
  NAdam,     ///< "nadam_step": exp_avg, exp_avg_sq
  RAdam,     ///< "radam_step": exp_avg, exp_avg_sq
  RmsProp,   ///< "rmsprop_step": square_avg, [grad_avg], [momentum_buffer]
  Adagrad,   ///< "adagrad_step": sum
  Adadelta,  ///< "adadelta_step": square_avg, acc_delta
  Lion,      ///< "lion_step": exp_avg
  Lamb,      ///< "lamb_step": exp_avg, exp_avg_sq
};
inline constexpr int kStepKinds = 11;

/// Places in the scalars of "sgd_step".
enum SgdScalar : int {
  kSgdLearningRate = 0,
  kSgdWeightDecay = 1,
  kSgdMomentum = 2,
  kSgdOneMinusDampening = 3,
  kSgdFirstStep = 4,  ///< 1: the momentum buffers are set to the gradient (no dampening)
  kSgdGradScale = 5,  ///< gradients are multiplied by it (1, or 1 / loss scale, or a clip factor)
};

/// Places in the scalars of "adam_step" and "amsgrad_step". `1 - beta` stands beside `beta`, since
/// the difference of rounded numbers would be off by 5e-5.
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

/// How many scalars "sgd_step", "adam_step" and "amsgrad_step" take.
inline constexpr int kStepScalars = 8;

/// Places in the scalars of all other steps. Where two rules give one place another meaning, the
/// names say which.
enum RuleScalar : int {
  kRuleRate = 0,       ///< factor on the step, with the correction of the first moment's bias
  kRuleDecay = 1,      ///< decoupled: 1 - learning rate * weight decay; else weight decay
  kRuleGradScale = 2,  ///< gradients are multiplied by it
  kRuleBeta1 = 3,
  kRuleOneMinusBeta1 = 4,
  kRuleBeta2 = 5,  ///< of squared gradients (alpha, rho), and Lion's second
  kRuleOneMinusBeta2 = 6,
  kRuleEpsilon = 7,
  kRuleInvSqrtBias2 = 8,   ///< 1 / sqrt(1 - beta2^t)
  kNAdamGradientRate = 9,  ///< factor on the gradient's part of the step
  kRAdamAdaptive = 9,      ///< 1: divided by the root of squares; 0: variance unknown as yet
  kRmsPropMomentum = 9,
  kLambLowestNorm = 9,  ///< limits of a parameter's norm in the trust ratio
  kLambHighestNorm = 10,
  kLambInvBias1 = 11,  ///< 1 / (1 - beta1^t)
};

/// "lamb_step" takes workspace of kLambChunkBytes for each kLambChunk elements of a parameter that
/// are begun, and once more.
inline constexpr int kLambChunk = 16384;
inline constexpr int kLambChunkBytes = 16;

/// How many scalars the other steps take.
inline constexpr int kRuleScalars = 12;

/// Parameters of every step; those that mean nothing to a rule are 0.
struct StepFlags {
  int32_t decoupled = 0;  ///< 1: p *= decay first; 0: L2 (g += decay * p)
  int32_t maximize = 0;
  int32_t momentum = 0;  ///< SGD, RMSprop: with momentum buffers
  int32_t nesterov = 0;  ///< SGD
  int32_t centered = 0;  ///< RMSprop: variance instead of mean of squares
};

/// Parameters of sgdStep().
struct SgdStepParams {
  int32_t momentum = 0;  ///< 1: with momentum buffers
  int32_t nesterov = 0;
  int32_t maximize = 0;
};

/// Parameters of adamStep().
struct AdamStepParams {
  int32_t decoupled = 1;  ///< 1: AdamW (p *= decay first); 0: L2 (g += decay * p)
  int32_t maximize = 0;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include <array>
#include <span>
#include <vector>

#include "engine/tensor/tensor.h"

namespace tenon {

/// One parameter of any step, with its state in the order of StepKind; what a rule does not use is
/// undefined.
struct StepSlot {
  Tensor parameter;
  Tensor gradient;
  std::array<Tensor, 3> state;
};

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

// Parameters and their state are f32 (or f64) and dense; gradients may lie otherwise. Formulas:
// reference/engine-facts.md 4.1, as in PyTorch.
// @throws Error(Shape | Type) naming the slot whose tensors do not fit.

/// How many scalars a rule takes: kStepScalars or kRuleScalars.
TENON_API int scalarsOf(StepKind kind);
/// Workspace that a step over these slots takes while it runs; bytes.
TENON_API size_t stepWorkspaceBytes(StepKind kind, std::span<const StepSlot> slots);
/// One step of any rule. Formulas, with g scaled and decayed and all states written back:
/// - Sgd, Adam: sgdStep(), adamStep(). AmsGrad: Adam whose root is that of the largest v so far.
/// - Adamax: u = max(b2 u, |g| + eps); p -= rate m / u.
/// - NAdam: p -= (gradientRate g + rate m) / (sqrt(v) * invSqrtBias2 + eps).
/// - RAdam: p -= rate m / (adaptive ? sqrt(v) + eps : 1).
/// - RmsProp: b = momentum b + g / (sqrt(centered ? v - a^2 : v) + eps); p -= rate b.
/// - Adagrad: s += g^2; p -= rate g / (sqrt(s) + eps).
/// - Adadelta: d = sqrt(u + eps) / sqrt(v + eps) g; u = b2 u + (1 - b2) d^2; p -= rate d.
/// - Lion: p -= rate sign(b1 m + (1 - b1) g); m = b2 m + (1 - b2) g.
/// - Lamb: r = (m invBias1) / (sqrt(v) invSqrtBias2 + eps) + decay p;
///   p -= rate clamp(|p|, lowest, highest) / |r| r, over the tensor; 1 if a norm is 0.
TENON_API void fusedStep(StepKind kind, const Tensor& scalars, std::span<const StepSlot> slots,
                         const StepFlags& flags);

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
/// Every element is brought into [-limit, limit]; NaN stays. `limit`: a scalar tensor like above.
TENON_API void clipInPlace(std::span<const Tensor> tensors, const Tensor& limit);
/// Every tensor is multiplied by `factor` (the inverse of a loss scale), and Inf and NaN are looked
/// for on the way. @returns whether there were none.
/// @param tensors all f32 or all f64
TENON_API bool unscaleInPlace(std::span<const Tensor> tensors, double factor);
/// The same in two parts: what it allocates is there when it is made, so that of several none fails
/// for want of memory when others have run.
class TENON_API Unscaling {
 public:
  /// @param tensors all f32 or all f64, at least one. @throws Error(Memory)
  Unscaling(std::span<const Tensor> tensors, double factor);
  bool run() const;

 private:
  Tensor factor_;
  std::vector<Tensor> list_;  ///< "found", then the tensors
};
/// averages[i] moves towards values[i] by `share` (a scalar tensor in [0, 1]) of the way; 1 copies.
/// @throws Error(Shape | Type | Usage) if the lists do not fit each other.
TENON_API void averageInPlace(std::span<const Tensor> averages, std::span<const Tensor> values,
                              const Tensor& share);

}  // namespace tenon
#endif
