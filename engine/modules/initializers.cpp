// SPDX-License-Identifier: Apache-2.0
// Initializers make dense values first, which are then copied into the tensor.
#include "engine/modules/initializers.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon::nn {

InitNumbers nextInitNumbers() {
  Generator& generator = *gate::threadState().generator;
  return {philox::makeKey(generator.seed, philox::Purpose::Init), generator.calls++};
}

double gainOf(Nonlinearity nonlinearity, double slope) {
  switch (nonlinearity) {
    case Nonlinearity::Linear:
    case Nonlinearity::Sigmoid:
      return 1;
    case Nonlinearity::Tanh:
      return 5.0 / 3.0;
    case Nonlinearity::Relu:
      return std::numbers::sqrt2;
    case Nonlinearity::LeakyRelu:
      return std::sqrt(2.0 / (1.0 + slope * slope));
    case Nonlinearity::Selu:
      return 0.75;
  }
  return 1;
}

Fans fansOf(const Shape& shape) {
  if (shape.ndim() < 2)
    throw Error(Code::Shape, fmt::format("fan in and fan out want a weight [out, in, ...] of at "
                                         "least two axes, got {}",
                                         toString(shape)));
  int64_t kernel = 1;
  for (int i = 2; i < shape.ndim(); ++i) kernel *= shape[i];
  return {shape[1] * kernel, shape[0] * kernel};
}

namespace init {
namespace {

/// Makes values with `fill` in a dense tensor and copies them into `t`.
template <class Fill>
void write(const Tensor& t, Fill fill) {
  if (!isFloating(t.dtype()))
    throw Error(Code::Type, "initial values are floating, wanted " + describe(t));
  const Tensor dense = Tensor::empty(t.shape(), t.dtype() == DType::F64 ? DType::F64 : DType::F32);
  const gate::NoGradGuard noGrad;
  fill(dense);
  copyInPlace(t, dense);
}

double sumOfFans(const Tensor& t) {
  const Fans fans = fansOf(t.shape());
  return static_cast<double>(fans.in + fans.out);
}

double kaimingDeviation(const Tensor& t, const Kaiming& kaiming) {
  const Fans fans = fansOf(t.shape());
  const int64_t fan = kaiming.mode == FanMode::In ? fans.in : fans.out;
  return gainOf(kaiming.nonlinearity, kaiming.slope) / std::sqrt(static_cast<double>(fan));
}

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Gram-Schmidt, each vector twice against those before it, which leaves errors of rounding only
/// (Giraud et al. 2005). As R has a positive diagonal, the result is uniformly distributed
/// (Mezzadri 2007).
void orthonormalize(std::vector<Vector>& vectors) {
  for (size_t k = 0; k < vectors.size(); ++k) {
    Vector& v = vectors[k];
    for (size_t twice = 0; twice < 2 * k; ++twice) {
      const Vector& other = vectors[twice % k];
      const double along = dot(v, other);
      for (size_t i = 0; i < v.size(); ++i) v[i] -= along * other[i];
    }
    const double length = std::sqrt(dot(v, v));
    for (double& x : v) x /= length;
  }
}

}  // namespace

void constant(const Tensor& t, double value) {
  write(t, [&](const Tensor& dense) { fillConstant(dense, value); });
}

void uniform(const Tensor& t, double low, double high) {
  write(t, [&](const Tensor& dense) { fillUniform(dense, low, high, nextInitNumbers()); });
}

void normal(const Tensor& t, double mean, double deviation) {
  write(t, [&](const Tensor& dense) { fillNormal(dense, mean, deviation, nextInitNumbers()); });
}

void truncatedNormal(const Tensor& t, double mean, double deviation, double low, double high) {
  write(t, [&](const Tensor& dense) {
    fillTruncatedNormal(dense, mean, deviation, low, high, nextInitNumbers());
  });
}

void xavierUniform(const Tensor& t, double gain) {
  const double bound = gain * std::sqrt(6.0 / sumOfFans(t));
  uniform(t, -bound, bound);
}

void xavierNormal(const Tensor& t, double gain) {
  normal(t, 0, gain * std::sqrt(2.0 / sumOfFans(t)));
}

void kaimingUniform(const Tensor& t, const Kaiming& kaiming) {
  const double bound = std::numbers::sqrt3 * kaimingDeviation(t, kaiming);
  uniform(t, -bound, bound);
}

void kaimingNormal(const Tensor& t, const Kaiming& kaiming) {
  normal(t, 0, kaimingDeviation(t, kaiming));
}

void orthogonal(const Tensor& t, double gain) {
  const auto rows = static_cast<size_t>(fansOf(t.shape()).out > 0 ? t.size(0) : 0);
  const size_t columns = rows ? static_cast<size_t>(t.numel()) / rows : 0;
  const bool byRow = rows <= columns;
  write(t, [&](const Tensor& dense) {
    std::vector<Vector> vectors(byRow ? rows : columns, Vector(byRow ? columns : rows));
    const InitNumbers numbers = nextInitNumbers();
    uint64_t next = 0;
    for (Vector& v : vectors)
      for (double& x : v) x = philox::normal(numbers.key, numbers.call, next++);
    orthonormalize(vectors);
    Vector values(rows * columns);
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t row = i / columns;
      const size_t column = i % columns;
      values[i] = gain * (byRow ? vectors[row][column] : vectors[column][row]);
    }
    copyInPlace(dense, Tensor::fromValues(values, t.shape()));
  });
}

}  // namespace init
}  // namespace tenon::nn
