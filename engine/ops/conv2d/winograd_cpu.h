// SPDX-License-Identifier: Apache-2.0
// Winograd's minimal filtering F(2x2, 3x3) for 3 x 3 convolutions of stride 1: a tile of 2 x 2
// outputs, which reads 4 x 4 inputs, costs 16 multiplications a pair of channels instead of 36.
//
// With g the filter, d the inputs and m the products at 16 places, y = A' [(G g G') * (B' d B)] A
// (A. Lavin, S. Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016, section 4.1).
// The gradient of g is the transpose of that map: G' [sum over tiles of (A dy A') * (B' d B)] G.
// All constants are 0, 1 or 1/2, so f32 loses no more than in the direct sum (a test). What is not
// finite reaches every output of its tile.
//
// Images are blocked by 8. Of each of the 16 places ("points") the inputs of a group of T tiles lie
// [C/8, T, 8], the outputs in panels of 16 channels [O/16, T, 16]. T: tile, C and O: channels.
#pragma once

#include "engine/backend/cpu/panel_product.h"
#include "engine/backend/cpu/transpose.h"
#include "engine/ops/conv2d/blocked_images_cpu.h"
#include "engine/ops/conv2d/conv2d.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace winograd {

using V = Vec<float>;
inline constexpr int64_t kPoints = 16;
inline constexpr int64_t kLanes = kBlockWidth;
inline constexpr int64_t kPanel = kPanelWidth;

/// Floats from one point to the next: not a power of two, or all would meet in the same cache
/// lines.
inline int64_t pointStride(int64_t floats) { return floats + 32 + (floats / 32 % 2 == 0 ? 16 : 0); }

/// The tiles of a batch of images, numbered image by image, row by row.
struct Tiles {
  int64_t rows, cols;  // of an image
  int64_t count;

  Tiles(int64_t n, int64_t h, int64_t w)
      : rows((h + 1) / 2), cols((w + 1) / 2), count(n * rows * cols) {}
};

/// Walks tiles in their order without a division for each.
struct TilePlace {
  const Tiles& tiles;
  int64_t n, i, j;

  TilePlace(const Tiles& t, int64_t tile)
      : tiles(t), n(tile / (t.rows * t.cols)), i(tile / t.cols % t.rows), j(tile % t.cols) {}
  void next() {
    if (++j < tiles.cols) return;
    j = 0;
    if (++i < tiles.rows) return;
    i = 0;
    ++n;
  }
};

/// Whether the method does a convolution at all (its filters being 3 x 3).
inline bool takes(const Conv2dParams& p, int64_t inputs, int64_t outputs) {
  return p.groups == 1 && p.stride[0] == 1 && p.stride[1] == 1 && p.dilation[0] == 1 &&
         p.dilation[1] == 1 && p.padding[0] <= 2 && p.padding[1] <= 2 && inputs % kLanes == 0 &&
         outputs % kLanes == 0;
}
/// Whether it pays for outputs [n, O, h, w]: few channels spend their time on transforms, few tiles
/// on those of the filters, and small images on outputs that nobody wants.
inline bool pays(int64_t n, int64_t h, int64_t w, int64_t inputs, int64_t outputs) {
  const Tiles tiles(n, h, w);
  return inputs >= 32 && outputs >= 32 && tiles.count >= 64 && n * h * w >= 3 * tiles.count;
}
inline constexpr const char* kWants =
    "wants 3 x 3 filters, stride 1, one group, at least 32 channels and 64 tiles of 2 x 2";

/// Pixels [i, i + kSide) x [j, j + kSide) of a plane; zero outside of it.
template <int kSide>
TENON_INLINE void loadPixels(const float* plane, int64_t h, int64_t w, int64_t i, int64_t j,
                             V (&d)[kSide][kSide]) {
  if (i >= 0 && j >= 0 && i + kSide <= h && j + kSide <= w) {
    const float* from = plane + (i * w + j) * kLanes;
#pragma GCC unroll 4
    for (int r = 0; r < kSide; ++r)
#pragma GCC unroll 4
      for (int c = 0; c < kSide; ++c) d[r][c] = V::load(from + (r * w + c) * kLanes);
    return;
  }
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) {
      const bool inside = i + r >= 0 && i + r < h && j + c >= 0 && j + c < w;
      d[r][c] = inside ? V::load(plane + ((i + r) * w + j + c) * kLanes) : V(0.0);
    }
}

/// B' d B, point p = 4 * row + column at to + p * stride.
TENON_INLINE void storeInput(const V (&d)[4][4], float* to, int64_t stride) {
  V t[4][4];
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
    t[0][c] = d[0][c] - d[2][c];
    t[1][c] = d[1][c] + d[2][c];
    t[2][c] = d[2][c] - d[1][c];
    t[3][c] = d[1][c] - d[3][c];
  }
#pragma GCC unroll 4
  for (int r = 0; r < 4; ++r) {
    float* row = to + r * 4 * stride;
    (t[r][0] - t[r][2]).store(row);
    (t[r][1] + t[r][2]).store(row + stride);
    (t[r][2] - t[r][1]).store(row + 2 * stride);
    (t[r][1] - t[r][3]).store(row + 3 * stride);
  }
}

/// Asks for what the row of tiles below will read, two rows of two pixels, while this one is worked
/// on: the short rows of a group are more than processors foresee.
TENON_INLINE void prefetchBelow(const Images<const float>& x, const TilePlace& place,
                                const int64_t* padding, int64_t block) {
  const int64_t row = 2 * place.i - padding[0] + 4;
  if (row + 1 >= x.h) return;
  const float* from = x.plane(place.n, block) + (row * x.w + 2 * place.j) * kLanes;
  __builtin_prefetch(from);
  __builtin_prefetch(from + x.w * kLanes);
}

/// Transforms tiles [first, first + count) of a block of channels; `to` holds [count, 8] a point.
/// The first input of tile (i, j) is pixel (2 i - padding[0], 2 j - padding[1]).
inline void transformInputs(const Images<const float>& x, const Tiles& tiles,
                            const int64_t* padding, int64_t block, int64_t first, int64_t count,
                            float* to, int64_t stride) {
  TilePlace place(tiles, first);
  for (int64_t t = 0; t < count; ++t, place.next()) {
    V d[4][4];
    prefetchBelow(x, place, padding, block);
    loadPixels<4>(x.plane(place.n, block), x.h, x.w, 2 * place.i - padding[0],
                  2 * place.j - padding[1], d);
    storeInput(d, to + t * kLanes, stride);
  }
}

}  // namespace winograd
}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
