// SPDX-License-Identifier: Apache-2.0
// Random numbers of f64: 53 bits of an element, whose upper 32 are its word of philox.h.
#pragma once

#include "engine/base/philox.h"

namespace tenon::philox {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
#endif

struct NormalPairDouble {
  double first = 0;
  double second = 0;
};

namespace detail {

/// Natural logarithm of k / 2^53 for k in [1, 2^53]; error below 2e-15. As `logFraction32`.
TENON_PHILOX_FN double logFraction53(uint64_t k) {
  constexpr double kLn2 = 0.6931471805599453094;
  int exponent = 0;
  for (int step = 32; step > 0; step /= 2)
    if ((k >> (exponent + step)) > 0) exponent += step;
  double m = static_cast<double>(k) / static_cast<double>(1ULL << exponent);  // [1, 2), exact
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    ++exponent;
  }
  double s = (m - 1.0) / (m + 1.0);  // ln m = 2 atanh(s), |s| <= 0.1716
  double z = s * s;
  double sum = 0.0;
  for (int n = 21; n >= 3; n -= 2) sum = (sum + 1.0 / n) * z;
  return static_cast<double>(exponent - 53) * kLn2 + 2.0 * (s + s * sum);
}

}  // namespace detail

/// Key of the lower halves of 64-bit numbers, whose upper halves are the words of `key`.
TENON_PHILOX_FN Key lowerKey(Key key) { return foldIn(key, ~uint64_t{0}); }

/// The upper 53 of the 64 random bits of one element.
TENON_PHILOX_FN uint64_t bits53(Key key, uint64_t call, uint64_t index) {
  uint64_t upper = wordOf(key, call, index);
  return (upper << 32 | wordOf(lowerKey(key), call, index)) >> 11;
}

/// Uniform double in [0, 1) of one element: a multiple of 2^-53. `uniform01` is the same, cut off.
TENON_PHILOX_FN double uniform01Double(Key key, uint64_t call, uint64_t index) {
  return static_cast<double>(bits53(key, call, index)) * (1.0 / 9007199254740992.0);
}

/// Exponentially distributed number (mean 1) of one element.
TENON_PHILOX_FN double exponential(Key key, uint64_t call, uint64_t index) {
  double logU = detail::logFraction53(bits53(key, call, index) + 1);
  return logU < 0 ? -logU : 0.0;
}

/// As `toNormalPair`, which is this rounded.
TENON_PHILOX_RUN NormalPairDouble toNormalPairDouble(uint32_t radiusWord, uint32_t angleWord) {
  double logU = detail::logFraction32(static_cast<uint64_t>(radiusWord) + 1);
  double r = detail::squareRoot(logU < 0 ? -2.0 * logU : 0.0);
  detail::SinCos turn = detail::sinCosTurn32(angleWord);
  return NormalPairDouble{r * turn.cos, r * turn.sin};
}

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::philox
