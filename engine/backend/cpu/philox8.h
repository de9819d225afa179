// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10 for 8 neighbouring blocks at once: 32 words, in the order of their elements.
//
// The same numbers as philox::wordsOfBlock (tested against it); only side by side.
#pragma once

#include <immintrin.h>

#include "engine/backend/cpu/simd.h"
#include "engine/base/philox.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

inline constexpr int kPhiloxWords = 32;

namespace detail {

#ifdef TENON_CPU_LEVEL_avx2
using Words8 = __m256i;
#define TENON_WORDS(name) _mm256_##name
inline constexpr int kWordParts = 1;
#else
using Words8 = __m128i;
#define TENON_WORDS(name) _mm_##name
inline constexpr int kWordParts = 2;
#endif
#ifdef TENON_CPU_LEVEL_avx2
TENON_INLINE Words8 exclusive(Words8 a, Words8 b, Words8 c) {
  return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
}
TENON_INLINE Words8 joined(Words8 low, Words8 high) {  // even places of low, odd of high
  return _mm256_blend_epi32(low, high, 0xAA);
}
#else
TENON_INLINE Words8 exclusive(Words8 a, Words8 b, Words8 c) {
  return _mm_xor_si128(_mm_xor_si128(a, b), c);
}
TENON_INLINE Words8 joined(Words8 low, Words8 high) {
  const __m128i even = _mm_set1_epi64x(0xFFFFFFFF);
  return _mm_or_si128(_mm_and_si128(even, low), _mm_andnot_si128(even, high));
}
#endif

struct Product {
  Words8 low;
  Words8 high;
};
/// 32 x 32 -> 64 bits of every word.
TENON_INLINE Product wide(Words8 a, uint32_t factor) {
  const Words8 m = TENON_WORDS(set1_epi32)(static_cast<int32_t>(factor));
  const Words8 even = TENON_WORDS(mul_epu32)(a, m);
  const Words8 odd = TENON_WORDS(mul_epu32)(TENON_WORDS(srli_epi64)(a, 32), m);
  return {joined(even, TENON_WORDS(slli_epi64)(odd, 32)),
          joined(TENON_WORDS(srli_epi64)(even, 32), odd)};
}

/// The four words of as many blocks as a register has words, next to each other for each block.
TENON_INLINE void storeBlocks(const Words8 (&c)[4], uint32_t* words) {
  const Words8 low01 = TENON_WORDS(unpacklo_epi32)(c[0], c[1]);
  const Words8 low23 = TENON_WORDS(unpacklo_epi32)(c[2], c[3]);
  const Words8 high01 = TENON_WORDS(unpackhi_epi32)(c[0], c[1]);
  const Words8 high23 = TENON_WORDS(unpackhi_epi32)(c[2], c[3]);
  const Words8 block[4] = {
      TENON_WORDS(unpacklo_epi64)(low01, low23), TENON_WORDS(unpackhi_epi64)(low01, low23),
      TENON_WORDS(unpacklo_epi64)(high01, high23), TENON_WORDS(unpackhi_epi64)(high01, high23)};
  auto* to = reinterpret_cast<__m128i*>(words);
  for (int i = 0; i < 4; ++i) {
#ifdef TENON_CPU_LEVEL_avx2
    _mm_storeu_si128(to + i, _mm256_castsi256_si128(block[i]));
    _mm_storeu_si128(to + 4 + i, _mm256_extracti128_si256(block[i], 1));
#else
    _mm_storeu_si128(to + i, block[i]);
#endif
  }
}

}  // namespace detail

/// Words of elements 4 block .. 4 block + 31 of call number `call`.
inline void philoxWords(philox::Key key, uint64_t call, uint64_t block, uint32_t* words) {
  using detail::Words8;
  constexpr int kPart = 8 / detail::kWordParts;
  for (int part = 0; part < detail::kWordParts; ++part) {
    uint32_t low[kPart];
    uint32_t high[kPart];
    for (int i = 0; i < kPart; ++i) {
      const uint64_t b = block + static_cast<uint64_t>(part * kPart + i);
      low[i] = static_cast<uint32_t>(b);
      high[i] = static_cast<uint32_t>(b >> 32);
    }
    Words8 c[4];
    __builtin_memcpy(&c[0], low, sizeof low);
    __builtin_memcpy(&c[1], high, sizeof high);
    c[2] = TENON_WORDS(set1_epi32)(static_cast<int32_t>(call));
    c[3] = TENON_WORDS(set1_epi32)(static_cast<int32_t>(call >> 32));
    uint32_t k0 = key.k0;
    uint32_t k1 = key.k1;
    for (int round = 0; round < 10; ++round) {
      const detail::Product p0 = detail::wide(c[0], 0xD2511F53U);
      const detail::Product p1 = detail::wide(c[2], 0xCD9E8D57U);
      const Words8 key0 = TENON_WORDS(set1_epi32)(static_cast<int32_t>(k0));
      const Words8 key1 = TENON_WORDS(set1_epi32)(static_cast<int32_t>(k1));
      c[0] = detail::exclusive(p1.high, c[1], key0);
      c[2] = detail::exclusive(p0.high, c[3], key1);
      c[1] = p1.low;
      c[3] = p0.low;
      k0 += 0x9E3779B9U;
      k1 += 0xBB67AE85U;
    }
    detail::storeBlocks(c, words + part * kPart * 4);
  }
}
#undef TENON_WORDS

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
