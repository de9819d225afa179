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
  F(pow, Pow, "pow", "a to the power b")                                                        \
  F(atan2, Atan2, "atan2", "Angle of the point (b, a) in radians, -pi .. pi")                   \
  F(fmod, Fmod, "fmod", "What division leaves of a, with the sign of a")                        \
  F(remainder, Remainder, "remainder", "What division leaves of a, with the sign of b")         \
  F(floorDivide, FloorDivide, "floor_divide", "a / b rounded down; the gradient is 0")          \
  F(leakyReluBy, LeakyReluBy, "leaky_relu_by", "a for a > 0, else b * a")                       \
  F(bitEntropy, BitEntropy, "bit_entropy",                                                      \
    "-(b log a + (1 - b) log(1 - a)), logarithms not below -100")

// Those that also work in place (add, sub and mul are spelled out in in_place.cpp), with their ids.
#define TENON_BINARY_IN_PLACE(F)                                                              \
  F(div, Div, "div_", "a becomes a / b")                                                      \
  F(pow, Pow, "pow_", "a becomes a to the power b")                                           \
  F(atan2, Atan2, "atan2_", "a becomes the angle of the point (b, a)")                        \
  F(fmod, Fmod, "fmod_", "a becomes what division by b leaves, with the sign of a")           \
  F(remainder, Remainder, "remainder_", "a becomes what division by b leaves, with b's sign") \
  F(floorDivide, FloorDivide, "floor_divide_", "a becomes a / b rounded down")

#define TENON_COMPARISONS(F)                                    \
  F(equal, Equal, "equal", "a == b")                            \
  F(notEqual, NotEqual, "not_equal", "a != b")                  \
  F(less, Less, "less", "a < b")                                \
  F(lessEqual, LessEqual, "less_equal", "a <= b")               \
  F(greater, Greater, "greater", "a > b")                       \
  F(greaterEqual, GreaterEqual, "greater_equal", "a >= b")      \
  F(logicalAnd, LogicalAnd, "logical_and", "a and b are not 0") \
  F(logicalOr, LogicalOr, "logical_or", "a or b is not 0")      \
  F(logicalXor, LogicalXor, "logical_xor", "Just one of a and b is not 0")

namespace tenon::functions {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
#endif

struct Add : BinaryFunction {
  static constexpr bool kWraps = true;
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
  static constexpr bool kWraps = true;
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
  static constexpr bool kWraps = true;
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
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr int kSaves = 7;
  static constexpr bool kKeepsZero = false;
  static constexpr bool kIntegers = false;
  static constexpr bool kOwnIntegers = true;
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

struct Atan2 : BinaryFunction {
  static constexpr Autocast kAutocast = Autocast::Widest;
  static constexpr int kSaves = 3;
  static constexpr bool kIntegers = false;
  template <class T>
  static T forward(T a, T b) {
    return math::atan2(a, b);
  }
  template <class T>
  static T gradA(T dy, T a, T b, T) {
    return dy * (b / (a * a + b * b));
  }
  template <class T>
  static T gradB(T dy, T a, T b, T) {
    return -(dy * (a / (a * a + b * b)));
  }
};

struct Fmod : BinaryFunction {
  static constexpr int kSaves = 3;
  static constexpr bool kKeepsZero = false;
  static constexpr bool kIntegers = false;
  static constexpr bool kOwnIntegers = true;
  static constexpr double kLow = 0.3;
  template <class T>
  static T forward(T a, T b) {
    return math::fmod(a, b);
  }
  template <class T>
  static T gradA(T dy, T, T, T) {
    return dy;
  }
  template <class T>
  static T gradB(T dy, T a, T b, T) {
    return -(dy * math::trunc(a / b));
  }
};

struct Remainder : BinaryFunction {
  static constexpr int kSaves = 3;
  static constexpr bool kKeepsZero = false;
  static constexpr bool kIntegers = false;
  static constexpr bool kOwnIntegers = true;
  static constexpr double kLow = 0.3;
  template <class T>
  static T forward(T a, T b) {
    const T m = math::fmod(a, b);
    const T above = math::select(m < T(0), m + b, m);
    return math::select(b < T(0), math::select(m > T(0), m + b, m), above);
  }
  template <class T>
  static T gradA(T dy, T, T, T) {
    return dy;
  }
  template <class T>
  static T gradB(T dy, T a, T b, T) {
    return -(dy * math::floor(a / b));
  }
};

/// From what division leaves, so that floorDivide(a, b) * b + remainder(a, b) is a, but for
/// rounding.
struct FloorDivide : BinaryFunction {
  static constexpr bool kKeepsZero = false;
  static constexpr bool kIntegers = false;
  static constexpr bool kOwnIntegers = true;
  static constexpr double kLow = 0.3;
  template <class T>
  static T forward(T a, T b) {
    const T m = math::fmod(a, b);
    const T quotient = (a - m) / b;  // whole, but for its own rounding
    const auto below = (m != T(0)) & ((b < T(0)) ^ (m < T(0)));
    const T whole = math::roundEven(math::select(below, quotient - T(1), quotient));
    return math::select(b == T(0), a / b, whole);
  }
  template <class T>
  static T gradA(T, T, T, T) {
    return T(0);
  }
  template <class T>
  static T gradB(T, T, T, T) {
    return T(0);
  }
};

/// K. He et al., "Delving deep into rectifiers", 2015 (prelu).
struct LeakyReluBy : BinaryFunction {
  static constexpr Autocast kAutocast = Autocast::LowPrecision;  // prelu
  static constexpr int kSaves = 3;
  static constexpr bool kIntegers = false;
  template <class T>
  static T forward(T a, T b) {
    return math::select(a > T(0), a, a * b);
  }
  template <class T>
  static T gradA(T dy, T a, T b, T) {
    return math::select(a > T(0), dy, dy * b);
  }
  template <class T>
  static T gradB(T dy, T a, T, T) {
    return math::select(a > T(0), T(0), dy * a);
  }
};

/// Binary cross-entropy of probabilities a and targets b, limited as PyTorch does it: logarithms
/// at -100, the divisor of the gradient at 1e-12.
struct BitEntropy : BinaryFunction {
  static constexpr int kSaves = 3;
  static constexpr bool kKeepsZero = false;
  static constexpr bool kIntegers = false;
  static constexpr Autocast kAutocast = Autocast::Float32;
  static constexpr double kLow = 0.05;
  static constexpr double kHigh = 0.95;
  template <class T>
  static T forward(T a, T b) {
    const T yes = math::max(math::log(a), T(-100));
    const T no = math::max(math::log(T(1) - a), T(-100));
    return -(b * yes + (T(1) - b) * no);
  }
  template <class T>
  static T gradA(T dy, T a, T b, T) {
    return dy * ((a - b) / math::max(a * (T(1) - a), T(1e-12)));
  }
  template <class T>
  static T gradB(T dy, T a, T, T) {
    return dy * (math::log(T(1) - a) - math::log(a));
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

#define TENON_LOGICAL(name, sign)             \
  struct name : BinaryFunction {              \
    static constexpr bool kKeepsZero = false; \
    template <class T>                        \
    static bool forward(T a, T b) {           \
      return (a != T(0)) sign(b != T(0));     \
    }                                         \
  };
TENON_LOGICAL(LogicalAnd, &&)
TENON_LOGICAL(LogicalOr, ||)
TENON_LOGICAL(LogicalXor, !=)
#undef TENON_LOGICAL

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::functions
