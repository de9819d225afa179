// SPDX-License-Identifier: Apache-2.0
// Operators of exponentials, logarithms and error functions, from the rows of
// functions/exponential.h.
#include "engine/ops/elementwise/unary_ops.h"

namespace tenon {
namespace {

TENON_EXPONENTIALS(TENON_DEFINE_UNARY0, TENON_DEFINE_UNARY1, TENON_DEFINE_UNARY2)

}  // namespace

TENON_EXPONENTIALS(TENON_CALL_UNARY0, TENON_CALL_UNARY1, TENON_CALL_UNARY2)

void appendExponential(OpDefs& ops) {
  TENON_EXPONENTIALS(TENON_LIST_UNARY, TENON_LIST_UNARY, TENON_LIST_UNARY)
}

}  // namespace tenon
