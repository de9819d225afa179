// SPDX-License-Identifier: Apache-2.0
// The cells: what one element of a sequence makes of the state.
#include "engine/ops/recurrent/recurrent_cells.h"

#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gru_cell/gru_cell.h"
#include "engine/ops/linear/linear.h"

namespace tenon {

int64_t gatesOf(RecurrentKind kind) {
  return kind == RecurrentKind::Lstm ? 4 : kind == RecurrentKind::Gru ? 3 : 1;
}

namespace recurrent_parts {

Tensor step(RecurrentKind kind, const Tensor& projected, const Tensor& hidden,
            const RecurrentWeights& weights) {
  const Tensor carried = linear(hidden, weights.hidden, weights.hiddenBias);
  switch (kind) {
    case RecurrentKind::Gru:
      return gruCell(projected, carried, hidden);
    case RecurrentKind::RnnRelu:
      return relu(add(projected, carried));
    default:
      return tanh(add(projected, carried));
  }
}

}  // namespace recurrent_parts
}  // namespace tenon
