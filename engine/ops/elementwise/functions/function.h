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
#define TENON_MATH1(name) \
  template <class T>      \
  T name(T x);
#define TENON_MATH2(name) \
  template <class T>      \
  T name(T x, T y);
TENON_MATH1(exp)
TENON_MATH1(expOrZero)  // exp(x), x <= 88; 0 if that is below the normal range
TENON_MATH1(exp2)
TENON_MATH1(expm1)
TENON_MATH1(log)
TENON_MATH1(log2)
TENON_MATH1(log10)
TENON_MATH1(log1p)
TENON_MATH1(sqrt)
TENON_MATH1(sin)
TENON_MATH1(cos)
TENON_MATH1(tan)
TENON_MATH1(asin)
TENON_MATH1(acos)
TENON_MATH1(atan)
TENON_MATH1(sinh)
TENON_MATH1(cosh)
TENON_MATH1(tanh)
TENON_MATH1(asinh)
TENON_MATH1(acosh)
TENON_MATH1(atanh)
TENON_MATH1(erf)
TENON_MATH1(erfc)
TENON_MATH1(normalCdf)  // of the normal distribution
TENON_MATH1(normalPdf)
TENON_MATH1(sigmoid)
TENON_MATH1(abs)
TENON_MATH1(floor)
TENON_MATH1(ceil)
TENON_MATH1(roundEven)
TENON_MATH1(trunc)
TENON_MATH2(pow)
TENON_MATH2(atan2)
TENON_MATH2(fmod)
TENON_MATH2(max)
TENON_MATH2(min)
#undef TENON_MATH1
#undef TENON_MATH2
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

/// The class under autocast, as AutocastClass of op_def.h (see ops.cpp), which kernels do not know.
enum class Autocast { AsIs, LowPrecision, Float32, Widest };

/// What the gradient of a unary function is computed from, beside the gradient that arrives.
enum class Saves { Nothing, Input, Output };

/// Properties of a unary function; a functor overrides what differs.
struct UnaryFunction {
  static constexpr Saves kSaves = Saves::Input;
  static constexpr bool kKeepsZero = false;  ///< f(0) = 0 and f'(0) is finite, for all options
  static constexpr bool kIntegers = false;   ///< integers stay so; without it they become f32
  static constexpr bool kWraps = false;      ///< for integers: computed modulo 2^bits
  static constexpr bool kNatural = false;    ///< for integers: the option is not negative
  static constexpr Autocast kAutocast = Autocast::AsIs;
  static constexpr double kLow = -2.0;  ///< range of test values
  static constexpr double kHigh = 2.0;
};

/// Properties of a binary function. Bits of kSaves: 1 = a, 2 = b, 4 = the result.
struct BinaryFunction {
  static constexpr int kSaves = 0;
  static constexpr bool kKeepsZero = true;     ///< f(0, 0) = 0
  static constexpr bool kIntegers = true;      ///< integers stay so; without it they become f32
  static constexpr bool kOwnIntegers = false;  ///< so do they, by kernels of integers_cpu.cpp
  static constexpr bool kWraps = false;        ///< for integers: computed modulo 2^bits
  static constexpr Autocast kAutocast = Autocast::AsIs;
  static constexpr double kLow = -2.0;  ///< range of test values
  static constexpr double kHigh = 2.0;
};

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::functions
