// SPDX-License-Identifier: Apache-2.0
// The check of fill values.
#include "engine/tensor/fill_value.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"

namespace tenon {
namespace {

/// Lowest number of an integer type, and the first above its highest: both exact in f64.
struct Limits {
  double low;
  double end;
};

Limits limitsOf(DType type) {
  switch (type) {
    case DType::I64:
      return {-0x1p63, 0x1p63};
    case DType::I32:
      return {-0x1p31, 0x1p31};
    case DType::I8:
      return {-128, 128};
    default:
      return {0, 256};
  }
}

}  // namespace

void needFillValue(double value, DType type, const char* op) {
  if (isFloating(type) || type == DType::Bool) return;
  const Limits limits = limitsOf(type);
  if (value >= limits.low && value < limits.end && value == std::trunc(value)) return;
  throw Error(Code::Input,
              fmt::format("[{}] {} holds whole numbers from {:.0f} to {}, and cannot be filled "
                          "with {}: cast to a floating type, or round the number",
                          op, dtypeName(type), limits.low,
                          type == DType::I64 ? "9223372036854775807"
                                             : fmt::format("{:.0f}", limits.end - 1),
                          value));
}

}  // namespace tenon
