// SPDX-License-Identifier: Apache-2.0
// Binary functions with their gradients, and comparisons.
#pragma once

#include "engine/ops/elementwise/functions/function.h"

// Rows: public function, functor, operator id, help.
#define TENON_BINARY_FUNCTIONS(F)                                                               \
  F(add, Add, "add", "a + b")                                                                   \
  F(sub, Sub, "sub", "a - b")                                                                   \
  F(mul, Mul, "mul", "a * b")                                                                   \
  F(div, Div, "div", "a / b")                                                                   \
  F(maximum, Maximum, "maximum", "The larger of a and b; NaN wins; equals share the gradient")  \
  F(minimum, Minimum, "minimum", "The smaller of a and b; NaN wins; equals share the gradient") \
  F(pow, Pow, "pow", "a to the power b")

#define TENON_COMPARISONS(F)                      \
  F(equal, Equal, "equal", "a == b")              \
  F(notEqual, NotEqual, "not_equal", "a != b")    \
  F(less, Less, "less", "a < b")                  \
  F(lessEqual, LessEqual, "less_equal", "a <= b") \
  F(greater, Greater, "greater", "a > b")         \
  F(greaterEqual, GreaterEqual, "greater_equal", "a >= b")

namespace tenon::functions {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
#endif

struct Add : BinaryFunction {
  template <class T>
  static T forward(T a, T b) {
    return a + b;
  }
  template <class T>
  static T gradA(T dy, T, T, T) {
    return dy;
  }
  template <class T>
  static T gradB(T dy, T, T, T) {
    return dy;
  }
};

struct Sub : BinaryFunction {
  template <class T>
  static T forward(T a, T b) {
    return a - b;
  }
  template <class T>
  static T gradA(T dy, T, T, T) {
    return dy;
  }
  template <class T>
  static T gradB(T dy, T, T, T) {
    return -dy;
  }
};

struct Mul : BinaryFunction {
  static constexpr int kSaves = 3;
  template <class T>
  static T forward(T a, T b) {
    return a * b;
  }
  template <class T>
  static T gradA(T dy, T, T b, T) {
    return dy * b;
  }
  template <class T>
  static T gradB(T dy, T a, T, T) {
    return dy * a;
  }
};

struct Div : BinaryFunction {
  static constexpr int kSaves = 2 | 4;
  static constexpr bool kKeepsZero = false;
  static constexpr bool kIntegers = false;
  static constexpr double kLow = 0.3;
  template <class T>
  static T forward(T a, T b) {
    return a / b;
  }
  template <class T>
  static T gradA(T dy, T, T b, T) {
    return dy / b;
  }
  template <class T>
  static T gradB(T dy, T, T b, T y) {
    return -(dy / b * y);
  }
};

struct Maximum : BinaryFunction {
  static constexpr int kSaves = 3;
  template <class T>
  static T forward(T a, T b) {
    return math::max(a, b);
  }
  template <class T>
  static T gradA(T dy, T a, T b, T) {
    return math::select(a > b, dy, math::select(a < b, T(0), dy * T(0.5)));
  }
  template <class T>
  static T gradB(T dy, T a, T b, T y) {
    return gradA(dy, b, a, y);
  }
};

struct Minimum : BinaryFunction {
  static constexpr int kSaves = 3;
  template <class T>
  static T forward(T a, T b) {
    return math::min(a, b);
  }
  template <class T>
  static T gradA(T dy, T a, T b, T) {
    return math::select(a < b, dy, math::select(a > b, T(0), dy * T(0.5)));
  }
  template <class T>
  static T gradB(T dy, T a, T b, T y) {
    return gradA(dy, b, a, y);
  }
};

struct Pow : BinaryFunction {
  static constexpr int kSaves = 7;
  static constexpr bool kKeepsZero = false;
  static constexpr bool kIntegers = false;
  static constexpr double kLow = 0.3;
  template <class T>
  static T forward(T a, T b) {
    return math::pow(a, b);
  }
  template <class T>
  static T gradA(T dy, T a, T b, T) {
    return math::select(b == T(0), T(0), dy * (b * math::pow(a, b - T(1))));
  }
  template <class T>
  static T gradB(T dy, T a, T, T y) {
    return math::select(a == T(0), T(0), dy * (y * math::log(a)));
  }
};

#define TENON_COMPARISON(name, sign)          \
  struct name : BinaryFunction {              \
    static constexpr bool kKeepsZero = false; \
    template <class T>                        \
    static bool forward(T a, T b) {           \
      return a sign b;                        \
    }                                         \
  };
TENON_COMPARISON(Equal, ==)
TENON_COMPARISON(NotEqual, !=)
TENON_COMPARISON(Less, <)
TENON_COMPARISON(LessEqual, <=)
TENON_COMPARISON(Greater, >)
TENON_COMPARISON(GreaterEqual, >=)
#undef TENON_COMPARISON

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::functions
