// SPDX-License-Identifier: Apache-2.0
// Elements of f16 and bf16 tensors on the host. They are storage: arithmetic is done in f32.
#pragma once

#include "engine/backend/api/half.h"
#include "engine/tensor/dtype.h"

namespace tenon {

/// An element of an f16 tensor (IEEE 754 binary16: 11 bits of precision, up to 65504).
struct Half {
  uint16_t bits = 0;
  Half() = default;
  /// The nearest, ties to even; what is too large becomes infinite. f64 is rounded to f32 first.
  template <class T>
  explicit Half(T value) : bits(tenonF16OfF32(static_cast<float>(value))) {}
  operator float() const { return tenonF32OfF16(bits); }  // NOLINT: exact
};

/// An element of a bf16 tensor (8 bits of precision, the range of f32).
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  /// The nearest, ties to even. f64 is rounded to f32 first.
  template <class T>
  explicit BFloat16(T value) : bits(tenonBF16OfF32(static_cast<float>(value))) {}
  operator float() const { return tenonF32OfBF16(bits); }  // NOLINT: exact
};

template <>
constexpr DType dtypeOf<Half>() {
  return DType::F16;
}
template <>
constexpr DType dtypeOf<BFloat16>() {
  return DType::BF16;
}

}  // namespace tenon
