// SPDX-License-Identifier: Apache-2.0
// Checks that shape rules share. All throw Error with a text that starts "[op]".
#pragma once

#include <initializer_list>

#include "engine/ops/op_def.h"

namespace tenon {

/// "x [8, 4, 32, 32], w [16, 3, 3, 3]": the present inputs of a call with their names.
TENON_API std::string shapesOf(const OpCall& call);
/// Throws Error(Code::Shape, "[op] text: x [...], w [...]").
[[noreturn]] TENON_API void refuseShapes(const OpCall& call, const std::string& text);
/// @throws Error(Code::Usage) naming the first of the listed inputs that is missing.
TENON_API void requirePresent(const OpCall& call, std::initializer_list<size_t> inputs);
/// The listed inputs that are present must be floating and of one type. @return that type.
TENON_API DType requireOneFloatingType(const OpCall& call, std::initializer_list<size_t> inputs);
/// The type in which statistics of values of `type` are kept: f32 for f16 and bf16, else `type`.
constexpr DType statisticsType(DType type) {
  return type == DType::F16 || type == DType::BF16 ? DType::F32 : type;
}
/// Input `x` must be floating, and the listed inputs that are present (weights, statistics) must
/// have its type or `statisticsType` of it. @return `statisticsType` of x
TENON_API DType requireParameterTypes(const OpCall& call, size_t x,
                                      std::initializer_list<size_t> inputs);
/// Input `i` must have `ndim` axes. `axes` names them for the text: "[N, C, H, W]".
TENON_API void requireAxes(const OpCall& call, size_t i, int ndim, const char* axes);
/// Input `i`, if present, must have exactly this shape. `meaning` says why: "one value a channel".
TENON_API void requireShape(const OpCall& call, size_t i, const Shape& wanted, const char* meaning);

}  // namespace tenon
