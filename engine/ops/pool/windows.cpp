// SPDX-License-Identifier: Apache-2.0
// Max and average pooling over windows of one to three axes.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/pool/pool.h"
#include "engine/ops/pool2d/pool2d.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

/// The settings, one number an axis.
struct Windows {
  PerAxis kernel, stride, padding;
  const PoolOptions& options;

  /// As pool2d takes them: axes `height` and `width`, -1 for an axis that is left as it is.
  Pool2dParams of(int height, int width) const {
    Pool2dParams params;
    const int axis[2] = {height, width};
    for (int a = 0; a < 2; ++a) {
      const auto at = static_cast<size_t>(axis[a] < 0 ? 0 : axis[a]);
      params.kernel[a] = axis[a] < 0 ? 1 : kernel[at];
      params.stride[a] = axis[a] < 0 ? 1 : stride[at];
      params.padding[a] = axis[a] < 0 ? 0 : padding[at];
    }
    params.ceilMode = options.ceilMode;
    params.countIncludesPadding = options.countIncludesPadding;
    return params;
  }
};

Windows checked(const char* family, const Tensor& x, const PoolOptions& options) {
  const int axes = spatial::axesOf(x, family, "x");
  const std::string op = spatial::nameOf(family, axes);
  const PerAxis& stride = options.stride.empty() ? options.kernel : options.stride;
  Windows w{spatial::spread(options.kernel, axes, 1, op, "kernel"),
            spatial::spread(stride, axes, 1, op, "stride"),
            spatial::spread(options.padding, axes, 0, op, "padding"), options};
  for (size_t a = 0; a < w.kernel.size(); ++a) {
    if (2 * w.padding[a] > w.kernel[a])
      throw Error(Code::Usage, fmt::format("[{}] padding wants at most half the kernel, got {} for "
                                           "{} along axis {}",
                                           op, w.padding[a], w.kernel[a], a + 2));
    const int64_t in = x.size(static_cast<int>(a) + 2);
    if (in < 1 || in + 2 * w.padding[a] < w.kernel[a])
      throw Error(Code::Shape, fmt::format("[{}] window of {} is larger than the padded axis {} of "
                                           "{}",
                                           op, w.kernel[a], a + 2, describe(x)));
  }
  return w;
}

/// x [N, C, D, H, W] as images [N, C * D, H, W], and back.
Tensor slicesOf(const Tensor& x) {
  return reshape(x, {x.size(0), x.size(1) * x.size(2), x.size(3), x.size(4)});
}
/// Pooled slices [N, C * D, H', W'] as images [N, C, D, H' * W'].
Tensor columnsOf(const Tensor& y, const Tensor& x) {
  return reshape(y, {x.size(0), x.size(1), x.size(2), y.size(2) * y.size(3)});
}
/// Pooled columns [N, C, D', H' * W'] as volumes.
Tensor volumesOf(const Tensor& y, const Tensor& slices) {
  return reshape(y, {y.size(0), y.size(1), y.size(2), slices.size(2), slices.size(3)});
}

template <class Pool>
Tensor pooled(const Tensor& x, const Windows& windows, Pool&& pool) {
  switch (x.ndim()) {
    case 3:
      return squeeze(pool(unsqueeze(x, 2), windows.of(-1, 0)), 2);
    case 4:
      return pool(x, windows.of(0, 1));
    default: {  // 16 bits in f32, so that what the two passes add up is rounded once
      const Tensor wide = cast(x, statisticsType(x.dtype()));
      const Tensor slices = pool(slicesOf(wide), windows.of(1, 2));
      return cast(volumesOf(pool(columnsOf(slices, x), windows.of(0, -1)), slices), x.dtype());
    }
  }
}

std::vector<int64_t> numbers(const Tensor& which) {
  if (which.dtype() == DType::U8) {
    const auto bytes = which.toVector<uint8_t>();
    return {bytes.begin(), bytes.end()};
  }
  const auto wide = which.toVector<int32_t>();
  return {wide.begin(), wide.end()};
}

/// Place of each maximum within its image of `width` columns, row by row.
std::vector<int64_t> places(const Tensor& which, const Pool2dParams& p, int64_t width) {
  std::vector<int64_t> all = numbers(which);
  const int64_t rows = which.size(2), columns = which.size(3);
  for (size_t k = 0; k < all.size(); ++k) {
    const auto at = static_cast<int64_t>(k);
    const int64_t i = at / columns % rows, j = at % columns;
    const int64_t row = i * p.stride[0] - p.padding[0] + all[k] / p.kernel[1];
    const int64_t column = j * p.stride[1] - p.padding[1] + all[k] % p.kernel[1];
    all[k] = row * width + column;
  }
  return all;
}

ValuesAndIndices ofImages(const Tensor& x, const Pool2dParams& params) {
  const MaxPool2dResult pool = maxPool2dWithPlaces(x, params);
  return {pool.y, Tensor::fromValues(places(pool.which, params, x.size(3)), pool.y.shape())};
}

ValuesAndIndices ofVolumes(const Tensor& x, const Windows& windows) {
  const ValuesAndIndices slices = ofImages(slicesOf(x), windows.of(1, 2));
  const Tensor columns = columnsOf(slices.values, x);
  const ValuesAndIndices depth = ofImages(columns, windows.of(0, -1));
  const std::vector<int64_t> within = slices.indices.toVector<int64_t>();
  std::vector<int64_t> all = depth.indices.toVector<int64_t>();
  const int64_t image = x.size(3) * x.size(4), column = columns.size(3);
  const int64_t pooledVolume = depth.values.size(2) * column;
  for (size_t k = 0; k < all.size(); ++k) {
    const int64_t first = static_cast<int64_t>(k) / pooledVolume * columns.size(2) * column;
    all[k] = all[k] / column * image + within[static_cast<size_t>(first + all[k])];
  }
  const Tensor indices = Tensor::fromValues(all, depth.values.shape());
  return {volumesOf(depth.values, slices.values), volumesOf(indices, slices.values)};
}

}  // namespace

Tensor maxPool(const Tensor& x, const PoolOptions& options) {
  return pooled(x, checked("max_pool", x, options), &maxPool2d);
}

Tensor avgPool(const Tensor& x, const PoolOptions& options) {
  return pooled(x, checked("avg_pool", x, options), &avgPool2d);
}

ValuesAndIndices maxPoolWithIndices(const Tensor& x, const PoolOptions& options) {
  const Windows windows = checked("max_pool", x, options);
  if (x.ndim() == 5) return ofVolumes(x, windows);
  if (x.ndim() == 4) return ofImages(x, windows.of(0, 1));
  const ValuesAndIndices line = ofImages(unsqueeze(x, 2), windows.of(-1, 0));
  return {squeeze(line.values, 2), squeeze(line.indices, 2)};
}

}  // namespace tenon
