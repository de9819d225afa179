// SPDX-License-Identifier: Apache-2.0
// Inputs of reference cases that no file stores, since both sides compute them
// (tests/reference/drawn.py).
#pragma once

#include <cstdint>
#include <vector>

namespace tenon::test {

/// Element i is ((211 i + 97 seed) mod 1021 - 510) / 512, times a scale and plus an offset.
inline std::vector<double> drawnNumbers(int64_t count, int64_t seed, double scale, double offset) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(static_cast<double>((211 * i + 97 * seed) % 1021 - 510) / 512 * scale +
                      offset);
  return numbers;
}

}  // namespace tenon::test
