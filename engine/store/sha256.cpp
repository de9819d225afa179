// SPDX-License-Identifier: Apache-2.0
// SHA-256 after FIPS 180-4: message schedule and compression, portable and with SHA instructions.
#include "engine/store/sha256.h"

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace tenon {
namespace {

using State = std::array<uint32_t, 8>;
using Compress = void (*)(State& state, const std::byte* block, size_t blocks);

constexpr size_t kBlock = 64;

constexpr State kStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// Fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t bigEndian(const std::byte* at) {
  uint32_t word;
  std::memcpy(&word, at, sizeof word);
  return __builtin_bswap32(word);
}

void compressPortable(State& state, const std::byte* block, size_t blocks) {
  for (; blocks > 0; --blocks, block += kBlock) {
    uint32_t w[64];
    for (size_t t = 0; t < 16; ++t) w[t] = bigEndian(block + 4 * t);
    for (size_t t = 16; t < 64; ++t) {
      const uint32_t x = w[t - 15], y = w[t - 2];
      const uint32_t s0 = std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3);
      const uint32_t s1 = std::rotr(y, 17) ^ std::rotr(y, 19) ^ (y >> 10);
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (size_t t = 0; t < 64; ++t) {
      const uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
      const uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const State add = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < 8; ++i) state[i] += add[i];
  }
}

#if defined(__x86_64__)
#define TENON_SHA_TARGET __attribute__((target("sha,sse4.1,ssse3")))

/// Words W[t..t+3] from the sixteen before them.
TENON_SHA_TARGET inline __m128i nextWords(__m128i w0, __m128i w1, __m128i w2, __m128i w3) {
  const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
  return _mm_sha256msg2_epu32(sum, w3);
}

TENON_SHA_TARGET inline void fourRounds(__m128i& abef, __m128i& cdgh, __m128i words, int t) {
  const auto* constants = reinterpret_cast<const __m128i*>(kRound + t);
  const __m128i input = _mm_add_epi32(words, _mm_load_si128(constants));
  cdgh = _mm_sha256rnds2_epu32(cdgh, abef, input);
  abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(input, 0x0e));
}

TENON_SHA_TARGET void compressSha(State& state, const std::byte* block, size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  auto* words = reinterpret_cast<__m128i*>(state.data());
  // The instructions want the state as ABEF and CDGH, highest word first.
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; blocks > 0; --blocks, block += kBlock) {
    const __m128i abefBefore = abef, cdghBefore = cdgh;
    const auto* in = reinterpret_cast<const __m128i*>(block);
    __m128i w[4];
    for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(_mm_loadu_si128(in + i), swap);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      if (i >= 4) w[i & 3] = nextWords(w[i & 3], w[(i + 1) & 3], w[(i + 2) & 3], w[(i + 3) & 3]);
      fourRounds(abef, cdgh, w[i & 3], 4 * i);
    }
    abef = _mm_add_epi32(abef, abefBefore);
    cdgh = _mm_add_epi32(cdgh, cdghBefore);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

bool hasShaInstructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & (1u << 29)) == 0) return false;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & (1u << 19)) != 0;  // SSE4.1
}

Compress chooseCompress() { return hasShaInstructions() ? compressSha : compressPortable; }
#else
Compress chooseCompress() { return compressPortable; }
#endif

Digest digestWith(Compress compress, std::span<const std::byte> bytes) {
  State state = kStart;
  const size_t whole = bytes.size() / kBlock;
  compress(state, bytes.data(), whole);
  // The rest, a one bit, zeros, and the length in bits as 64-bit big endian.
  std::array<std::byte, 2 * kBlock> last{};
  const std::span<const std::byte> rest = bytes.subspan(whole * kBlock);
  if (!rest.empty()) std::memcpy(last.data(), rest.data(), rest.size());
  last[rest.size()] = std::byte{0x80};
  const size_t lastBytes = rest.size() + 9 <= kBlock ? kBlock : 2 * kBlock;
  const uint64_t length = __builtin_bswap64(static_cast<uint64_t>(bytes.size()) * 8);
  std::memcpy(last.data() + lastBytes - sizeof length, &length, sizeof length);
  compress(state, last.data(), lastBytes / kBlock);
  Digest digest;
  for (size_t i = 0; i < state.size(); ++i) {
    const uint32_t word = __builtin_bswap32(state[i]);
    std::memcpy(digest.data() + 4 * i, &word, sizeof word);
  }
  return digest;
}

}  // namespace

Digest sha256(std::span<const std::byte> bytes) {
  static const Compress kCompress = chooseCompress();
  return digestWith(kCompress, bytes);
}

Digest sha256Portable(std::span<const std::byte> bytes) {
  return digestWith(compressPortable, bytes);
}

}  // namespace tenon
