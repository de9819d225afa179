// SPDX-License-Identifier: Apache-2.0
// Rounding and sign: functions that are flat but for their steps, so their gradient is 0.
#pragma once

#include "engine/ops/elementwise/functions/function.h"

// Rows: public function, functor, operator id, help (, name and default of each option).
#define TENON_ROUNDING(F0, F1, F2)                                        \
  F0(floor, Floor, "floor", "Largest integer not above x")                \
  F0(ceil, Ceil, "ceil", "Smallest integer not below x")                  \
  F0(round, Round, "round", "Nearest integer; halves go to the even one") \
  F0(trunc, Trunc, "trunc", "x without its fraction")                     \
  F0(frac, Frac, "frac", "The fraction of x, with its sign")              \
  F0(sign, Sign, "sign", "1, 0 or -1 as x is above, at or below 0; 0 for NaN")

namespace tenon::functions {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
#endif

struct Floor : UnaryFunction {
  static constexpr Saves kSaves = Saves::Nothing;
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::floor(x);
  }
  template <class T>
  static T backward(T, T, Options<T>) {
    return T(0);
  }
};

struct Ceil : UnaryFunction {
  static constexpr Saves kSaves = Saves::Nothing;
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::ceil(x);
  }
  template <class T>
  static T backward(T, T, Options<T>) {
    return T(0);
  }
};

struct Round : UnaryFunction {
  static constexpr Saves kSaves = Saves::Nothing;
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::roundEven(x);
  }
  template <class T>
  static T backward(T, T, Options<T>) {
    return T(0);
  }
};

struct Trunc : UnaryFunction {
  static constexpr Saves kSaves = Saves::Nothing;
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::trunc(x);
  }
  template <class T>
  static T backward(T, T, Options<T>) {
    return T(0);
  }
};

struct Frac : UnaryFunction {
  static constexpr Saves kSaves = Saves::Nothing;
  static constexpr bool kKeepsZero = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return x - math::trunc(x);
  }
  template <class T>
  static T backward(T dy, T, Options<T>) {
    return dy;
  }
};

struct Sign : UnaryFunction {
  static constexpr Saves kSaves = Saves::Nothing;
  static constexpr bool kKeepsZero = true;
  static constexpr bool kIntegers = true;
  template <class T>
  static T forward(T x, Options<T>) {
    return math::select(x > T(0), T(1), math::select(x < T(0), T(-1), T(0)));
  }
  template <class T>
  static T backward(T, T, Options<T>) {
    return T(0);
  }
};

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::functions
