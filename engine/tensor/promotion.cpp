// SPDX-License-Identifier: Apache-2.0
// Promotion of pairs of types, and of operands with and without axes.
#include "engine/tensor/promotion.h"

namespace tenon {

DType promoteTypes(DType a, DType b) {
  if (a == b) return a;
  if (categoryOf(a) != categoryOf(b)) return categoryOf(a) > categoryOf(b) ? a : b;
  if (dtypeBits(a) != dtypeBits(b)) return dtypeBits(a) > dtypeBits(b) ? a : b;
  return isFloating(a) ? DType::F32 : DType::I32;  // f16 with bf16, i8 with u8
}

void CommonType::add(DType type, bool hasAxes) {
  std::optional<DType>& place = hasAxes ? withAxes_ : single_;
  place = place ? promoteTypes(*place, type) : type;
}

std::optional<DType> CommonType::result() const {
  if (!withAxes_ || !single_) return withAxes_ ? withAxes_ : single_;
  return categoryOf(*single_) > categoryOf(*withAxes_) ? promoteTypes(*withAxes_, *single_)
                                                       : *withAxes_;
}

DType resultType(const Tensor& a, const Tensor& b) {
  CommonType common;
  common.add(a);
  common.add(b);
  return *common.result();
}

}  // namespace tenon
