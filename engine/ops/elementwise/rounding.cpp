// SPDX-License-Identifier: Apache-2.0
// Operators of rounding and sign, from the rows of functions/rounding.h.
#include "engine/ops/elementwise/unary_ops.h"

namespace tenon {
namespace {

TENON_ROUNDING(TENON_DEFINE_UNARY0, TENON_DEFINE_UNARY1, TENON_DEFINE_UNARY2)

}  // namespace

TENON_ROUNDING(TENON_CALL_UNARY0, TENON_CALL_UNARY1, TENON_CALL_UNARY2)

void appendRounding(OpDefs& ops) {
  TENON_ROUNDING(TENON_LIST_UNARY, TENON_LIST_UNARY, TENON_LIST_UNARY)
}

}  // namespace tenon
