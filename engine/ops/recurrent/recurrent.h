// SPDX-License-Identifier: Apache-2.0
// Recurrent networks over whole sequences: Elman RNN, LSTM (Hochreiter and Schmidhuber 1997), GRU
// (Cho et al. 2014, arXiv:1406.1078) in the forms PyTorch computes.
#pragma once

#include <vector>

#include "engine/tensor/tensor.h"

namespace tenon {

enum class RecurrentKind : int32_t { RnnTanh = 0, RnnRelu, Lstm, Gru };

/// Rows of a weight that belong to one hidden unit: 1, 4 (LSTM: input, forget, cell, output gate)
/// or 3 (GRU: reset, update, new).
TENON_API int64_t gatesOf(RecurrentKind kind);

/// What one direction of one layer learns; G gates of H hidden units.
struct RecurrentWeights {
  Tensor input;       ///< [G * H, I]
  Tensor hidden;      ///< [G * H, H]
  Tensor inputBias;   ///< [G * H] or undefined
  Tensor hiddenBias;  ///< [G * H] or undefined
};

struct RecurrentOptions {
  RecurrentKind kind = RecurrentKind::Lstm;
  bool bidirectional = false;  ///< a second direction runs from the end of each sequence
  bool batchFirst = false;     ///< sequences are [N, T, ...], else [T, N, ...]
  double dropout = 0;          ///< of what a layer gives the next, 0 .. 1; 0 outside training
  /// Elements of each sequence, 1 .. T; empty: all T. What lies beyond is not read, gives zeros and
  /// leaves the state as it is (PyTorch's packed sequences, in any order).
  std::vector<int64_t> lengths;
};

/// State of every layer and direction: [layers * directions, N, H], layer by layer, forward first.
struct RecurrentState {
  Tensor hidden;  ///< undefined at the start: zeros
  Tensor cell;    ///< LSTM only
};

struct RecurrentResult {
  Tensor y;            ///< [T, N, directions * H] (or [N, T, ...]) of the last layer
  RecurrentState end;  ///< after the last element of each sequence
};

/// Runs the layers over the sequences.
/// @param x [T, N, I] (or [N, T, I]) f32 or f64, T and N >= 1
/// @param weights one entry a layer and direction, in the order of RecurrentState; layers after the
/// first read directions * H values
/// @throws Error(Shape | Type | Usage) naming wanted and got. Gradients of every order.
TENON_API RecurrentResult recurrent(const Tensor& x, const std::vector<RecurrentWeights>& weights,
                                    const RecurrentState& start = {},
                                    const RecurrentOptions& options = {});

}  // namespace tenon
