// SPDX-License-Identifier: Apache-2.0
// Transposes of 8 x 8 elements of 4 bytes in registers, for copies between layouts.
#pragma once

#include "engine/backend/cpu/simd.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

#ifdef TENON_CPU_LEVEL_avx2

/// to[i * toStep + j] = from[j * fromStep + i] for i, j < 8.
TENON_INLINE void transpose8x8(uint32_t* to, int64_t toStep, const uint32_t* from,
                               int64_t fromStep) {
  __m256i row[8];
  __m256i pair[8];  // rows 2k and 2k + 1 interleaved by one, low and high half
  for (int j = 0; j < 8; ++j)
    row[j] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + j * fromStep));
  for (int k = 0; k < 8; k += 2) {
    pair[k] = _mm256_unpacklo_epi32(row[k], row[k + 1]);
    pair[k + 1] = _mm256_unpackhi_epi32(row[k], row[k + 1]);
  }
  for (int k = 0; k < 2; ++k) {  // four rows interleaved: columns 0 4, 1 5, 2 6, 3 7
    row[k * 4] = _mm256_unpacklo_epi64(pair[k * 4], pair[k * 4 + 2]);
    row[k * 4 + 1] = _mm256_unpackhi_epi64(pair[k * 4], pair[k * 4 + 2]);
    row[k * 4 + 2] = _mm256_unpacklo_epi64(pair[k * 4 + 1], pair[k * 4 + 3]);
    row[k * 4 + 3] = _mm256_unpackhi_epi64(pair[k * 4 + 1], pair[k * 4 + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    auto* low = reinterpret_cast<__m256i*>(to + i * toStep);
    auto* high = reinterpret_cast<__m256i*>(to + (i + 4) * toStep);
    _mm256_storeu_si256(low, _mm256_permute2x128_si256(row[i], row[i + 4], 0x20));
    _mm256_storeu_si256(high, _mm256_permute2x128_si256(row[i], row[i + 4], 0x31));
  }
}

#else

namespace detail {
TENON_INLINE void transpose4x4(uint32_t* to, int64_t toStep, const uint32_t* from,
                               int64_t fromStep) {
  __m128i row[4];
  for (int j = 0; j < 4; ++j)
    row[j] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + j * fromStep));
  const __m128i low01 = _mm_unpacklo_epi32(row[0], row[1]);
  const __m128i low23 = _mm_unpacklo_epi32(row[2], row[3]);
  const __m128i high01 = _mm_unpackhi_epi32(row[0], row[1]);
  const __m128i high23 = _mm_unpackhi_epi32(row[2], row[3]);
  row[0] = _mm_unpacklo_epi64(low01, low23);
  row[1] = _mm_unpackhi_epi64(low01, low23);
  row[2] = _mm_unpacklo_epi64(high01, high23);
  row[3] = _mm_unpackhi_epi64(high01, high23);
  for (int i = 0; i < 4; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i * toStep), row[i]);
}
}  // namespace detail

/// to[i * toStep + j] = from[j * fromStep + i] for i, j < 8.
TENON_INLINE void transpose8x8(uint32_t* to, int64_t toStep, const uint32_t* from,
                               int64_t fromStep) {
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 8; j += 4)
      detail::transpose4x4(to + i * toStep + j, toStep, from + j * fromStep + i, fromStep);
}

#endif

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
