// SPDX-License-Identifier: Apache-2.0
// The table of pointwise operators, put together from its families.
#include "engine/ops/elementwise/elementwise.h"

#include "engine/ops/elementwise/families.h"

namespace tenon {

OpDefList opDefs_elementwise();
OpDefList opDefs_elementwise() {
  static const OpDefs kOps = [] {
    OpDefs ops;
    appendArithmetic(ops);
    appendActivations(ops);
    appendExponential(ops);
    appendTrigonometric(ops);
    appendRounding(ops);
    appendLerp(ops);
    appendBinary(ops);
    appendInPlace(ops);
    return ops;
  }();
  return {kOps.data(), static_cast<int>(kOps.size())};
}

}  // namespace tenon
