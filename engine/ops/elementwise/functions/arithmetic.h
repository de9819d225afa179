// SPDX-License-Identifier: Apache-2.0
// Unary arithmetic: powers, roots, limits, and a number added or multiplied.
#pragma once

#include "engine/ops/elementwise/functions/function.h"

// Rows: public function, functor, operator id, help (, name and default of each option).
#define TENON_ARITHMETIC(F0, F1, F2)                                                             \
  F0(neg, Neg, "neg", "-x")                                                                      \
  F0(abs, Abs, "abs", "|x|; the gradient at 0 is 0")                                             \
  F0(square, Square, "square", "x * x")                                                          \
  F0(sqrt, Sqrt, "sqrt", "Square root; the gradient at 0 is infinite")                           \
  F0(rsqrt, Rsqrt, "rsqrt", "1 / sqrt(x)")                                                       \
  F0(reciprocal, Reciprocal, "reciprocal", "1 / x")                                              \
  F1(addScalar, AddScalar, "add_scalar", "x + value", value, 0)                                  \
  F1(mulScalar, MulScalar, "mul_scalar", "x * factor", factor, 1)                                \
  F1(powScalar, PowScalar, "pow_scalar", "x to the power exponent", exponent, 2)                 \
  F2(clamp, Clamp, "clamp", "x limited to low .. high; the gradient passes at both limits", low, \
     -1, high, 1)

namespace tenon::functions {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
#endif

struct Neg : UnaryFunction {
  static constexpr Saves kSaves = Saves::Nothing;
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  static constexpr bool kWraps = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return -x;
  }
  template <class T>
  static T backward(T dy, T, Options<T>) {
    return -dy;
  }
};

struct Abs : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::abs(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return math::select(x > T(0), dy, math::select(x < T(0), -dy, T(0)));
  }
};

struct Square : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  static constexpr bool kWraps = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return x * x;
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy * x * T(2);
  }
};

struct Sqrt : UnaryFunction {
  static constexpr Saves kSaves = Saves::Output;
  static constexpr double kLow = 0.2;
  static constexpr double kHigh = 3.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::sqrt(x);
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return dy / (y * T(2));
  }
};

struct Rsqrt : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr Saves kSaves = Saves::Output;
  static constexpr double kLow = 0.2;
  static constexpr double kHigh = 3.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return T(1) / math::sqrt(x);
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return dy * (y * y * y) * T(-0.5);
  }
};

struct Reciprocal : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr Saves kSaves = Saves::Output;
  static constexpr double kLow = 0.2;
  static constexpr double kHigh = 3.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return T(1) / x;
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return -(dy * (y * y));
  }
};

struct AddScalar : UnaryFunction {
  static constexpr Saves kSaves = Saves::Nothing;
  static constexpr bool kIntegers = true;
  static constexpr bool kWraps = true;
  template <class T>
  static T forward(T x, Options<T> o) {
    return x + o.a;
  }
  template <class T>
  static T backward(T dy, T, Options<T>) {
    return dy;
  }
};

struct MulScalar : UnaryFunction {
  static constexpr Saves kSaves = Saves::Nothing;
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  static constexpr bool kWraps = true;
  template <class T>
  static T forward(T x, Options<T> o) {
    return x * o.a;
  }
  template <class T>
  static T backward(T dy, T, Options<T> o) {
    return dy * o.a;
  }
};

struct PowScalar : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr bool kIntegers = true;
  static constexpr bool kWraps = true;
  static constexpr bool kNatural = true;
  static constexpr double kLow = 0.2;
  static constexpr double kHigh = 3.0;
  template <class T>
  static T forward(T x, Options<T> o) {
    return math::pow(x, o.a);
  }
  template <class T>
  static T backward(T dy, T x, Options<T> o) {
    return math::select(o.a == T(0), T(0), dy * (o.a * math::pow(x, o.a - T(1))));
  }
};

struct Clamp : UnaryFunction {
  static constexpr bool kIntegers = true;
  template <class T>
  static T forward(T x, Options<T> o) {
    return math::min(math::max(x, o.a), o.b);
  }
  template <class T>
  static T backward(T dy, T x, Options<T> o) {
    return math::select(x < o.a, T(0), math::select(x > o.b, T(0), dy));
  }
};

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::functions
