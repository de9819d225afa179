// SPDX-License-Identifier: Apache-2.0
// Initializers: new values for parameters, with PyTorch's names, formulas and defaults. Random ones
// draw from the thread's generator (gate::GeneratorGuard), one call number a tensor, so that the
// same seed and order give the same values everywhere.
#pragma once

#include <cstdint>

#include "engine/layers/initial_values.h"

namespace tenon::nn {

/// The numbers of the next tensor. The rank of the process has no part in them: all start alike.
TENON_API InitNumbers nextInitNumbers();

/// What comes behind a layer; decides the gain that keeps the variance of its outputs.
enum class Nonlinearity : uint8_t { Linear, Sigmoid, Tanh, Relu, LeakyRelu, Selu };
/// 1, 1, 5/3, sqrt 2, sqrt(2 / (1 + slope^2)), 3/4. @param slope of LeakyRelu
TENON_API double gainOf(Nonlinearity nonlinearity, double slope = 0.01);

/// Connections into and out of one unit of a weight [out, in, kernel ...].
struct Fans {
  int64_t in = 0;
  int64_t out = 0;
};
/// @throws Error(Shape) for fewer than two axes.
TENON_API Fans fansOf(const Shape& shape);

namespace init {

// All write `t` in place, of any floating type and layout, without recording it.

TENON_API void constant(const Tensor& t, double value);
inline void zeros(const Tensor& t) { constant(t, 0); }
inline void ones(const Tensor& t) { constant(t, 1); }
/// U(low, high)
TENON_API void uniform(const Tensor& t, double low = 0, double high = 1);
/// N(mean, deviation^2)
TENON_API void normal(const Tensor& t, double mean = 0, double deviation = 1);
/// N(mean, deviation^2) cut to [low, high]. @throws Error(Usage) if low is not below high.
TENON_API void truncatedNormal(const Tensor& t, double mean = 0, double deviation = 1,
                               double low = -2, double high = 2);
/// U(-b, b), b = gain * sqrt(6 / (fan in + fan out)) (Glorot and Bengio 2010).
TENON_API void xavierUniform(const Tensor& t, double gain = 1);
/// N(0, s^2), s = gain * sqrt(2 / (fan in + fan out)).
TENON_API void xavierNormal(const Tensor& t, double gain = 1);

/// Whether the variance is kept going forward (fan in) or back (fan out).
enum class FanMode : uint8_t { In, Out };
struct Kaiming {
  Nonlinearity nonlinearity = Nonlinearity::LeakyRelu;
  double slope = 0;
  FanMode mode = FanMode::In;
};
/// U(-b, b), b = gain * sqrt(3 / fan) (He et al. 2015, arXiv:1502.01852). Slope sqrt 5 gives what
/// linear and convolution layers start with.
TENON_API void kaimingUniform(const Tensor& t, const Kaiming& kaiming = {});
/// N(0, s^2), s = gain / sqrt(fan).
TENON_API void kaimingNormal(const Tensor& t, const Kaiming& kaiming = {});

/// t as a matrix [size(0), rest] gets orthonormal rows or, if it has more rows than columns,
/// orthonormal columns, times gain; uniformly distributed (Saxe et al. 2013, arXiv:1312.6120).
/// @throws Error(Shape) for fewer than two axes.
TENON_API void orthogonal(const Tensor& t, double gain = 1);

}  // namespace init
}  // namespace tenon::nn
