// SPDX-License-Identifier: Apache-2.0
// The type that values of different types are brought to before they meet: PyTorch's rules.
//
// Types are of three categories, bool < integer < floating. Within one, the wider type wins; f16
// with bf16 gives f32. PyTorch's i16, which i8 with u8 would give, is i32 here.
#pragma once

#include <optional>

#include "engine/tensor/tensor.h"

namespace tenon {

enum class TypeCategory : uint8_t { Bool, Integer, Floating };

constexpr TypeCategory categoryOf(DType type) {
  if (isFloating(type)) return TypeCategory::Floating;
  return type == DType::Bool ? TypeCategory::Bool : TypeCategory::Integer;
}

/// The smallest type that both can be brought to without changing category.
TENON_API DType promoteTypes(DType a, DType b);
/// What computations over `type` give that integers cannot hold (true division, roots, exp, mean):
/// `type` if it is floating, else f32, PyTorch's default.
constexpr DType floatingOf(DType type) { return isFloating(type) ? type : DType::F32; }
/// Whether results of type `from` may be written to a tensor of type `to`: not to a lower category.
constexpr bool canCast(DType from, DType to) { return categoryOf(from) <= categoryOf(to); }

/// Collects the operands of a call and says which type they have in common. Tensors with axes
/// decide before those without (and before single numbers) of the same category.
class CommonType {
 public:
  TENON_API void add(DType type, bool hasAxes);
  void add(const Tensor& tensor) { add(tensor.dtype(), tensor.ndim() > 0); }
  /// Absent if nothing was added.
  TENON_API std::optional<DType> result() const;

 private:
  std::optional<DType> withAxes_;
  std::optional<DType> single_;
};

/// The type that `a` and `b` are brought to when they meet in an operator.
TENON_API DType resultType(const Tensor& a, const Tensor& b);

}  // namespace tenon
