// SPDX-License-Identifier: Apache-2.0
// One step of a GRU (Cho et al. 2014, arXiv:1406.1078) from its two products, and its gradient, in
// the form PyTorch computes.
//
//   r, z = sigmoid(projected + carried),  n = tanh(projected + r carried),  h' = n + z (h - n)
//
// Axes: N sequences, H hidden units; gates stand in the order r (reset), z (update), n (new).
#pragma once

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// The hidden state after the step, [N, H].
/// @param projected [N, 3 H] f32 or f64: the input times its weight, plus its bias
/// @param carried [N, 3 H]: the hidden state times its weight, plus its bias
/// @param hidden [N, H]: the state before the step
/// @throws Error(Shape | Type) naming wanted and got. Gradients of every order.
TENON_API Tensor gruCell(const Tensor& projected, const Tensor& carried, const Tensor& hidden);

}  // namespace tenon
#endif
