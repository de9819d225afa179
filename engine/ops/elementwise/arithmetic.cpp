// SPDX-License-Identifier: Apache-2.0
// Operators of unary arithmetic, from the rows of functions/arithmetic.h.
#include "engine/ops/elementwise/unary_ops.h"

namespace tenon {
namespace {

TENON_ARITHMETIC(TENON_DEFINE_UNARY0, TENON_DEFINE_UNARY1, TENON_DEFINE_UNARY2)

}  // namespace

TENON_ARITHMETIC(TENON_CALL_UNARY0, TENON_CALL_UNARY1, TENON_CALL_UNARY2)

void appendArithmetic(OpDefs& ops) {
  TENON_ARITHMETIC(TENON_LIST_UNARY, TENON_LIST_UNARY, TENON_LIST_UNARY)
}

}  // namespace tenon
