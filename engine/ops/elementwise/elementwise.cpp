// SPDX-License-Identifier: Apache-2.0
// The table of pointwise operators, put together from its families.
#include "engine/ops/elementwise/elementwise.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/elementwise/families.h"
#include "engine/ops/elementwise/unary_ops.h"

namespace tenon {

void refusePower(const OpDef& op, const Tensor& x, double exponent) {
  throw Error(Code::Input,
              fmt::format("[{}] integers have no power {}: {}; cast to a floating type", op.id,
                          exponent, describe(x)));
}

void refuseNumber(const OpDef& op, const Tensor& x, DType result, double number) {
  throw Error(Code::Type,
              fmt::format("[{}] x is written in place and keeps its type {}, which the "
                          "result type {} can't be cast to: {} with {}",
                          op.id, dtypeName(x.dtype()), dtypeName(result), describe(x), number));
}

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
    appendBitwise(ops);
    return ops;
  }();
  return {kOps.data(), static_cast<int>(kOps.size())};
}

}  // namespace tenon
