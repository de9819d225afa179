// SPDX-License-Identifier: Apache-2.0
// What tests of autograd share: leaves, their gradients, texts of errors.
#pragma once

#include <string>
#include <vector>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"

namespace tenon {

/// An f64 tensor that wants a gradient.
inline Tensor leaf(const std::vector<double>& values, const Shape& shape) {
  Tensor t = Tensor::fromValues(values, shape);
  autograd::setRequiresGrad(t);
  return t;
}
inline Tensor leaf(double value) { return leaf({value}, Shape{1}); }

inline std::vector<double> gradient(const Tensor& t) {
  return autograd::gradOf(t).toVector<double>();
}

/// The text of the error that `call` throws; empty if it throws none.
template <class F>
std::string errorOf(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// True if `text` has every one of the parts.
inline bool hasAll(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) return false;
  return true;
}

}  // namespace tenon
