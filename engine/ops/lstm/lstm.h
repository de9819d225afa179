// SPDX-License-Identifier: Apache-2.0
// One direction of an LSTM layer over whole sequences (Hochreiter and Schmidhuber 1997), and its
// gradient, in the form PyTorch computes.
//
//   i, f, o = sigmoid, g = tanh of  wi x(t) + wh h(t-1) + b
//   c(t) = f c(t-1) + i g,  h(t) = o tanh(c(t))
//
// Axes: T steps, N sequences, I inputs, H hidden units; gates stand in the order i, f, g, o.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "lstm".
struct LstmParams {
  int64_t backwards = 0;  ///< 1: runs from the last step to the first
};

/// Parameters of "lstm_backward".
struct LstmGradParams {
  int64_t backwards = 0;
  int64_t inputGradient = 1;  ///< 0: the gradient of x is not wanted and has shape [0]
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

struct OpDef;
struct GradCall;

/// What a direction reads.
struct LstmInputs {
  Tensor x;             ///< [T, N, I] f32 or f64, T >= 1
  Tensor inputWeight;   ///< [4 H, I]
  Tensor hiddenWeight;  ///< [4 H, H]
  Tensor bias;          ///< [4 H] or undefined
  Tensor hidden;        ///< [N, H]: the state before the first step
  Tensor cell;          ///< [N, H]
  /// [N] i64: steps of each sequence; undefined: all T. Beyond, a finite x is of no effect (NaN
  /// times zero would reach the weight's gradient), and the state stays as it is.
  Tensor lengths;
};

/// The state after every step.
struct LstmStates {
  Tensor hidden;  ///< [T, N, H]
  Tensor cell;    ///< [T, N, H]
};

/// Runs over the sequences. The same bits for any number of threads, but for products with x where
/// the deterministic option is off.
/// @throws Error(Shape | Type) naming wanted and got. Gradients of every order in all but lengths.
TENON_API LstmStates lstm(const LstmInputs& inputs, const LstmParams& params = {});

namespace lstm_parts {
/// The gradient rule that is built from differentiable operators.
void spelledGradient(GradCall& call);
}  // namespace lstm_parts

}  // namespace tenon
#endif
