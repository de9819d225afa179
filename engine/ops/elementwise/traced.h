// SPDX-License-Identifier: Apache-2.0
// Traced: a tensor or a number that pointwise formulas can be evaluated with, so that a gradient
// written once as a formula becomes a graph of recorded operators (for gradients of gradients).
#pragma once

#include "engine/ops/elementwise/functions/function.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// What comparing traced values gives: a bool tensor, or one answer if they are numbers.
struct TracedMask {
  Tensor tensor;
  bool answer = false;
};

/// A number, or a tensor whose operations pass the gate one by one.
class Traced {
 public:
  explicit Traced(double number) : number_(number) {}
  explicit Traced(Tensor tensor) : tensor_(std::move(tensor)) {}

  bool isNumber() const { return !tensor_.defined(); }
  double number() const { return number_; }
  /// The tensor. A number becomes a scalar tensor of `like`'s type.
  Tensor tensorLike(const Tensor& like) const;
  const Tensor& tensor() const { return tensor_; }
  /// The tensor. A number fills a tensor like `like`.
  Tensor filling(const Tensor& like) const;

 private:
  Tensor tensor_;
  double number_ = 0;
};

Traced operator-(const Traced& x);
Traced operator+(const Traced& x, const Traced& y);
Traced operator-(const Traced& x, const Traced& y);
Traced operator*(const Traced& x, const Traced& y);
Traced operator/(const Traced& x, const Traced& y);
TracedMask operator<(const Traced& x, const Traced& y);
TracedMask operator>(const Traced& x, const Traced& y);
TracedMask operator==(const Traced& x, const Traced& y);

namespace functions::math {
template <>
Traced exp(Traced x);
template <>
Traced expOrZero(Traced x);
template <>
Traced expm1(Traced x);
template <>
Traced log(Traced x);
template <>
Traced log1p(Traced x);
template <>
Traced sqrt(Traced x);
template <>
Traced sin(Traced x);
template <>
Traced cos(Traced x);
template <>
Traced sinh(Traced x);
template <>
Traced cosh(Traced x);
template <>
Traced tanh(Traced x);
template <>
Traced floor(Traced x);
template <>
Traced trunc(Traced x);
template <>
Traced erf(Traced x);
template <>
Traced normalCdf(Traced x);
template <>
Traced normalPdf(Traced x);
template <>
Traced sigmoid(Traced x);
template <>
Traced abs(Traced x);
template <>
Traced pow(Traced x, Traced y);
template <>
Traced max(Traced x, Traced y);
template <>
Traced min(Traced x, Traced y);
template <>
Traced select(TracedMask mask, Traced x, Traced y);
}  // namespace functions::math

}  // namespace tenon
