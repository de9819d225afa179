// SPDX-License-Identifier: Apache-2.0
// A number beside a tensor, which remembers whether it was written as an integer.
#pragma once

#include <cmath>
#include <type_traits>

namespace tenon {

/// The second operand of `addScalar` and its like. What it was written as decides on the type of
/// results of integers, as in PyTorch: i64 + 2 is i64, i64 + 2.0 is f32.
struct Number {
  double value = 0;
  bool integer = false;

  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  constexpr Number(T number)  // NOLINT(google-explicit-constructor): stands for the number
      : value(static_cast<double>(number)), integer(std::is_integral_v<T>) {}

  /// Whether integers stay so if it is their limit: an infinite limit is none, it decides nothing.
  bool keepsIntegers() const { return integer || std::isinf(value); }
};

}  // namespace tenon
