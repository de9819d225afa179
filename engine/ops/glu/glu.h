// SPDX-License-Identifier: Apache-2.0
// Gated linear unit: one half of an axis passes as far as the sigmoid of the other lets it.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "glu" and "glu_backward".
struct GluParams {
  int32_t axis = -1;  ///< the axis that is cut in half; negative counts from the last
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// y = a * sigmoid(b) for the halves a and b of an axis (Dauphin et al. 2017, arXiv:1612.08083).
/// @param x floating, with an even size of `axis`; y has half of it. f16 and bf16 are computed in
/// f32 and rounded once, forward and backward.
/// @throws Error(Shape) for an odd size or an axis that x has not. Gradients of every order.
TENON_API Tensor glu(const Tensor& x, int axis = -1);

}  // namespace tenon
#endif
