// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers (Philox 4x32-10): every number is a function of (key, call, index)
// and of nothing else.
//
// J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
// Integer and IEEE double arithmetic only (no libm), so that every device and thread count gets the
// same bits; compile with -ffp-contract=off. Kernel files include this header once per instruction
// level, each in a namespace of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#ifndef TENON_CPU_LEVEL
#include <vector>
#endif

#ifdef __CUDACC__
#define TENON_PHILOX_RUN __host__ __device__ inline
#else
#define TENON_PHILOX_RUN inline
#endif
#define TENON_PHILOX_FN TENON_PHILOX_RUN constexpr  // all but what needs a square root

namespace tenon::philox {
#ifdef TENON_CPU_LEVEL
inline namespace TENON_CPU_LEVEL {
#endif

/// What numbers are for. Part of the key, so that two uses never share a sequence. The numbers are
/// fixed for ever.
enum class Purpose : uint32_t {
  None = 0,       ///< no numbers at all
  Init = 1,       ///< initial values of parameters
  Dropout = 2,    ///< masks of dropout layers
  Operator = 3,   ///< random operators called by a program (rand, randn, ...)
  Shuffle = 4,    ///< order of samples in an epoch
  Split = 5,      ///< split of a data set into training and validation
  Transform = 6,  ///< augmenting transforms
  Test = 7,       ///< test data
};

struct Key {
  uint32_t k0 = 0;
  uint32_t k1 = 0;
  friend constexpr bool operator==(const Key&, const Key&) = default;
};

struct Counter {
  uint32_t c0 = 0;
  uint32_t c1 = 0;
  uint32_t c2 = 0;
  uint32_t c3 = 0;
};

/// The four 32-bit words one counter value gives.
struct Words {
  uint32_t w[4] = {0, 0, 0, 0};
};

struct NormalPair {
  float first = 0;
  float second = 0;
};

/// One application of Philox 4x32 with 10 rounds.
TENON_PHILOX_FN Words generate(Counter c, Key k) {
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = static_cast<uint64_t>(0xD2511F53U) * c.c0;
    uint64_t p1 = static_cast<uint64_t>(0xCD9E8D57U) * c.c2;
    c = Counter{static_cast<uint32_t>(p1 >> 32) ^ c.c1 ^ k.k0, static_cast<uint32_t>(p1),
                static_cast<uint32_t>(p0 >> 32) ^ c.c3 ^ k.k1, static_cast<uint32_t>(p0)};
    k.k0 += 0x9E3779B9U;
    k.k1 += 0xBB67AE85U;
  }
  return Words{{c.c0, c.c1, c.c2, c.c3}};
}

namespace detail {

/// A bijection of 64 bits that spreads every bit (finalizer of SplitMix64).
TENON_PHILOX_FN uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

TENON_PHILOX_FN Key keyOf(uint64_t bits) {
  return Key{static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
}

/// Natural logarithm of k / 2^32 for k in [1, 2^32]; error below 2e-15.
TENON_PHILOX_FN double logFraction32(uint64_t k) {
  constexpr double kLn2 = 0.6931471805599453094;
  int exponent = 0;
  while ((k >> exponent) > 1) ++exponent;
  double m = static_cast<double>(k) / static_cast<double>(1ULL << exponent);  // [1, 2), exact
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    ++exponent;
  }
  double s = (m - 1.0) / (m + 1.0);  // ln m = 2 atanh(s), |s| <= 0.1716
  double z = s * s;
  double sum = 0.0;
  for (int n = 21; n >= 3; n -= 2) sum = (sum + 1.0 / n) * z;
  return static_cast<double>(exponent - 32) * kLn2 + 2.0 * (s + s * sum);
}

/// Square root by the correctly rounded machine instruction.
TENON_PHILOX_RUN double squareRoot(double x) { return __builtin_sqrt(x); }

struct SinCos {
  double sin = 0;
  double cos = 0;
};

/// Sine and cosine of 2 pi k / 2^32: reduced to [-pi/4, pi/4], then Taylor series; error below
/// 2e-16.
TENON_PHILOX_FN SinCos sinCosTurn32(uint32_t k) {
  constexpr double kHalfPi = 1.57079632679489661923;
  uint32_t quarter = (k + 0x20000000U) >> 30;  // nearest multiple of a quarter turn, modulo 4
  auto rest = static_cast<int32_t>(k - (quarter << 30));
  double x = static_cast<double>(rest) * (1.0 / 1073741824.0) * kHalfPi;
  double z = x * x;
  double s = 1.0;
  double c = 1.0;
  for (int n = 16; n >= 2; n -= 2) {
    s = 1.0 - s * z / (n * (n + 1.0));
    c = 1.0 - c * z / (n * (n - 1.0));
  }
  s *= x;
  switch (quarter & 3U) {
    case 0:
      return SinCos{s, c};
    case 1:
      return SinCos{c, -s};
    case 2:
      return SinCos{-s, -c};
    default:
      return SinCos{-c, s};
  }
}

}  // namespace detail

/// Key of a stream: `seed` of the run, what for, and the rank of the process (0 without data
/// parallelism).
TENON_PHILOX_FN Key makeKey(uint64_t seed, Purpose purpose, uint32_t rank = 0) {
  uint64_t who = (static_cast<uint64_t>(purpose) << 32) | rank;
  return detail::keyOf(detail::mix(seed ^ detail::mix(who)));
}

/// Key of a sub-stream: fold in an epoch, then a sample, then a transform, ... Different values,
/// different keys.
TENON_PHILOX_FN Key foldIn(Key key, uint64_t value) {
  uint64_t bits = (static_cast<uint64_t>(key.k1) << 32) | key.k0;
  return detail::keyOf(detail::mix(bits ^ detail::mix(value)));
}

/// The words of elements 4 block .. 4 block + 3 of call number `call`.
TENON_PHILOX_FN Words wordsOfBlock(Key key, uint64_t call, uint64_t block) {
  return generate(Counter{static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                          static_cast<uint32_t>(call), static_cast<uint32_t>(call >> 32)},
                  key);
}

/// The 32 random bits of one element. Four neighbours (index / 4 equal) share one application of
/// the generator.
TENON_PHILOX_FN uint32_t wordOf(Key key, uint64_t call, uint64_t index) {
  return wordsOfBlock(key, call, index >> 2).w[index & 3];
}

/// A word as a float in [0, 1): a multiple of 2^-24.
TENON_PHILOX_FN float toUniform01(uint32_t word) {
  return static_cast<float>(word >> 8) * (1.0F / 16777216.0F);
}

/// Uniform float in [0, 1) of one element: a multiple of 2^-24.
TENON_PHILOX_FN float uniform01(Key key, uint64_t call, uint64_t index) {
  return toUniform01(wordOf(key, call, index));
}

/// Two independent standard normal numbers from two words (Box-Muller); |x| <= 6.67.
TENON_PHILOX_RUN NormalPair toNormalPair(uint32_t radiusWord, uint32_t angleWord) {
  double logU = detail::logFraction32(static_cast<uint64_t>(radiusWord) + 1);
  double r = detail::squareRoot(logU < 0 ? -2.0 * logU : 0.0);
  detail::SinCos turn = detail::sinCosTurn32(angleWord);
  return NormalPair{static_cast<float>(r * turn.cos), static_cast<float>(r * turn.sin)};
}

/// Standard normal number of one element: elements 2i and 2i + 1 are the pair of the same two
/// words.
TENON_PHILOX_RUN float normal(Key key, uint64_t call, uint64_t index) {
  Words words = wordsOfBlock(key, call, index >> 2);
  uint32_t first = static_cast<uint32_t>(index) & 2U;
  NormalPair pair = toNormalPair(words.w[first], words.w[first + 1]);
  return (index & 1) != 0 ? pair.second : pair.first;
}

/// Integer in [0, bound) without bias (bound 0 gives 0). Uses a whole block per element.
/// D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
TENON_PHILOX_FN uint64_t boundedInt(Key key, uint64_t call, uint64_t index, uint64_t bound) {
  if (bound == 0) return 0;
  uint64_t threshold = (0 - bound) % bound;
  for (uint64_t attempt = 0;; ++attempt) {
    Words words = wordsOfBlock(attempt == 0 ? key : foldIn(key, attempt), call, index);
    for (int half = 0; half < 4; half += 2) {
      uint64_t bits = (static_cast<uint64_t>(words.w[half + 1]) << 32) | words.w[half];
      auto product = static_cast<unsigned __int128>(bits) * bound;
      if (static_cast<uint64_t>(product) >= threshold) return static_cast<uint64_t>(product >> 64);
    }
  }
}

#ifndef TENON_CPU_LEVEL
/// A random order of 0 .. n-1, every order equally likely (Fisher-Yates). O(n); n <= 0 gives an
/// empty one.
inline std::vector<int64_t> permutation(int64_t n, Key key, uint64_t call = 0) {
  std::vector<int64_t> order(n > 0 ? static_cast<std::size_t>(n) : 0);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::size_t j = boundedInt(key, call, i - 1, i);
    int64_t moved = order[i - 1];
    order[i - 1] = order[j];
    order[j] = moved;
  }
  return order;
}
#endif

/// Numbers drawn one after the other from one key, e.g. by an augmenting transform for one sample.
class Stream {
 public:
  constexpr explicit Stream(Key key, uint64_t call = 0) : key_(key), call_(call) {}

  constexpr uint32_t word() { return wordOf(key_, call_, next_++); }
  constexpr float uniform01() { return toUniform01(word()); }
  /// Uniform in [low, high].
  constexpr float uniform(float low, float high) { return low + (high - low) * uniform01(); }
  float normal() {
    uint32_t radius = word();
    return toNormalPair(radius, word()).first;
  }
  /// Integer in [0, bound) without bias.
  constexpr uint64_t boundedInt(uint64_t bound) {
    uint64_t block = (next_ + 3) / 4;  // a block nobody has read from
    next_ = block * 4 + 4;
    return philox::boundedInt(key_, call_, block, bound);
  }

 private:
  Key key_;
  uint64_t call_;
  uint64_t next_ = 0;
};

#ifdef TENON_CPU_LEVEL
}  // namespace TENON_CPU_LEVEL
#endif
}  // namespace tenon::philox
