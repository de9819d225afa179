// SPDX-License-Identifier: Apache-2.0
// Mathematics over SIMD vectors and scalars: no branches, no fast-math, error bounds that are
// tested (tests/engine/ops/math_test.cpp).
//
// f32: exp within 1.25 ulp, expm1, log, sigmoid within 2.5 ulp, erf within 3, tanh within 4 ulp, on
// the whole range and with the usual values for infinities and NaN. The other functions and
// everything in f64 are the C library's, lane by lane. A scalar f32 goes through the vector code,
// so that it has the same bits.
//
// Polynomials and the rational function are minimax approximations made by
// tests/reference/make_polynomials.py; the reductions are the classical ones (W. Cody, W. Waite,
// "Software Manual for the Elementary Functions", 1980).
#pragma once

#include "engine/backend/cpu/simd.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace math {

template <class T>
TENON_INLINE Vec<T> select(Bits<T> mask, Vec<T> x, Vec<T> y) {
  return cpu::TENON_CPU_LEVEL::select(mask, x, y);
}
template <class T>
TENON_INLINE T select(bool mask, T x, T y) {
  return mask ? x : y;
}

/// NaN if one is NaN.
template <class T>
TENON_INLINE T max(T x, T y) {
  return math::select(x > y, x, math::select(x == x, y, x));
}
template <class T>
TENON_INLINE T min(T x, T y) {
  return math::select(x < y, x, math::select(x == x, y, x));
}

template <class T>
TENON_INLINE T abs(T x) {
  return x < T(0) ? -x : x;
}
template <>
inline float abs(float x) {
  return __builtin_fabsf(x);
}
template <>
inline double abs(double x) {
  return __builtin_fabs(x);
}
template <class T>
TENON_INLINE Vec<T> abs(Vec<T> x) {
  using Integer = typename cpu::TENON_CPU_LEVEL::detail::IntegerOf<T>::Type;
  const auto low = static_cast<Integer>(~(Integer{1} << (sizeof(T) * 8 - 1)));
  return fromBits(toBits(x) & bitsOf<T>(low));
}

namespace detail {

/// c0 + c1 x + c2 x^2 + ...
template <int N>
TENON_INLINE Vec<float> polynomial(Vec<float> x, const float (&c)[N]) {
  Vec<float> sum(c[N - 1]);
  for (int i = N - 2; i >= 0; --i) sum = mulAdd(sum, x, Vec<float>(c[i]));
  return sum;
}

inline constexpr float kLog2E = 1.44269504088896341F;
inline constexpr float kLn2High = 0.693359375F;  // few bits: a multiple of it is exact
inline constexpr float kLn2Low = -2.12194440054690583e-4F;
// 1.5 * 2^23 + 127: adding it rounds to an integer n, and leaves n + 127 in the low bits.
inline constexpr float kRound = 12583039.0F;
inline constexpr int32_t kRoundBits = 0x4B40007F;

/// x = n ln 2 + r with |r| <= ln 2 / 2; -256 <= n + 127 < 256.
struct Reduced {
  Bits<float> n;
  Bits<float> exponent;  // n + 127, where a float has its exponent
  Vec<float> r;
};
TENON_INLINE Reduced reduceLn2(Vec<float> x) {
  const Vec<float> shifted = mulAdd(x, Vec<float>(kLog2E), Vec<float>(kRound));
  const Vec<float> n = shifted - Vec<float>(kRound);
  Vec<float> r = mulAdd(n, Vec<float>(-kLn2High), x);
  r = mulAdd(n, Vec<float>(-kLn2Low), r);
  return {toBits(shifted) - bitsOf<float>(kRoundBits), shiftLeft(toBits(shifted), 23), r};
}

/// exp(r) - 1 for |r| <= ln 2 / 2.
TENON_INLINE Vec<float> expm1Reduced(Vec<float> r) {
  constexpr float kQ[] = {0.500000004466F,   0.166666663671F,   0.0416663585998F,
                          0.00833338980845F, 0.00139408233311F, 0.000198458827516F};
  return mulAdd(r * r, polynomial(r, kQ), r);
}

/// exp(r) for |r| <= ln 2 / 2.
TENON_INLINE Vec<float> expReduced(Vec<float> r) {
  constexpr float kQ[] = {0.49999993375F, 0.166665195241F, 0.0416684004592F, 0.00836885113338F,
                          0.00138143600219F};
  const Vec<float> one(1);
  return mulAdd(mulAdd(polynomial(r, kQ), r, one), r, one);
}

/// 2^n for -126 <= n <= 127.
TENON_INLINE Vec<float> powerOf2(Bits<float> n) {
  return fromBits(shiftLeft(n + bitsOf<float>(127), 23));
}

// Selected so that NaN stays NaN and each is one instruction.
TENON_INLINE Vec<float> atLeast(Vec<float> low, Vec<float> x) {
  return math::select(low > x, low, x);
}
TENON_INLINE Vec<float> atMost(Vec<float> high, Vec<float> x) {
  return math::select(high < x, high, x);
}
TENON_INLINE Vec<float> limit(Vec<float> x, float low, float high) {
  return atMost(Vec<float>(high), atLeast(Vec<float>(low), x));
}

}  // namespace detail

TENON_INLINE Vec<float> exp(Vec<float> x) {
  const detail::Reduced part = detail::reduceLn2(detail::limit(x, -104.0F, 89.0F));
  const Vec<float> y = detail::expReduced(part.r);
  // Two factors of about the same size, so that results beyond the normal range round once, to a
  // subnormal or infinity: 64 added to half the biased exponent keeps both in the normal range.
  constexpr auto kExponent = static_cast<int32_t>(0xFF800000);
  const Bits<float> middle = bitsOf<float>(64 << 23);
  const Bits<float> half = (shiftRight(part.exponent, 1) & bitsOf<float>(kExponent)) + middle;
  const Bits<float> rest = part.exponent - half + bitsOf<float>(127 << 23);
  return y * fromBits(half) * fromBits(rest);
}

/// exp(x) for x <= 88 where results below the normal range may as well be 0: gradients, shares of a
/// sum. Two thirds of the work of exp.
TENON_INLINE Vec<float> expOrZero(Vec<float> x) {
  const detail::Reduced part = detail::reduceLn2(detail::atLeast(Vec<float>(-88.0F), x));
  return detail::expReduced(part.r) * fromBits(part.exponent);  // the factor is 0 for n = -127
}

/// exp(x) - 1 without cancellation near 0.
TENON_INLINE Vec<float> expm1(Vec<float> x) {
  const detail::Reduced part = detail::reduceLn2(detail::limit(x, -20.0F, 89.0F));
  const Vec<float> y = detail::expm1Reduced(part.r);
  const Vec<float> h = detail::powerOf2(part.n - bitsOf<float>(1));  // 2^n overflows at n = 128
  const Vec<float> sum = mulAdd(h, y, h - Vec<float>(0.5));
  const Vec<float> result = sum + sum;
  return math::select(equalBits(part.n, bitsOf<float>(0)), y, result);
}

TENON_INLINE Vec<float> log(Vec<float> x) {
  constexpr float kP[] = {0.333333126053F,  -0.250000096016F, 0.200021186275F,
                          -0.166679957799F, 0.142195525372F,  -0.124055896002F,
                          0.118881628854F,  -0.116756507021F, 0.0674663755625F};
  constexpr int32_t kSqrtHalf = 0x3F3504F3;
  const Bits<float> subnormal = x < Vec<float>(1.17549435e-38F);
  const Vec<float> scaled = math::select(subnormal, x * Vec<float>(33554432.0F), x);
  // m in [sqrt 1/2, sqrt 2), x = m 2^e
  const Bits<float> i = toBits(scaled) - bitsOf<float>(kSqrtHalf);
  Vec<float> e = toFloat(shiftRight(i, 23));
  e = e - math::select(subnormal, Vec<float>(25), Vec<float>(0));
  const Vec<float> m = fromBits((i & bitsOf<float>(0x007FFFFF)) + bitsOf<float>(kSqrtHalf));
  const Vec<float> f = m - Vec<float>(1);
  const Vec<float> z = f * f;
  Vec<float> y = f * z * detail::polynomial(f, kP);
  y = mulAdd(e, Vec<float>(detail::kLn2Low), y);
  y = mulAdd(z, Vec<float>(-0.5), y);
  y = mulAdd(e, Vec<float>(detail::kLn2High), f + y);
  const Vec<float> infinity(__builtin_inff());
  y = math::select(x < infinity, y, x);  // inf and NaN
  y = math::select(x == Vec<float>(0), -infinity, y);
  return math::select(x < Vec<float>(0), Vec<float>(__builtin_nanf("")), y);
}

TENON_INLINE Vec<float> tanh(Vec<float> x) {
  const Vec<float> a = detail::limit(abs(x), 0.0F, 10.0F);
  const Vec<float> e = expm1(a + a);
  const Vec<float> y = e / (e + Vec<float>(2));
  const Bits<float> sign = toBits(x) & bitsOf<float>(INT32_MIN);
  return fromBits(toBits(y) | sign);
}

TENON_INLINE Vec<float> erf(Vec<float> x) {
  // |x| <= 1: x P(x^2); beyond: 1 - exp(-G(|x|)), G = -log erfc
  constexpr float kP[] = {1.12837916573F,    -0.376126258237F,  0.112835851421F,
                          -0.0268538116734F, 0.00518832721066F, -0.000801018959934F,
                          7.85384839886e-5F};
  constexpr float kG[] = {0.00034153179717F, 1.12708914998F,    0.638144907569F,    0.103106682274F,
                          -0.0218380257448F, 0.00294764781221F, -0.000186378031079F};
  const Vec<float> a = detail::atMost(Vec<float>(4), abs(x));
  const Vec<float> small = a * detail::polynomial(a * a, kP);
  const Vec<float> large = Vec<float>(1) - expOrZero(-detail::polynomial(a, kG));
  const Vec<float> y = math::select(a < Vec<float>(1), small, large);
  const Bits<float> sign = toBits(x) & bitsOf<float>(INT32_MIN);
  return fromBits(toBits(y) | sign);
}

namespace detail {
/// exp(-a^2 / 2), which is 0 from 14 on.
TENON_INLINE Vec<float> bell(Vec<float> a) { return expOrZero(a * a * Vec<float>(-0.5)); }
TENON_INLINE Vec<float> upTo14(Vec<float> x) { return atMost(Vec<float>(14), abs(x)); }
}  // namespace detail

/// Distribution function of the normal distribution, whose lower tail keeps its digits.
TENON_INLINE Vec<float> normalCdf(Vec<float> x) {
  constexpr float kP[] = {0.5F, 0.342728660735F, 0.108420557995F, 0.0144105333078F};
  constexpr float kQ[] = {1.0F, 1.4833398209F, 0.900401865958F, 0.271410368461F, 0.0361320717583F};
  const Vec<float> a = detail::upTo14(x);
  const Vec<float> share = detail::polynomial(a, kP) / detail::polynomial(a, kQ);
  const Vec<float> tail = detail::bell(a) * share;
  return math::select(x < Vec<float>(0), tail, Vec<float>(1) - tail);
}
/// Its density, exp(-x^2 / 2) / sqrt(2 pi). Beside normalCdf of the same x it costs next to
/// nothing.
TENON_INLINE Vec<float> normalPdf(Vec<float> x) {
  return detail::bell(detail::upTo14(x)) * Vec<float>(0.39894228040143267794);
}

/// log(1 + x) by the correction of what 1 + x lost (W. Kahan). x > -1.
TENON_INLINE Vec<float> log1p(Vec<float> x) {
  const Vec<float> one(1);
  const Vec<float> w = one + x;
  const Vec<float> lost = (x - (w - one)) / w;
  const Vec<float> y = log(w) + lost;
  return math::select(w < Vec<float>(__builtin_inff()), y, w);
}

namespace detail {
inline double normalCdf(double x) { return 0.5 * __builtin_erfc(x * -0.70710678118654752440); }
inline double normalPdf(double x) { return __builtin_exp(x * x * -0.5) * 0.39894228040143267794; }
}  // namespace detail

// f64: the C library, for reference kernels. A scalar f32 goes through the vector code.
#define TENON_SCALARS(name, builtin)                         \
  inline double name(double x) { return builtin(x); }        \
  TENON_INLINE Vec<double> name(Vec<double> x) {             \
    return eachLane(x, [](double v) { return builtin(v); }); \
  }                                                          \
  inline float name(float x) {                               \
    float lanes[8];                                          \
    name(Vec<float>(static_cast<double>(x))).store(lanes);   \
    return lanes[0];                                         \
  }
// The C library for f32 too, lane by lane.
#define TENON_LANES(name, builtin)                             \
  TENON_INLINE Vec<float> name(Vec<float> x) {                 \
    return eachLane(x, [](float v) { return builtin##f(v); }); \
  }                                                            \
  TENON_SCALARS(name, builtin)
#define TENON_LANES2(name)                                                             \
  TENON_INLINE Vec<float> name(Vec<float> x, Vec<float> y) {                           \
    return eachLane(x, y, [](float a, float b) { return __builtin_##name##f(a, b); }); \
  }                                                                                    \
  TENON_INLINE Vec<double> name(Vec<double> x, Vec<double> y) {                        \
    return eachLane(x, y, [](double a, double b) { return __builtin_##name(a, b); });  \
  }                                                                                    \
  inline double name(double x, double y) { return __builtin_##name(x, y); }            \
  inline float name(float x, float y) { return __builtin_##name##f(x, y); }
// Integers are round already.
#define TENON_ROUNDING_OF(name, builtin)       \
  TENON_LANES(name, builtin)                   \
  inline int64_t name(int64_t x) { return x; } \
  inline int32_t name(int32_t x) { return x; }
TENON_SCALARS(exp, __builtin_exp)
TENON_SCALARS(expOrZero, __builtin_exp)
TENON_SCALARS(expm1, __builtin_expm1)
TENON_SCALARS(log, __builtin_log)
TENON_SCALARS(log1p, __builtin_log1p)
TENON_SCALARS(tanh, __builtin_tanh)
TENON_SCALARS(erf, __builtin_erf)
TENON_SCALARS(normalCdf, detail::normalCdf)
TENON_SCALARS(normalPdf, detail::normalPdf)
TENON_LANES(exp2, __builtin_exp2)
TENON_LANES(log2, __builtin_log2)
TENON_LANES(log10, __builtin_log10)
TENON_LANES(erfc, __builtin_erfc)
TENON_LANES(sin, __builtin_sin)
TENON_LANES(cos, __builtin_cos)
TENON_LANES(tan, __builtin_tan)
TENON_LANES(asin, __builtin_asin)
TENON_LANES(acos, __builtin_acos)
TENON_LANES(atan, __builtin_atan)
TENON_LANES(sinh, __builtin_sinh)
TENON_LANES(cosh, __builtin_cosh)
TENON_LANES(asinh, __builtin_asinh)
TENON_LANES(acosh, __builtin_acosh)
TENON_LANES(atanh, __builtin_atanh)
TENON_LANES2(pow)
TENON_LANES2(atan2)
TENON_LANES2(fmod)
TENON_ROUNDING_OF(floor, __builtin_floor)
TENON_ROUNDING_OF(ceil, __builtin_ceil)
TENON_ROUNDING_OF(roundEven, __builtin_rint)
TENON_ROUNDING_OF(trunc, __builtin_trunc)
#undef TENON_SCALARS
#undef TENON_LANES
#undef TENON_LANES2
#undef TENON_ROUNDING_OF

/// Whole powers, modulo 2^bits.
template <class T>
TENON_INLINE T wholePower(T x, T n) {
  T y = 1;
  for (; n > 0; n >>= 1, x *= x)
    if (n & 1) y *= x;
  return y;
}
inline uint64_t pow(uint64_t x, uint64_t n) { return wholePower(x, n); }
inline uint32_t pow(uint32_t x, uint32_t n) { return wholePower(x, n); }

inline double sqrt(double x) { return __builtin_sqrt(x); }
inline float sqrt(float x) { return __builtin_sqrtf(x); }
template <class T>
TENON_INLINE Vec<T> sqrt(Vec<T> x) {
  return squareRoot(x);
}
/// 1 / (1 + exp(-x))
template <class T>
TENON_INLINE T sigmoid(T x) {
  return T(1) / (T(1) + exp(-x));
}

}  // namespace math
}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
