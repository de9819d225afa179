// SPDX-License-Identifier: Apache-2.0
// Checks that shape rules of operators share. Errors start with "[op]" and say wanted and got.
#pragma once

#include "engine/ops/op_def.h"

namespace tenon {

/// @throws Error(Usage) naming the first of the first `count` inputs that is missing.
TENON_API void needInputs(const OpCall& call, size_t count);
/// @throws Error(Type) if inputs i and j differ in type.
TENON_API void needSameType(const OpCall& call, size_t i, size_t j);
/// @throws Error(Type) if input i has not the type wanted.
TENON_API void needType(const OpCall& call, size_t i, DType wanted);
/// @throws Error(Type) if input i is not floating.
TENON_API void needFloating(const OpCall& call, size_t i);
/// @throws Error(Shape) if input i has not the shape wanted.
TENON_API void needShape(const OpCall& call, size_t i, const Shape& wanted);

/// Output 0 is like input 0.
TENON_API void likeFirst(const OpCall& call, std::span<TensorMeta> out);
/// Output 0 has the broadcast shape of inputs 0 and 1, which have one type, that of output 0.
TENON_API void broadcastPair(const OpCall& call, std::span<TensorMeta> out);
/// Output 0 is input 0, changed in place; input 1 broadcasts to it, and has its type or the
/// operator promotes.
TENON_API void intoFirst(const OpCall& call, std::span<TensorMeta> out);

}  // namespace tenon
