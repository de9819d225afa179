// SPDX-License-Identifier: Apache-2.0
// Drawing categories by weight, with and without putting them back.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "multinomial" and "multinomial_race".
struct MultinomialParams {
  int64_t samples = 1;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// `samples` categories of each row of weights, drawn with chances in proportion to its weights
/// (which need not add up to 1), by the thread's generator as in engine/ops/random/random.h.
/// With replacement by searching the sums of the weights; without it by a race: category c arrives
/// at Exp(1) / weight[c], and the first ones win, in that order (P. Efraimidis, P. Spirakis,
/// "Weighted random sampling with a reservoir", 2006). No gradient.
/// @param weights [C] or [N, C], floating, not negative
/// @returns i64 [samples] or [N, samples]
/// @throws Error(Shape | Type) if weights do not fit, Error(Usage) for samples < 1, Error(Input)
/// naming the first row that has a weight that is negative or not finite, none above 0, (without
/// replacement) fewer than `samples` above 0, or (with it) weights whose sum is not finite in f64.
TENON_API Tensor multinomial(const Tensor& weights, int64_t samples, bool replacement = false);

}  // namespace tenon
#endif
