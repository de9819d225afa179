// SPDX-License-Identifier: Apache-2.0
// What every pointwise function is made of, and the mathematics it may use.
//
// A functor is a template over T, which is a SIMD vector or a scalar in kernels, and a recorded
// tensor in gradients of gradients. So it has no branches: `math::select` instead of `if`. `math`
// is the device's where kernels are compiled; elsewhere it is declared only, and
// engine/ops/traced.h gives it its meaning for tensors.
#pragma once

#ifdef TENON_CPU_LEVEL
#include "engine/backend/cpu/math.h"
#endif

namespace tenon::functions {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
namespace math = tenon::cpu::TENON_CPU_LEVEL::math;
#else
namespace math {
template <class T>
T exp(T x);
template <class T>
T expm1(T x);
template <class T>
T log(T x);
template <class T>
T log1p(T x);
template <class T>
T sqrt(T x);
template <class T>
T sin(T x);
template <class T>
T cos(T x);
template <class T>
T tanh(T x);
template <class T>
T erf(T x);
template <class T>
T sigmoid(T x);
template <class T>
T abs(T x);
template <class T>
T pow(T x, T y);
template <class T>
T max(T x, T y);
template <class T>
T min(T x, T y);
template <class Mask, class T>
T select(Mask mask, T x, T y);
}  // namespace math
#endif

/// The two numbers of a unary function.
template <class T>
struct Options {
  T a;
  T b;
};

/// What the gradient of a unary function is computed from, beside the gradient that arrives.
enum class Saves { Nothing, Input, Output };

/// Properties of a unary function; a functor overrides what differs.
struct UnaryFunction {
  static constexpr Saves kSaves = Saves::Input;
  static constexpr bool kKeepsZero = false;  ///< f(0) = 0 and f'(0) is finite, for all options
  static constexpr bool kIntegers = false;   ///< also for i64 and i32
  static constexpr double kLow = -2.0;       ///< range of test values
  static constexpr double kHigh = 2.0;
};

/// Properties of a binary function. Bits of kSaves: 1 = a, 2 = b, 4 = the result.
struct BinaryFunction {
  static constexpr int kSaves = 0;
  static constexpr bool kKeepsZero = true;  ///< f(0, 0) = 0
  static constexpr bool kIntegers = true;   ///< also for i64, i32 and u8
  static constexpr double kLow = -2.0;      ///< range of test values
  static constexpr double kHigh = 2.0;
};

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::functions
