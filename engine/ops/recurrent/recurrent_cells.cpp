// SPDX-License-Identifier: Apache-2.0
// The cells: what one element of a sequence makes of the state.
#include "engine/ops/recurrent/recurrent_cells.h"

#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/view/view.h"

namespace tenon {

int64_t gatesOf(RecurrentKind kind) {
  return kind == RecurrentKind::Lstm ? 4 : kind == RecurrentKind::Gru ? 3 : 1;
}

namespace recurrent_parts {
namespace {

Tensor gateOf(const Tensor& all, int64_t which, int64_t size) {
  return narrow(all, 1, which * size, size);
}

// i, f, o = sigmoid, g = tanh; c' = f c + i g; h' = o tanh(c')
StepState lstm(const Tensor& gates, const StepState& before) {
  const int64_t size = before.hidden.size(1);
  const Tensor input = sigmoid(gateOf(gates, 0, size));
  const Tensor forget = sigmoid(gateOf(gates, 1, size));
  const Tensor fresh = tanh(gateOf(gates, 2, size));
  const Tensor output = sigmoid(gateOf(gates, 3, size));
  const Tensor cell = add(mul(forget, before.cell), mul(input, fresh));
  return {mul(output, tanh(cell)), cell};
}

// r, z = sigmoid; n = tanh(x_n + r h_n); h' = n + z (h - n)
StepState gru(const Tensor& projected, const Tensor& carried, const Tensor& hidden) {
  const int64_t size = hidden.size(1);
  const Tensor both =
      sigmoid(add(narrow(projected, 1, 0, 2 * size), narrow(carried, 1, 0, 2 * size)));
  const Tensor reset = gateOf(both, 0, size), update = gateOf(both, 1, size);
  const Tensor fresh = tanh(add(gateOf(projected, 2, size), mul(reset, gateOf(carried, 2, size))));
  return {add(fresh, mul(update, sub(hidden, fresh))), {}};
}

}  // namespace

StepState step(RecurrentKind kind, const Tensor& projected, const StepState& before,
               const RecurrentWeights& weights) {
  const Tensor carried = linear(before.hidden, weights.hidden, weights.hiddenBias);
  switch (kind) {
    case RecurrentKind::Lstm:
      return lstm(add(projected, carried), before);
    case RecurrentKind::Gru:
      return gru(projected, carried, before.hidden);
    case RecurrentKind::RnnRelu:
      return {relu(add(projected, carried)), {}};
    default:
      return {tanh(add(projected, carried)), {}};
  }
}

}  // namespace recurrent_parts
}  // namespace tenon
