// SPDX-License-Identifier: Apache-2.0
// Gradient of the filters of 3 x 3 convolutions of stride 1, by Winograd's method (winograd_cpu.h).
//
// x and dy are blocked by 8, dw and db dense row-major. The sums over tiles are cut as
// panel_sums_cpu.h says; of each point they lie [O/16, C, 16].
#include <stdint.h>

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/conv2d/panel_sums_cpu.h"
#include "engine/ops/conv2d/winograd_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using namespace winograd;  // NOLINT: the file is about nothing else

constexpr int64_t kRowsAtOnce = 64;  // channels of x that a thread multiplies in one go

struct Problem {
  Images<const float> dy, x;
  Tiles tiles;
  const int64_t* padding;
  PanelSums sums;

  Problem(const TenonKernelArgs* args, const Conv2dGradParams& p)
      : dy(imagesOf(args->inputs[0])),
        x(imagesOf(args->inputs[1])),
        tiles(args->inputs[0].sizes[0], dy.h, dy.w),
        padding(p.conv.padding) {
    const int64_t panels = (dy.blocks + 1) / 2;
    sums = {kPoints, x.channels(), panels, tiles.count,
            pointStride(panels * x.channels() * kPanel)};
    sums.cut(kPoints * (x.channels() + dy.channels()));
  }

  // Floats of one point of a group: of x's tiles, of dy's.
  int64_t inputStride() const { return pointStride(sums.each * x.channels()); }
  int64_t gradStride() const { return pointStride(sums.each * sums.panels * kPanel); }
  int64_t roomOfGroup() const { return kPoints * (inputStride() + gradStride()); }
};

/// A dy A' of tiles [first, first + count) of a block of channels, into its half of a panel.
void transformGradients(const Problem& p, int64_t block, int64_t first, int64_t count, float* to) {
  const int64_t stride = p.gradStride();
  TilePlace place(p.tiles, first);
  for (int64_t i = 0; i < count; ++i, place.next(), to += kPanel) {
    V d[2][2];
    loadPixels<2>(p.dy.plane(place.n, block), p.dy.h, p.dy.w, 2 * place.i, 2 * place.j, d);
    V t[4][2];
#pragma GCC unroll 2
    for (int c = 0; c < 2; ++c) {
      t[0][c] = d[0][c];
      t[1][c] = d[0][c] + d[1][c];
      t[2][c] = d[0][c] - d[1][c];
      t[3][c] = -d[1][c];
    }
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) {
      float* row = to + r * 4 * stride;
      t[r][0].store(row);
      (t[r][0] + t[r][1]).store(row + stride);
      (t[r][0] - t[r][1]).store(row + 2 * stride);
      (-t[r][1]).store(row + 3 * stride);
    }
  }
}

void clearHalfPanel(const Problem& p, int64_t count, float* to) {
  for (int64_t point = 0; point < kPoints; ++point)
    for (int64_t i = 0; i < count; ++i) V(0.0).store(to + point * p.gradStride() + i * kPanel);
}

void addGroup(const Problem& p, const PositionGroup& g) {
  float* inputs = g.room;
  float* grads = g.room + kPoints * p.inputStride();
  g.forItems(p.x.blocks + p.sums.panels * 2, [&](int64_t item) {
    const int64_t block = item - p.x.blocks;
    if (block < 0)
      return transformInputs(p.x, p.tiles, p.padding, item, g.first, g.count,
                             inputs + item * g.count * kLanes, p.inputStride());
    float* half = grads + block / 2 * g.count * kPanel + block % 2 * kLanes;
    if (block < p.dy.blocks) return transformGradients(p, block, g.first, g.count, half);
    clearHalfPanel(p, g.count, half);
  });
  const int64_t rows = p.sums.rows;
  const int64_t parts = (rows + kRowsAtOnce - 1) / kRowsAtOnce;
  g.forItems(kPoints * parts, [&](int64_t item) {
    const int64_t point = item / parts, row = item % parts * kRowsAtOnce;
    multiplyRowBlocks({inputs + point * p.inputStride() + row * g.count, g.count * kLanes,
                       grads + point * p.gradStride(), g.count * kPanel,
                       g.sums + point * p.sums.sumStride + row * kPanel, rows * kPanel,
                       rows - row < kRowsAtOnce ? rows - row : kRowsAtOnce, g.count, p.sums.panels,
                       g.addsUp});
  });
}

/// G' m G of 8 output channels and one input channel: the 9 taps.
TENON_INLINE void filterOf(const float* m, int64_t stride, V (&taps)[9]) {
  const V half(0.5);
  V t[3][4];
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
    const V m1 = V::load(m + (4 + c) * stride), m2 = V::load(m + (8 + c) * stride);
    t[0][c] = V::load(m + c * stride) + half * (m1 + m2);
    t[1][c] = half * (m1 - m2);
    t[2][c] = half * (m1 + m2) + V::load(m + (12 + c) * stride);
  }
#pragma GCC unroll 3
  for (int r = 0; r < 3; ++r) {
    taps[r * 3] = t[r][0] + half * (t[r][1] + t[r][2]);
    taps[r * 3 + 1] = half * (t[r][1] - t[r][2]);
    taps[r * 3 + 2] = half * (t[r][1] + t[r][2]) + t[r][3];
  }
}

void storeFilters(const Problem& p, const float* sums, float* dw) {
  const int64_t filter = p.x.channels() * 9;
  parallelFor(p.dy.blocks * p.x.channels(), 128, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t block = item / p.x.channels(), c = item % p.x.channels();
      V taps[9];
      filterOf(sums + (block / 2 * p.x.channels() + c) * kPanel + block % 2 * kLanes,
               p.sums.sumStride, taps);
      alignas(32) float rows[kLanes * kLanes];
      for (int tap = 0; tap < 8; ++tap) taps[tap].store(rows + tap * kLanes);
      float* to = dw + block * kLanes * filter + c * 9;
      transpose8x8(reinterpret_cast<uint32_t*>(to), filter, reinterpret_cast<uint32_t*>(rows),
                   kLanes);
      taps[8].scatter(to + 8, filter);
    }
  });
}

void query(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const auto* p = static_cast<const Conv2dGradParams*>(args->params);
  const TenonTensorView& dy = args->inputs[0];
  const TenonTensorView& x = args->inputs[1];
  answer->inputs[0] = answer->inputs[1] = TENON_WISH_BLOCKED;
  const bool fits = p->size[0] == 3 && p->size[1] == 3 && takes(p->conv, x.sizes[1], dy.sizes[1]);
  if (fits && pays(dy.sizes[0], dy.sizes[2], dy.sizes[3], x.sizes[1], dy.sizes[1])) return;
  answer->supported = 0;
  answer->reason = kWants;
}

int32_t run(const TenonKernelArgs* args) {
  const auto* params = static_cast<const Conv2dGradParams*>(args->params);
  const Problem p(args, *params);
  if (params->bias)
    sumPixels(p.dy, args->inputs[0].sizes[0], static_cast<float*>(args->outputs[1].data));
  return sumPanels(
      *args, p.sums, p.roomOfGroup(), [&](const PositionGroup& g) { addGroup(p, g); },
      [&](const float* sums) {
        storeFilters(p, sums, static_cast<float*>(args->outputs[0].data));
      });
}

const TenonKernel kKernels[] = {
    {"conv2d_backward_weight", "winograd", 25, TENON_DTYPE_BIT(TENON_F32), &query, &run}};

}  // namespace

KernelList cpuKernels_conv2d_winograd_weight();
KernelList cpuKernels_conv2d_winograd_weight() { return {kKernels, 1}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
