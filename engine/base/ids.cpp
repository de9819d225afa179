// SPDX-License-Identifier: Apache-2.0
// Ids from the wall clock and the system's random source.
#include "engine/base/ids.h"

#include <sys/random.h>

#include <algorithm>
#include <random>

namespace tenon {
namespace {

constexpr std::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";  // Crockford base 32
constexpr size_t kTimeLength = 18;                                        // 20261129T164601250
constexpr size_t kRandomLength = 6;

uint32_t randomBits() {
  uint32_t bits = 0;
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != sizeof bits) bits = std::random_device()();
  return bits;
}

}  // namespace

std::string IdMaker::next() {
  int64_t ms = clock_.wallNs() / 1'000'000;
  {
    std::lock_guard lock(mutex_);
    ms = lastMs_ == INT64_MIN ? ms : std::max(ms, lastMs_ + 1);
    lastMs_ = ms;
  }
  std::string id = isoTime(ms * 1'000'000);
  std::erase_if(id, [](char c) { return c == '-' || c == ':' || c == '.' || c == 'Z'; });
  id += '-';
  uint32_t bits = randomBits();
  for (size_t i = 0; i < kRandomLength; ++i, bits >>= 5) id += kDigits[bits & 31U];
  return id;
}

bool isId(std::string_view text) noexcept {
  if (text.size() != kTimeLength + 1 + kRandomLength) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool good = i == 8             ? c == 'T'
                : i == kTimeLength ? c == '-'
                : i < kTimeLength  ? c >= '0' && c <= '9'
                                   : kDigits.find(c) != std::string_view::npos;
    if (!good) return false;
  }
  return true;
}

}  // namespace tenon
