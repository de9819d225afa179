// SPDX-License-Identifier: Apache-2.0
// Operators of circular and hyperbolic functions, from the rows of functions/trigonometric.h.
#include "engine/ops/elementwise/unary_ops.h"

namespace tenon {
namespace {

TENON_TRIGONOMETRIC(TENON_DEFINE_UNARY0, TENON_DEFINE_UNARY1, TENON_DEFINE_UNARY2)

}  // namespace

TENON_TRIGONOMETRIC(TENON_CALL_UNARY0, TENON_CALL_UNARY1, TENON_CALL_UNARY2)

void appendTrigonometric(OpDefs& ops) {
  TENON_TRIGONOMETRIC(TENON_LIST_UNARY, TENON_LIST_UNARY, TENON_LIST_UNARY)
}

}  // namespace tenon
