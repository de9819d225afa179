// SPDX-License-Identifier: Apache-2.0
// Traced arithmetic: numbers are folded, everything else becomes operator calls.
#include "engine/ops/elementwise/traced.h"

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

[[noreturn]] void noTensor(const char* what) {
  throw Error(Code::Internal, std::string("a gradient formula uses ") + what +
                                  " of numbers only: no tensor to follow");
}

template <class Function>
Traced binary(const Traced& x, const Traced& y, Function function) {
  return Traced(function(x.tensorLike(y.tensor()), y.tensorLike(x.tensor())));
}

template <class Function>
TracedMask compare(const Traced& x, const Traced& y, Function function) {
  return {function(x.tensorLike(y.tensor()), y.tensorLike(x.tensor()))};
}

}  // namespace

Tensor Traced::tensorLike(const Tensor& like) const {
  return isNumber() ? Tensor::full({}, number_, like.dtype()) : tensor_;
}

Tensor Traced::filling(const Tensor& like) const {
  if (!isNumber()) return tensor_;
  if (number_ == 0) return Tensor::zeros(like.shape(), like.dtype(), like.device());
  return Tensor::full(like.shape(), number_, like.dtype());
}

Traced operator-(const Traced& x) {
  return x.isNumber() ? Traced(-x.number()) : Traced(neg(x.tensor()));
}
Traced operator+(const Traced& x, const Traced& y) {
  if (x.isNumber() && y.isNumber()) return Traced(x.number() + y.number());
  if (y.isNumber()) return y.number() == 0 ? x : Traced(addScalar(x.tensor(), y.number()));
  if (x.isNumber()) return y + x;
  return Traced(add(x.tensor(), y.tensor()));
}
Traced operator-(const Traced& x, const Traced& y) {
  if (y.isNumber()) return x + Traced(-y.number());
  if (x.isNumber()) return -y + x;
  return Traced(sub(x.tensor(), y.tensor()));
}
Traced operator*(const Traced& x, const Traced& y) {
  if (x.isNumber() && y.isNumber()) return Traced(x.number() * y.number());
  if (y.isNumber()) return Traced(mulScalar(x.tensor(), y.number()));
  if (x.isNumber()) return y * x;
  return Traced(mul(x.tensor(), y.tensor()));
}
Traced operator/(const Traced& x, const Traced& y) {
  if (y.isNumber()) return x * Traced(1.0 / y.number());
  if (x.isNumber()) return Traced(reciprocal(y.tensor())) * x;
  return Traced(div(x.tensor(), y.tensor()));
}
TracedMask operator<(const Traced& x, const Traced& y) {
  if (x.isNumber() && y.isNumber()) return {{}, x.number() < y.number()};
  return compare(x, y, [](const Tensor& a, const Tensor& b) { return less(a, b); });
}
TracedMask operator>(const Traced& x, const Traced& y) {
  if (x.isNumber() && y.isNumber()) return {{}, x.number() > y.number()};
  return compare(x, y, [](const Tensor& a, const Tensor& b) { return greater(a, b); });
}
TracedMask operator==(const Traced& x, const Traced& y) {
  if (x.isNumber() && y.isNumber()) return {{}, x.number() == y.number()};
  return compare(x, y, [](const Tensor& a, const Tensor& b) { return equal(a, b); });
}

namespace functions::math {

// They specialize templates that take numbers and vectors by value.
// NOLINTBEGIN(performance-unnecessary-value-param)
#define TENON_TRACED(name)                                  \
  template <>                                               \
  Traced name(Traced x) {                                   \
    if (x.isNumber()) return Traced(std::name(x.number())); \
    return Traced(tenon::name(x.tensor()));                 \
  }
TENON_TRACED(exp)
TENON_TRACED(log)
TENON_TRACED(sqrt)
TENON_TRACED(sin)
TENON_TRACED(cos)
TENON_TRACED(sinh)
TENON_TRACED(cosh)
TENON_TRACED(tanh)
TENON_TRACED(floor)
TENON_TRACED(trunc)
TENON_TRACED(abs)
#undef TENON_TRACED

template <>
Traced expm1(Traced x) {
  if (x.isNumber()) return Traced(std::expm1(x.number()));
  return Traced(tenon::expm1(x.tensor()));
}
template <>
Traced log1p(Traced x) {
  if (x.isNumber()) return Traced(std::log1p(x.number()));
  return Traced(tenon::log1p(x.tensor()));
}
template <>
Traced erf(Traced x) {
  if (x.isNumber()) return Traced(std::erf(x.number()));
  return Traced(tenon::erf(x.tensor()));
}
template <>
Traced expOrZero(Traced x) {
  return exp(x);
}
template <>
Traced normalCdf(Traced x) {
  constexpr double kSqrtHalf = 0.70710678118654752440;
  return (erf(x * Traced(kSqrtHalf)) + Traced(1)) * Traced(0.5);
}
template <>
Traced normalPdf(Traced x) {
  constexpr double kInvSqrt2Pi = 0.39894228040143267794;
  return exp(x * x * Traced(-0.5)) * Traced(kInvSqrt2Pi);
}
template <>
Traced sigmoid(Traced x) {
  if (x.isNumber()) return Traced(1.0 / (1.0 + std::exp(-x.number())));
  return Traced(tenon::sigmoid(x.tensor()));
}
template <>
Traced pow(Traced x, Traced y) {
  if (x.isNumber() && y.isNumber()) return Traced(std::pow(x.number(), y.number()));
  if (y.isNumber()) return Traced(powScalar(x.tensor(), y.number()));
  return binary(x, y, [](const Tensor& a, const Tensor& b) { return tenon::pow(a, b); });
}
template <>
Traced max(Traced x, Traced y) {
  if (x.isNumber() && y.isNumber()) return Traced(std::fmax(x.number(), y.number()));
  return binary(x, y, [](const Tensor& a, const Tensor& b) { return maximum(a, b); });
}
template <>
Traced min(Traced x, Traced y) {
  if (x.isNumber() && y.isNumber()) return Traced(std::fmin(x.number(), y.number()));
  return binary(x, y, [](const Tensor& a, const Tensor& b) { return minimum(a, b); });
}
template <>
Traced select(TracedMask mask, Traced x, Traced y) {
  if (!mask.tensor.defined()) return mask.answer ? x : y;
  if (x.isNumber() && y.isNumber()) noTensor("a choice");
  return binary(x, y, [&](const Tensor& a, const Tensor& b) { return where(mask.tensor, a, b); });
}
// NOLINTEND(performance-unnecessary-value-param)

}  // namespace functions::math
}  // namespace tenon
