// SPDX-License-Identifier: Apache-2.0
// Pixels of images that 1 x 1 convolutions join: their places, and when such a convolution is done
// as a product of pixels and filters.
#pragma once

#include "engine/backend/api/types.h"
#include "engine/backend/cpu/panel_product.h"
#include "engine/ops/conv2d/conv2d.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// Walks the pixels of images of rows x cols, numbered image by image, row by row.
struct PixelPlace {
  int64_t rows, cols;
  int64_t n, i, j;

  PixelPlace(int64_t height, int64_t width, int64_t pixel)
      : rows(height),
        cols(width),
        n(pixel / (height * width)),
        i(pixel / width % height),
        j(pixel % width) {}
  void next() {
    if (++j < cols) return;
    j = 0;
    if (++i < rows) return;
    i = 0;
    ++n;
  }
};

/// Where the pixels lie in images that hold more of them.
struct Strides {
  int64_t down, across;
  bool none() const { return down == 1 && across == 1; }
  /// Floats from a plane's begin, whose rows hold `width` pixels.
  int64_t offset(const PixelPlace& p, int64_t width) const {
    return (p.i * down * width + p.j * across) * 8;
  }
};

/// Whether a convolution with filters of kh x kw goes by pixels. One of `in` and `out` is x, the
/// other y.
inline bool takesPixels(const Conv2dParams& p, int64_t kh, int64_t kw, const TenonTensorView& in,
                        const TenonTensorView& out) {
  constexpr int64_t kFewest = 32;  // channels and pixels; fewer do not fill the panels
  return kh == 1 && kw == 1 && p.groups == 1 && p.padding[0] == 0 && p.padding[1] == 0 &&
         in.sizes[1] % 8 == 0 && out.sizes[1] % 8 == 0 && in.sizes[1] >= kFewest &&
         out.sizes[1] >= kFewest && in.sizes[0] * in.sizes[2] * in.sizes[3] >= kFewest &&
         out.sizes[0] * out.sizes[2] * out.sizes[3] >= kFewest;
}
/// Ahead of oneDNN's kernels (20) where the wide loops run, behind them elsewhere.
inline constexpr int32_t kPixelsFirst = 25, kPixelsLast = 15;
inline constexpr const char* kPixelsWant =
    "wants 1 x 1 filters without padding, one group, at least 32 channels in eights and 32 pixels";

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
