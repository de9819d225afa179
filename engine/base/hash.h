// SPDX-License-Identifier: Apache-2.0
// A 64-bit hash whose values never change, for content that is compared across runs and machines.
// Not cryptographic.
#pragma once

#include <cstdint>
#include <string_view>

namespace tenon {

/// Fowler-Noll-Vo 1a over the bytes, then mixed so that every bit depends on every byte.
constexpr uint64_t hashBytes(std::string_view bytes,
                             uint64_t seed = 0xCBF29CE484222325ULL) noexcept {
  uint64_t hash = seed;
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBULL;
  return hash ^ (hash >> 31);
}

/// Mixes another value into a hash; the order matters.
constexpr uint64_t hashCombine(uint64_t hash, uint64_t value) noexcept {
  hash ^= value + 0x9E3779B97F4A7C15ULL + (hash << 6) + (hash >> 2);
  hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ULL;
  return hash ^ (hash >> 27);
}

}  // namespace tenon
