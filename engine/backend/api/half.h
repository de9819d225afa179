/* SPDX-License-Identifier: Apache-2.0 */
/* The two 16-bit floating types as bits: exact conversion to f32, and from f32 to the nearest, ties
 * to even (IEEE 754). No branches, so that loops over them become vector code; always inlined, so
 * that instruction levels share none of it. */
#pragma once

#include <stdint.h>

#define TENON_HALF_FUNCTION static inline __attribute__((always_inline))

TENON_HALF_FUNCTION uint32_t tenonBitsOfF32(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}
TENON_HALF_FUNCTION float tenonF32OfBits(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

TENON_HALF_FUNCTION float tenonF32OfF16(uint16_t bits) {
  const uint32_t sign = (uint32_t)(bits & 0x8000u) << 16;
  const uint32_t rest = bits & 0x7FFFu;
  const uint32_t rebias = rest >= 0x7C00u ? 2u * (112u << 23) : 112u << 23; /* infinity, NaN */
  const uint32_t normal = (rest << 13) + rebias;
  /* A subnormal is a whole number of steps of 2^-24. */
  const uint32_t small = tenonBitsOfF32((float)(int32_t)rest * 0x1p-24f);
  return tenonF32OfBits((rest < 0x0400u ? small : normal) | sign);
}

TENON_HALF_FUNCTION uint16_t tenonF16OfF32(float value) {
  const uint32_t bits = tenonBitsOfF32(value);
  const uint32_t size = bits & 0x7FFFFFFFu;
  /* Half a step is added, less one where the last bit kept is 0: ties go to even. */
  const uint32_t normal = (size + 0x0FFFu + ((size >> 13) & 1u) - (112u << 23)) >> 13;
  /* Below 2^-14 the sum with 1/2, whose last bit is 2^-24, rounds as the subnormals do. */
  const uint32_t small = tenonBitsOfF32(tenonF32OfBits(size) + 0.5f) - 0x3F000000u;
  uint32_t result = size < 0x38800000u ? small : normal;
  result = size >= 0x477FF000u ? 0x7C00u : result; /* 65520 and more: infinity */
  result = size > 0x7F800000u ? 0x7E00u : result;  /* NaN */
  return (uint16_t)(result | ((bits >> 16) & 0x8000u));
}

TENON_HALF_FUNCTION float tenonF32OfBF16(uint16_t bits) {
  return tenonF32OfBits((uint32_t)bits << 16);
}

TENON_HALF_FUNCTION uint16_t tenonBF16OfF32(float value) {
  const uint32_t bits = tenonBitsOfF32(value);
  const uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t nan = ((bits >> 16) & 0x8000u) | 0x7FC0u;
  return (uint16_t)((bits & 0x7FFFFFFFu) > 0x7F800000u ? nan : rounded);
}

#undef TENON_HALF_FUNCTION
