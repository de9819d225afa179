// SPDX-License-Identifier: Apache-2.0
// Element types: names, sizes, classes. Numbers are those of the back-end contract and of every
// stored file.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/backend/api/kernel.h"
#include "engine/base/export.h"

namespace tenon {

enum class DType : uint8_t {
  F32 = TENON_F32,
  F64 = TENON_F64,
  F16 = TENON_F16,
  BF16 = TENON_BF16,
  I64 = TENON_I64,
  I32 = TENON_I32,
  I8 = TENON_I8,
  U8 = TENON_U8,
  Bool = TENON_BOOL,
};

/// Bits of one element.
constexpr int dtypeBits(DType type) {
  switch (type) {
    case DType::F64:
    case DType::I64:
      return 64;
    case DType::F32:
    case DType::I32:
      return 32;
    case DType::F16:
    case DType::BF16:
      return 16;
    default:
      return 8;
  }
}
constexpr int64_t dtypeBytes(DType type) { return dtypeBits(type) / 8; }
constexpr bool isFloating(DType type) {
  return type == DType::F32 || type == DType::F64 || type == DType::F16 || type == DType::BF16;
}
/// "f32", "i64", "bool", ...
TENON_API std::string_view dtypeName(DType type);
/// The type with that name. @throws Error(Code::Type) listing the names.
TENON_API DType dtypeFromName(std::string_view name);
constexpr uint32_t dtypeBit(DType type) { return 1u << static_cast<uint32_t>(type); }

template <class T>
constexpr DType dtypeOf();
template <>
constexpr DType dtypeOf<float>() {
  return DType::F32;
}
template <>
constexpr DType dtypeOf<double>() {
  return DType::F64;
}
template <>
constexpr DType dtypeOf<int64_t>() {
  return DType::I64;
}
template <>
constexpr DType dtypeOf<int32_t>() {
  return DType::I32;
}
template <>
constexpr DType dtypeOf<int8_t>() {
  return DType::I8;
}
template <>
constexpr DType dtypeOf<uint8_t>() {
  return DType::U8;
}
template <>
constexpr DType dtypeOf<bool>() {
  return DType::Bool;
}

}  // namespace tenon
