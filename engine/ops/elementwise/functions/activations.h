// SPDX-License-Identifier: Apache-2.0
// Activation functions. A new one is one functor and its row: operator, kernels, gradients, tests
// and the public function come from them.
#pragma once

#include "engine/ops/elementwise/functions/function.h"

// Rows: public function, functor, operator id, help (, name and default of each option).
#define TENON_ACTIVATIONS(F0, F1, F2)                                                           \
  F0(tanh, Tanh, "tanh", "Hyperbolic tangent")                                                  \
  F0(sigmoid, Sigmoid, "sigmoid", "1 / (1 + exp(-x))")                                          \
  F0(logSigmoid, LogSigmoid, "log_sigmoid", "log(1 / (1 + exp(-x))), stable for large |x|")     \
  F0(relu, Relu, "relu", "max(x, 0); the gradient at 0 is 0")                                   \
  F0(relu6, Relu6, "relu6", "min(max(x, 0), 6)")                                                \
  F1(leakyRelu, LeakyRelu, "leaky_relu", "x for x > 0, else slope * x", slope, 0.01)            \
  F1(elu, Elu, "elu", "x for x > 0, else alpha * (exp(x) - 1)", alpha, 1.0)                     \
  F0(selu, Selu, "selu", "Scaled exponential linear unit")                                      \
  F0(gelu, Gelu, "gelu", "x times the normal distribution function of x")                       \
  F0(geluTanh, GeluTanh, "gelu_tanh", "gelu in its tanh approximation")                         \
  F0(silu, Silu, "silu", "x * sigmoid(x)")                                                      \
  F0(mish, Mish, "mish", "x * tanh(softplus(x))")                                               \
  F2(softplus, Softplus, "softplus", "log(1 + exp(beta x)) / beta; x where beta x > threshold", \
     beta, 1.0, threshold, 20.0)                                                                \
  F0(softsign, Softsign, "softsign", "x / (1 + |x|)")                                           \
  F2(hardTanh, HardTanh, "hard_tanh",                                                           \
     "x limited to low .. high; the gradient at both limits is 0", low, -1, high, 1)            \
  F0(hardSigmoid, HardSigmoid, "hard_sigmoid", "min(max(x + 3, 0), 6) / 6")                     \
  F0(hardSwish, HardSwish, "hard_swish", "x * min(max(x + 3, 0), 6) / 6")

namespace tenon::functions {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
#endif

struct Tanh : UnaryFunction {
  static constexpr Saves kSaves = Saves::Output;
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::tanh(x);
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return dy * (T(1) - y * y);
  }
};

struct Sigmoid : UnaryFunction {
  static constexpr Saves kSaves = Saves::Output;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::sigmoid(x);
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return dy * (y * (T(1) - y));
  }
};

struct LogSigmoid : UnaryFunction {
  template <class T>
  static T forward(T x, Options<T>) {
    return math::min(x, T(0)) - math::log1p(math::exp(-math::abs(x)));
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy * math::sigmoid(-x);
  }
};

struct Relu : UnaryFunction {
  static constexpr Saves kSaves = Saves::Output;
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::select(x < T(0), T(0), x);  // NaN stays NaN
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return math::select(y > T(0), dy, T(0));
  }
};

struct Relu6 : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr double kLow = -2.0;
  static constexpr double kHigh = 8.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::min(math::max(x, T(0)), T(6));
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return math::select(x > T(0), math::select(x < T(6), dy, T(0)), T(0));
  }
};

struct LeakyRelu : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T> o) {
    return math::select(x > T(0), x, x * o.a);
  }
  template <class T>
  static T backward(T dy, T x, Options<T> o) {
    return math::select(x > T(0), dy, dy * o.a);
  }
};

struct Elu : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T> o) {
    return math::select(x > T(0), x, o.a * math::expm1(x));
  }
  template <class T>
  static T backward(T dy, T x, Options<T> o) {
    return math::select(x > T(0), dy, dy * (o.a * math::exp(x)));
  }
};

/// G. Klambauer et al., "Self-normalizing neural networks", 2017.
struct Selu : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr double kScale = 1.0507009873554804934193349852946;
  static constexpr double kAlpha = 1.6732632423543772848170429916717;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::select(x > T(0), x * T(kScale), math::expm1(x) * T(kScale * kAlpha));
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return math::select(x > T(0), dy * T(kScale), dy * (math::exp(x) * T(kScale * kAlpha)));
  }
};

/// D. Hendrycks, K. Gimpel, "Gaussian error linear units", 2016.
struct Gelu : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return x * math::normalCdf(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy * (math::normalCdf(x) + x * math::normalPdf(x));
  }
};

struct GeluTanh : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr double kSqrt2OverPi = 0.79788456080286535588;
  static constexpr double kCubic = 0.044715;
  template <class T>
  static T inner(T x) {
    return (x + x * x * x * T(kCubic)) * T(kSqrt2OverPi);
  }
  template <class T>
  static T forward(T x, Options<T>) {
    return x * (math::tanh(inner(x)) + T(1)) * T(0.5);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    const T t = math::tanh(inner(x));
    const T slope = (x * x * T(3 * kCubic) + T(1)) * T(kSqrt2OverPi);
    return dy * ((t + T(1)) * T(0.5) + x * (T(1) - t * t) * slope * T(0.5));
  }
};

struct Silu : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return x * math::sigmoid(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    const T s = math::sigmoid(x);
    return dy * (s * (x * (T(1) - s) + T(1)));
  }
};

/// D. Misra, "Mish: a self regularized non-monotonic activation function", 2019.
struct Mish : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T softplus(T x) {
    return math::max(x, T(0)) + math::log1p(math::exp(-math::abs(x)));
  }
  template <class T>
  static T forward(T x, Options<T>) {
    return x * math::tanh(softplus(x));
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    const T t = math::tanh(softplus(x));
    return dy * (t + x * (T(1) - t * t) * math::sigmoid(x));
  }
};

struct Softplus : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  template <class T>
  static T forward(T x, Options<T> o) {
    const T z = x * o.a;
    const T soft = (math::max(z, T(0)) + math::log1p(math::exp(-math::abs(z)))) / o.a;
    return math::select(z > o.b, x, soft);
  }
  template <class T>
  static T backward(T dy, T x, Options<T> o) {
    const T z = x * o.a;
    return math::select(z > o.b, dy, dy * math::sigmoid(z));
  }
};

struct Softsign : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return x / (math::abs(x) + T(1));
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    const T d = math::abs(x) + T(1);
    return dy / (d * d);
  }
};

struct HardTanh : UnaryFunction {
  template <class T>
  static T forward(T x, Options<T> o) {
    return math::min(math::max(x, o.a), o.b);
  }
  template <class T>
  static T backward(T dy, T x, Options<T> o) {
    return math::select(x > o.a, math::select(x < o.b, dy, T(0)), T(0));
  }
};

struct HardSigmoid : UnaryFunction {
  static constexpr double kLow = -4.0;
  static constexpr double kHigh = 4.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::min(math::max(x + T(3), T(0)), T(6)) * T(1.0 / 6.0);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    const T inside = math::select(x < T(3), dy * T(1.0 / 6.0), T(0));
    return math::select(x > T(-3), inside, T(0));
  }
};

/// A. Howard et al., "Searching for MobileNetV3", 2019.
struct HardSwish : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr double kLow = -4.0;
  static constexpr double kHigh = 4.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return x * math::min(math::max(x + T(3), T(0)), T(6)) * T(1.0 / 6.0);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    const T inside = math::select(x > T(-3), dy * (x * T(1.0 / 3.0) + T(0.5)), T(0));
    return math::select(x < T(3), inside, dy);  // at the limits as outside of them
  }
};

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::functions
