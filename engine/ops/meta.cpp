// SPDX-License-Identifier: Apache-2.0
// Checks of shape rules and their texts.
#include "engine/ops/meta.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tenon {
namespace {

const char* inputName(const OpCall& call, size_t i) {
  const auto& names = call.op.inputNames;
  return i < names.size() ? names[i] : "input";
}

}  // namespace

void needInputs(const OpCall& call, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!call.has(i))
      throw Error(Code::Usage, fmt::format("[{}] {} is undefined: it holds no tensor", call.op.id,
                                           inputName(call, i)));
}

void needSameType(const OpCall& call, size_t i, size_t j) {
  const Tensor& a = call.input(i);
  const Tensor& b = call.input(j);
  if (a.dtype() != b.dtype())
    throw Error(Code::Type,
                fmt::format("[{}] {} and {} have different types, cast one: {} and {}", call.op.id,
                            inputName(call, i), inputName(call, j), describe(a), describe(b)));
}

void needType(const OpCall& call, size_t i, DType wanted) {
  if (call.input(i).dtype() != wanted)
    throw Error(Code::Type,
                fmt::format("[{}] {} must be {}, got {}", call.op.id, inputName(call, i),
                            dtypeName(wanted), describe(call.input(i))));
}

void needFloating(const OpCall& call, size_t i) {
  if (!isFloating(call.input(i).dtype()))
    throw Error(Code::Type, fmt::format("[{}] {} must have a floating type, got {}", call.op.id,
                                        inputName(call, i), describe(call.input(i))));
}

void needShape(const OpCall& call, size_t i, const Shape& wanted) {
  if (!(call.input(i).shape() == wanted))
    throw Error(Code::Shape,
                fmt::format("[{}] {} must have shape {}, got {}", call.op.id, inputName(call, i),
                            toString(wanted), describe(call.input(i))));
}

void likeFirst(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  out[0] = {call.input(0).shape(), call.input(0).dtype()};
}

void broadcastPair(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  const Tensor& a = call.input(0);
  const Tensor& b = call.input(1);
  // Types of an operator that promotes differ only where a is written in place and keeps its own.
  if (a.dtype() != b.dtype() && !call.op.promotes) needSameType(call, 0, 1);
  out[0].dtype = a.dtype();
  out[0].shape =
      a.shape() == b.shape() ? a.shape() : broadcastShapes(a.shape(), b.shape(), call.op.id);
}

void intoFirst(const OpCall& call, std::span<TensorMeta> out) {
  broadcastPair(call, out);
  if (!(out[0].shape == call.input(0).shape()))
    throw Error(Code::Shape,
                fmt::format("[{}] {} does not broadcast to {}, which keeps its shape: {} into {}",
                            call.op.id, inputName(call, 1), inputName(call, 0),
                            describe(call.input(1)), describe(call.input(0))));
}

}  // namespace tenon
