// SPDX-License-Identifier: Apache-2.0
// Exponentials and logarithms, and the error function.
#pragma once

#include "engine/ops/elementwise/functions/function.h"

// Rows: public function, functor, operator id, help (, name and default of each option).
#define TENON_EXPONENTIALS(F0, F1, F2)                                \
  F0(exp, Exp, "exp", "e to the power x")                             \
  F0(exp2, Exp2, "exp2", "2 to the power x")                          \
  F0(expm1, Expm1, "expm1", "exp(x) - 1 without cancellation near 0") \
  F0(log, Log, "log", "Natural logarithm")                            \
  F0(log2, Log2, "log2", "Logarithm to base 2")                       \
  F0(log10, Log10, "log10", "Logarithm to base 10")                   \
  F0(log1p, Log1p, "log1p", "log(1 + x) without cancellation near 0") \
  F0(erf, Erf, "erf", "Gauss error function")                         \
  F0(erfc, Erfc, "erfc", "1 - erf(x) without cancellation for large x")

namespace tenon::functions {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
#endif

inline constexpr double kLn2 = 0.69314718055994530942;
inline constexpr double kLn10 = 2.30258509299404568402;
inline constexpr double kTwoOverSqrtPi = 1.12837916709551257390;

struct Exp : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr Saves kSaves = Saves::Output;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::exp(x);
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return dy * y;
  }
};

struct Exp2 : UnaryFunction {
  static constexpr Saves kSaves = Saves::Output;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::exp2(x);
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return dy * (y * T(kLn2));
  }
};

struct Expm1 : UnaryFunction {
  static constexpr Saves kSaves = Saves::Output;
  static constexpr bool kKeepsZero = true;
  static constexpr Autocast kAutocast = Autocast::Float32;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::expm1(x);
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return dy * (y + T(1));
  }
};

struct Log : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr double kLow = 0.2;
  static constexpr double kHigh = 3.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::log(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy / x;
  }
};

struct Log2 : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr double kLow = 0.2;
  static constexpr double kHigh = 3.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::log2(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy / (x * T(kLn2));
  }
};

struct Log10 : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr double kLow = 0.2;
  static constexpr double kHigh = 3.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::log10(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy / (x * T(kLn10));
  }
};

/// The kernels' log1p is made for x > -1; log has the right value at and below.
struct Log1p : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr double kLow = -0.8;
  static constexpr double kHigh = 3.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::select(x > T(-1), math::log1p(x), math::log(x + T(1)));
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy / (x + T(1));
  }
};

struct Erf : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::erf(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy * (math::expOrZero(-(x * x)) * T(kTwoOverSqrtPi));
  }
};

struct Erfc : UnaryFunction {
  template <class T>
  static T forward(T x, Options<T>) {
    return math::erfc(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return -(dy * (math::expOrZero(-(x * x)) * T(kTwoOverSqrtPi)));
  }
};

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::functions
