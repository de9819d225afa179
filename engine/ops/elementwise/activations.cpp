// SPDX-License-Identifier: Apache-2.0
// Operators of activation functions, from the rows of functions/activations.h.
#include "engine/ops/elementwise/unary_ops.h"

namespace tenon {
namespace {

TENON_ACTIVATIONS(TENON_DEFINE_UNARY0, TENON_DEFINE_UNARY1, TENON_DEFINE_UNARY2)

}  // namespace

TENON_ACTIVATIONS(TENON_CALL_UNARY0, TENON_CALL_UNARY1, TENON_CALL_UNARY2)

Tensor reluBackward(const Tensor& dy, const Tensor& y) {
  constexpr UnaryParams kParams{};
  return gate::run(kReluBackward, {&dy, &y}, &kParams);
}

void appendActivations(OpDefs& ops) {
  TENON_ACTIVATIONS(TENON_LIST_UNARY, TENON_LIST_UNARY, TENON_LIST_UNARY)
}

}  // namespace tenon
