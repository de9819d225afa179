// SPDX-License-Identifier: Apache-2.0
// Pooling to a wanted size: means by adaptive_avg_pool2d, largest values axis by axis.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/index/index.h"
#include "engine/ops/pool/pool.h"
#include "engine/ops/pool2d/pool2d.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

PerAxis checkedSizes(const char* family, const Tensor& x, const PerAxis& size) {
  const int axes = spatial::axesOf(x, family, "x");
  const std::string op = spatial::nameOf(family, axes);
  for (int axis = 2; axis < x.ndim(); ++axis)
    if (x.size(axis) < 1)
      throw Error(Code::Shape,
                  fmt::format("[{}] pools nothing: axis {} of {} is empty", op, axis, describe(x)));
  return spatial::spread(size, axes, 1, op, "size");
}

/// Largest value of each of `out` bins of an axis. Bins are made equally long by naming their last
/// element again, which changes neither the largest value nor the first place of it.
Tensor largestOfBins(const Tensor& x, int axis, int64_t out) {
  const int64_t in = x.size(axis);
  if (out == in) return x;
  const auto begin = [=](int64_t i) { return i * in / out; };
  const auto end = [=](int64_t i) { return ((i + 1) * in + out - 1) / out; };
  int64_t longest = 1;
  for (int64_t i = 0; i < out; ++i) longest = std::max(longest, end(i) - begin(i));
  std::vector<int64_t> places;
  for (int64_t i = 0; i < out; ++i)
    for (int64_t k = 0; k < longest; ++k) places.push_back(std::min(begin(i) + k, end(i) - 1));
  const Tensor at = Tensor::fromValues(places, {out * longest});
  Shape bins;
  for (int a = 0; a < x.ndim(); ++a) {
    bins.push(a == axis ? out : x.size(a));
    if (a == axis) bins.push(longest);
  }
  return maxAlong(reshape(indexSelect(x, axis, at), bins), axis + 1).values;
}

}  // namespace

Tensor adaptiveAvgPool(const Tensor& x, const PerAxis& size) {
  const PerAxis out = checkedSizes("adaptive_avg_pool", x, size);
  if (x.ndim() == 3) return squeeze(adaptiveAvgPool2d(unsqueeze(x, 2), 1, out[0]), 2);
  if (x.ndim() == 4) return adaptiveAvgPool2d(x, out[0], out[1]);
  const int64_t n = x.size(0), c = x.size(1), depth = x.size(2);
  const Tensor wide = cast(x, statisticsType(x.dtype()));  // two means, rounded once
  const Tensor slices =
      adaptiveAvgPool2d(reshape(wide, {n, c * depth, x.size(3), x.size(4)}), out[1], out[2]);
  const Tensor columns = reshape(slices, {n, c, depth, out[1] * out[2]});
  const Tensor y = adaptiveAvgPool2d(columns, out[0], out[1] * out[2]);
  return cast(reshape(y, {n, c, out[0], out[1], out[2]}), x.dtype());
}

Tensor adaptiveMaxPool(const Tensor& x, const PerAxis& size) {
  const PerAxis out = checkedSizes("adaptive_max_pool", x, size);
  // The last axis first, so that the first of equals is the first in row-major order. Several axes
  // of 16 bits are done in f32: the gradients that bins share are rounded once, not once an axis.
  Tensor y = x.ndim() > 3 ? cast(x, statisticsType(x.dtype())) : x;
  for (int axis = x.ndim() - 1; axis >= 2; --axis)
    y = largestOfBins(y, axis, out[static_cast<size_t>(axis) - 2]);
  return cast(y, x.dtype());
}

}  // namespace tenon
