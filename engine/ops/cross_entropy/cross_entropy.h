// SPDX-License-Identifier: Apache-2.0
// Operator "cross_entropy": log-softmax and negative log-likelihood of class indices in one pass.
#pragma once

#include <cstdint>

namespace tenon {

enum class Reduction : int32_t { None = 0, Mean = 1, Sum = 2 };

/// Parameters of "cross_entropy".
struct CrossEntropyParams {
  int64_t ignoreIndex = -100;
  double labelSmoothing = 0;  ///< 0 .. 1
  Reduction reduction = Reduction::Mean;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// Loss of each row: (1 - s) * -log p[target] + s / C * sum_c -log p[c]; rows whose target is
/// `ignoreIndex` count as 0. Mean divides by the number of rows that count (NaN if none does).
/// @param logits [N, C] or [N, C, d1, ...], f32 or f64
/// @param targets [N] or [N, d1, ...], i64 in 0 .. C-1
/// @returns a scalar, or [N, d1, ...] for Reduction::None; logits' type
/// @throws Error(Shape | Type) if they do not fit; Error(Input) naming row and value for a target
/// outside the classes.
TENON_API Tensor crossEntropy(const Tensor& logits, const Tensor& targets,
                              const CrossEntropyParams& params = {});

}  // namespace tenon
#endif
