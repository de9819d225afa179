// SPDX-License-Identifier: Apache-2.0
// Circular and hyperbolic functions and their inverses; angles in radians.
#pragma once

#include "engine/ops/elementwise/functions/function.h"

// Rows: public function, functor, operator id, help (, name and default of each option).
#define TENON_TRIGONOMETRIC(F0, F1, F2)                         \
  F0(sin, Sin, "sin", "Sine of x in radians")                   \
  F0(cos, Cos, "cos", "Cosine of x in radians")                 \
  F0(tan, Tan, "tan", "Tangent of x in radians")                \
  F0(asin, Asin, "asin", "Angle in radians whose sine is x")    \
  F0(acos, Acos, "acos", "Angle in radians whose cosine is x")  \
  F0(atan, Atan, "atan", "Angle in radians whose tangent is x") \
  F0(sinh, Sinh, "sinh", "Hyperbolic sine")                     \
  F0(cosh, Cosh, "cosh", "Hyperbolic cosine")                   \
  F0(asinh, Asinh, "asinh", "Inverse hyperbolic sine")          \
  F0(acosh, Acosh, "acosh", "Inverse hyperbolic cosine")        \
  F0(atanh, Atanh, "atanh", "Inverse hyperbolic tangent")

namespace tenon::functions {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
#endif

struct Sin : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::sin(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy * math::cos(x);
  }
};

struct Cos : UnaryFunction {
  template <class T>
  static T forward(T x, Options<T>) {
    return math::cos(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return -(dy * math::sin(x));
  }
};

struct Tan : UnaryFunction {
  static constexpr Saves kSaves = Saves::Output;
  static constexpr bool kKeepsZero = true;
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr double kLow = -1.2;
  static constexpr double kHigh = 1.2;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::tan(x);
  }
  template <class T>
  static T backward(T dy, T y, Options<T>) {
    return dy * (y * y + T(1));
  }
};

struct Asin : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr double kLow = -0.9;
  static constexpr double kHigh = 0.9;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::asin(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy / math::sqrt(T(1) - x * x);
  }
};

struct Acos : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr double kLow = -0.9;
  static constexpr double kHigh = 0.9;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::acos(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return -(dy / math::sqrt(T(1) - x * x));
  }
};

struct Atan : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::atan(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy / (x * x + T(1));
  }
};

struct Sinh : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr Autocast kAutocast = Autocast::Float32;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::sinh(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy * math::cosh(x);
  }
};

struct Cosh : UnaryFunction {
  static constexpr Autocast kAutocast = Autocast::Float32;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::cosh(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy * math::sinh(x);
  }
};

struct Asinh : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::asinh(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy / math::sqrt(x * x + T(1));
  }
};

struct Acosh : UnaryFunction {
  static constexpr double kLow = 1.2;
  static constexpr double kHigh = 4.0;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::acosh(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy / math::sqrt(x * x - T(1));
  }
};

struct Atanh : UnaryFunction {
  static constexpr bool kKeepsZero = true;
  static constexpr double kLow = -0.9;
  static constexpr double kHigh = 0.9;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::atanh(x);
  }
  template <class T>
  static T backward(T dy, T x, Options<T>) {
    return dy / (T(1) - x * x);
  }
};

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::functions
