// SPDX-License-Identifier: Apache-2.0
// What tests of autograd share: leaves, their gradients, texts of errors.
#pragma once

#include <vector>

#include "engine/autograd/autograd.h"
#include "tests/support/error_text.h"

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

}  // namespace tenon
