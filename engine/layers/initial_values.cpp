// SPDX-License-Identifier: Apache-2.0
// Filling fresh tensors with initial values.
#include "engine/layers/initial_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace tenon {
namespace {

template <class Value>
void fill(const Tensor& tensor, Value value) {
  const auto n = static_cast<uint64_t>(tensor.numel());
  if (tensor.dtype() == DType::F64) {
    auto* p = tensor.data<double>();
    for (uint64_t i = 0; i < n; ++i) p[i] = value(i);
    return;
  }
  if (tensor.dtype() != DType::F32)
    throw Error(Code::Type, "initial values are f32 or f64, wanted " + describe(tensor));
  auto* p = tensor.data<float>();
  for (uint64_t i = 0; i < n; ++i) p[i] = static_cast<float>(value(i));
}

double normalShare(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// Argument at which the standard normal distribution reaches the share p of (0, 1): bisection down
/// to a width of 0.07, then Newton's steps, each of which about squares the error (times |x| / 2).
double normalQuantile(double p) {
  double low = -9;  // the share below is smaller than one of 2^32 numbers can tell
  double high = 9;
  for (int i = 0; i < 8; ++i) {
    const double middle = 0.5 * (low + high);
    (normalShare(middle) < p ? low : high) = middle;
  }
  double x = 0.5 * (low + high);
  for (int i = 0; i < 5; ++i) {
    const double density = std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    x = std::clamp(x - (normalShare(x) - p) / density, -9.0, 9.0);
  }
  return x;
}

}  // namespace

void fillConstant(const Tensor& tensor, double value) {
  if (tensor.dtype() == DType::I64) {
    std::fill_n(tensor.data<int64_t>(), tensor.numel(), static_cast<int64_t>(value));
    return;
  }
  fill(tensor, [value](uint64_t) { return value; });
}

void fillUniform(const Tensor& tensor, double low, double high, InitNumbers numbers) {
  const double middle = 0.5 * (low + high);
  const double reach = 0.5 * (high - low);
  fill(tensor, [&](uint64_t i) {
    return middle + reach * (2.0 * philox::uniform01(numbers.key, numbers.call, i) - 1.0);
  });
}

void fillNormal(const Tensor& tensor, double mean, double deviation, InitNumbers numbers) {
  fill(tensor,
       [&](uint64_t i) { return mean + deviation * philox::normal(numbers.key, numbers.call, i); });
}

void fillTruncatedNormal(const Tensor& tensor, double mean, double deviation, double low,
                         double high, InitNumbers numbers) {
  if (!(low < high) || !(deviation > 0))
    throw Error(Code::Usage, fmt::format("a truncated normal distribution wants low < high and a "
                                         "deviation > 0, got {} .. {} and {}",
                                         low, high, deviation));
  const double from = normalShare((low - mean) / deviation);
  const double to = normalShare((high - mean) / deviation);
  fill(tensor, [&](uint64_t i) {
    const double word = philox::wordOf(numbers.key, numbers.call, i);
    const double share = from + (to - from) * (word + 0.5) / 4294967296.0;
    return std::clamp(mean + deviation * normalQuantile(share), low, high);
  });
}

void initialize(const Tensor& tensor, const Init& init, InitNumbers numbers) {
  switch (init.kind) {
    case Init::Kind::Zeros:
      fillConstant(tensor, 0);
      break;
    case Init::Kind::Ones:
      fillConstant(tensor, 1);
      break;
    case Init::Kind::Constant:
      fillConstant(tensor, init.scale);
      break;
    case Init::Kind::Uniform:
      fillUniform(tensor, -init.scale, init.scale, numbers);
      break;
    case Init::Kind::Normal:
      fillNormal(tensor, 0, init.scale, numbers);
      break;
  }
  if (init.zeroRow < 0) return;
  const auto row = static_cast<size_t>(tensor.numel() / tensor.size(0)) *
                   static_cast<size_t>(dtypeBytes(tensor.dtype()));
  std::memset(static_cast<std::byte*>(tensor.rawData()) + static_cast<size_t>(init.zeroRow) * row,
              0, row);
}

}  // namespace tenon
