// SPDX-License-Identifier: Apache-2.0
// The rules of the optimizer steps, element by element: what one makes of a value, its gradient and
// its state. engine/ops/optimizer/optimizer.h has the formulas.
//
// A rule says how many tensors its groups have (kGroup), which of the state it uses (kUses, bit k:
// state k) and where decay and gradient scale stand among the scalars. Its call gets the gradient
// scaled and decayed, changes the state and returns the new value.
#pragma once

#include "engine/backend/cpu/math.h"
#include "engine/ops/optimizer/optimizer.h"
#include "engine/ops/optimizer/tensor_chunks_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

template <class V, bool Momentum>
struct SgdRule {
  static constexpr int kGroup = 3;
  static constexpr int kUses = Momentum ? 0b1 : 0;
  static constexpr int kDecay = kSgdWeightDecay;
  static constexpr int kScale = kSgdGradScale;
  V rate, momentum, fresh;
  bool first, nesterov;

  SgdRule(const Scalars<V>& s, const StepFlags& flags)
      : rate(s[kSgdLearningRate]),
        momentum(s[kSgdMomentum]),
        fresh(s[kSgdOneMinusDampening]),
        first(s.on(kSgdFirstStep)),
        nesterov(flags.nesterov != 0) {}
  TENON_INLINE V operator()(V value, V grad, V* state) const {
    if constexpr (Momentum) {
      state[0] = first ? grad : momentum * state[0] + fresh * grad;
      grad = nesterov ? grad + momentum * state[0] : state[0];
    }
    return value - rate * grad;
  }
};

template <class V, bool AmsGrad>
struct AdamRule {
  static constexpr int kGroup = AmsGrad ? 5 : 4;
  static constexpr int kUses = AmsGrad ? 0b111 : 0b11;
  static constexpr int kDecay = kAdamDecay;
  static constexpr int kScale = kAdamGradScale;
  V stepSize, fresh1, beta2, fresh2, epsilon, invRoot;

  AdamRule(const Scalars<V>& s, const StepFlags&)
      : stepSize(s[kAdamStepSize]),
        fresh1(s[kAdamOneMinusBeta1]),
        beta2(s[kAdamBeta2]),
        fresh2(s[kAdamOneMinusBeta2]),
        epsilon(s[kAdamEpsilon]),
        invRoot(s[kAdamInvSqrtBias2]) {}
  TENON_INLINE V operator()(V value, V grad, V* state) const {
    state[0] = state[0] + fresh1 * (grad - state[0]);
    state[1] = beta2 * state[1] + fresh2 * (grad * grad);
    if constexpr (AmsGrad) state[2] = math::max(state[2], state[1]);
    const V square = state[AmsGrad ? 2 : 1];
    return value - stepSize * (state[0] / (math::sqrt(square) * invRoot + epsilon));
  }
};

/// The scalars that most of the other rules share.
template <class V>
struct RuleBase {
  static constexpr int kGroup = 4;
  static constexpr int kUses = 0b11;
  static constexpr int kDecay = kRuleDecay;
  static constexpr int kScale = kRuleGradScale;
  V rate, beta1, fresh1, beta2, fresh2, epsilon, invRoot;

  RuleBase(const Scalars<V>& s, const StepFlags&)
      : rate(s[kRuleRate]),
        beta1(s[kRuleBeta1]),
        fresh1(s[kRuleOneMinusBeta1]),
        beta2(s[kRuleBeta2]),
        fresh2(s[kRuleOneMinusBeta2]),
        epsilon(s[kRuleEpsilon]),
        invRoot(s[kRuleInvSqrtBias2]) {}
  TENON_INLINE V mean(V old, V now) const { return old + fresh1 * (now - old); }
  TENON_INLINE V meanSquare(V old, V now) const { return beta2 * old + fresh2 * (now * now); }
};

template <class V>
struct AdamaxRule : RuleBase<V> {
  using RuleBase<V>::RuleBase;
  TENON_INLINE V operator()(V value, V grad, V* state) const {
    state[0] = this->mean(state[0], grad);
    state[1] = math::max(this->beta2 * state[1], math::abs(grad) + this->epsilon);
    return value - this->rate * (state[0] / state[1]);
  }
};

template <class V>
struct NAdamRule : RuleBase<V> {
  V gradientRate;
  NAdamRule(const Scalars<V>& s, const StepFlags& flags)
      : RuleBase<V>(s, flags), gradientRate(s[kNAdamGradientRate]) {}
  TENON_INLINE V operator()(V value, V grad, V* state) const {
    state[0] = this->mean(state[0], grad);
    state[1] = this->meanSquare(state[1], grad);
    const V root = math::sqrt(state[1]) * this->invRoot + this->epsilon;
    return value - (gradientRate * grad + this->rate * state[0]) / root;
  }
};

template <class V>
struct RAdamRule : RuleBase<V> {
  bool adaptive;
  RAdamRule(const Scalars<V>& s, const StepFlags& flags)
      : RuleBase<V>(s, flags), adaptive(s.on(kRAdamAdaptive)) {}
  TENON_INLINE V operator()(V value, V grad, V* state) const {
    state[0] = this->mean(state[0], grad);
    state[1] = this->meanSquare(state[1], grad);
    const V step = this->rate * state[0];
    return value - (adaptive ? step / (math::sqrt(state[1]) + this->epsilon) : step);
  }
};

template <class V, bool Centered, bool Momentum>
struct RmsPropRule : RuleBase<V> {
  static constexpr int kGroup = 5;
  static constexpr int kUses = 0b001 | (Centered ? 0b010 : 0) | (Momentum ? 0b100 : 0);
  V momentum;
  RmsPropRule(const Scalars<V>& s, const StepFlags& flags)
      : RuleBase<V>(s, flags), momentum(s[kRmsPropMomentum]) {}
  TENON_INLINE V operator()(V value, V grad, V* state) const {
    state[0] = this->meanSquare(state[0], grad);
    V square = state[0];
    if constexpr (Centered) {
      state[1] = state[1] + this->fresh2 * (grad - state[1]);
      // A constant gradient leaves a difference of rounding errors, which may be below 0.
      square = math::max(square - state[1] * state[1], V(0));
    }
    V step = grad / (math::sqrt(square) + this->epsilon);
    if constexpr (Momentum) {
      step = momentum * state[2] + step;
      state[2] = step;
    }
    return value - this->rate * step;
  }
};

template <class V>
struct AdagradRule : RuleBase<V> {
  static constexpr int kGroup = 3;
  static constexpr int kUses = 0b1;
  using RuleBase<V>::RuleBase;
  TENON_INLINE V operator()(V value, V grad, V* state) const {
    state[0] = state[0] + grad * grad;
    return value - this->rate * (grad / (math::sqrt(state[0]) + this->epsilon));
  }
};

template <class V>
struct AdadeltaRule : RuleBase<V> {
  using RuleBase<V>::RuleBase;
  TENON_INLINE V operator()(V value, V grad, V* state) const {
    state[0] = this->meanSquare(state[0], grad);
    const V root = math::sqrt(state[0] + this->epsilon);
    const V step = math::sqrt(state[1] + this->epsilon) / root * grad;
    state[1] = this->meanSquare(state[1], step);
    return value - this->rate * step;
  }
};

template <class V>
struct LionRule : RuleBase<V> {
  static constexpr int kGroup = 3;
  static constexpr int kUses = 0b1;
  using RuleBase<V>::RuleBase;
  TENON_INLINE V operator()(V value, V grad, V* state) const {
    const V c = this->beta1 * state[0] + this->fresh1 * grad;
    state[0] = this->beta2 * state[0] + this->fresh2 * grad;
    const V zero(0);
    const V sign = math::select(c > zero, V(1), math::select(c < zero, V(-1), c));  // NaN stays
    return value - this->rate * sign;
  }
};

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
