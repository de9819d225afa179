// SPDX-License-Identifier: Apache-2.0
// Checks that shape rules share.
#include "engine/ops/checks.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tenon {

std::string shapesOf(const OpCall& call) {
  std::string text;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i)) continue;
    const size_t named = std::min(i, call.op.inputNames.size() - 1);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", call.op.inputNames[named],
                        toString(call.input(i).shape()));
  }
  return text;
}

void refuseShapes(const OpCall& call, const std::string& text) {
  throw Error(Code::Shape, fmt::format("[{}] {}: {}", call.op.id, text, shapesOf(call)));
}

void requirePresent(const OpCall& call, std::initializer_list<size_t> inputs) {
  for (size_t i : inputs)
    if (!call.has(i))
      throw Error(Code::Usage, fmt::format("[{}] {} is undefined: it holds no tensor", call.op.id,
                                           call.op.inputNames[i]));
}

DType requireOneFloatingType(const OpCall& call, std::initializer_list<size_t> inputs) {
  const Tensor* first = nullptr;
  size_t firstIndex = 0;
  for (size_t i : inputs) {
    if (!call.has(i)) continue;
    const Tensor& tensor = call.input(i);
    if (!isFloating(tensor.dtype()))
      throw Error(Code::Type, fmt::format("[{}] {} wants a floating type, got {}", call.op.id,
                                          call.op.inputNames[i], dtypeName(tensor.dtype())));
    if (first && tensor.dtype() != first->dtype())
      throw Error(Code::Type,
                  fmt::format("[{}] wants one element type, got {} {} and {} {}", call.op.id,
                              call.op.inputNames[firstIndex], dtypeName(first->dtype()),
                              call.op.inputNames[i], dtypeName(tensor.dtype())));
    if (!first) firstIndex = i;
    if (!first) first = &tensor;
  }
  if (!first) requirePresent(call, inputs);
  return first->dtype();  // requirePresent has thrown if there is none
}

DType requireParameterTypes(const OpCall& call, size_t x, std::initializer_list<size_t> inputs) {
  const DType type = requireOneFloatingType(call, {x});
  const DType statistics = statisticsType(type);
  for (size_t i : inputs) {
    if (!call.has(i)) continue;
    const DType own = call.input(i).dtype();
    if (own == type || own == statistics) continue;
    const char* orWider = type == statistics ? "" : " or f32";
    throw Error(Code::Type, fmt::format("[{}] {} must be {}{} beside {} {}, got {}", call.op.id,
                                        call.op.inputNames[i], dtypeName(type), orWider,
                                        call.op.inputNames[x], dtypeName(type), dtypeName(own)));
  }
  return statistics;
}

void requireAxes(const OpCall& call, size_t i, int ndim, const char* axes) {
  requirePresent(call, {i});
  if (call.input(i).ndim() == ndim) return;
  refuseShapes(call, fmt::format("{} wants {} axes {}, got {}", call.op.inputNames[i], ndim, axes,
                                 call.input(i).ndim()));
}

void requireShape(const OpCall& call, size_t i, const Shape& wanted, const char* meaning) {
  if (!call.has(i) || call.input(i).shape() == wanted) return;
  refuseShapes(call, fmt::format("{} wants shape {} ({}), got {}", call.op.inputNames[i],
                                 toString(wanted), meaning, toString(call.input(i).shape())));
}

}  // namespace tenon
