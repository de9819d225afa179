// SPDX-License-Identifier: Apache-2.0
// Gradient of the filters of 1 x 1 convolutions: dw [O, C] = sum over pixels of dy times x.
//
// x and dy are blocked by 8, dw and db dense row-major. dy is multiplied as it lies, its channels
// being the rows; x is brought into panels of 16 channels, a group of pixels at a time. The sums
// are cut as panel_sums_cpu.h says.
#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/panel_product.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/ops/conv2d/blocked_images_cpu.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/conv2d/panel_sums_cpu.h"
#include "engine/ops/conv2d/pixels_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using V = Vec<float>;
constexpr int64_t kLanes = kBlockWidth;
constexpr int64_t kPanel = kPanelWidth;
constexpr int64_t kRowsAtOnce = 64;  // channels of dy that a thread multiplies in one go

struct Problem {
  Images<const float> dy, x;
  Strides strides;  // of x
  PanelSums sums;   // [C/16, O, 16]

  Problem(const TenonKernelArgs* args, const Conv2dGradParams& p)
      : dy(imagesOf(args->inputs[0])),
        x(imagesOf(args->inputs[1])),
        strides{p.conv.stride[0], p.conv.stride[1]} {
    const int64_t panels = (x.blocks + 1) / 2;
    sums = {1, dy.channels(), panels, args->inputs[0].sizes[0] * dy.pixels(),
            panels * dy.channels() * kPanel};
    sums.cut(x.channels() + dy.channels());
  }
};

/// Pixels of a group of a block of channels of x, into half a panel; zero beyond C.
void packPixels(const Problem& p, int64_t block, const PositionGroup& g, float* to) {
  PixelPlace place(p.dy.h, p.dy.w, g.first);
  for (int64_t i = 0; i < g.count; ++i, place.next(), to += kPanel) {
    if (block < p.x.blocks) {
      V::load(p.x.plane(place.n, block) + p.strides.offset(place, p.x.w)).store(to);
    } else {
      V(0.0).store(to);
    }
  }
}

/// Adds the products of channels [row, row + rows) of dy with a group's pixels, image by image.
void multiplyRows(const Problem& p, const PositionGroup& g, int64_t row, int64_t rows) {
  const int64_t pixels = p.dy.pixels();
  PanelProduct product{nullptr,
                       pixels * kLanes,
                       g.room,
                       g.count * kPanel,
                       g.sums + row * kPanel,
                       p.sums.rows * kPanel,
                       rows,
                       0,
                       p.sums.panels,
                       g.addsUp};
  for (int64_t done = 0; done < g.count; done += product.depth) {
    const int64_t n = (g.first + done) / pixels, pixel = (g.first + done) % pixels;
    product.a = p.dy.plane(n, row / kLanes) + pixel * kLanes;
    product.b = g.room + done * kPanel;
    product.depth = pixels - pixel < g.count - done ? pixels - pixel : g.count - done;
    multiplyRowBlocks(product);
    product.accumulate = true;
  }
}

void addGroup(const Problem& p, const PositionGroup& g) {
  g.forItems(p.sums.panels * 2, [&](int64_t block) {
    packPixels(p, block, g, g.room + block / 2 * g.count * kPanel + block % 2 * kLanes);
  });
  const int64_t parts = (p.sums.rows + kRowsAtOnce - 1) / kRowsAtOnce;
  g.forItems(parts, [&](int64_t part) {
    const int64_t row = part * kRowsAtOnce, left = p.sums.rows - row;
    multiplyRows(p, g, row, left < kRowsAtOnce ? left : kRowsAtOnce);
  });
}

/// dw [O, C] of the sums [C/16, O, 16].
void storeFilters(const Problem& p, const float* sums, float* dw) {
  const int64_t channels = p.x.channels();
  parallelFor(p.sums.rows, 1 + 16384 / channels, [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; ++o)
      for (int64_t block = 0; block < p.x.blocks; ++block)
        V::load(sums + (block / 2 * p.sums.rows + o) * kPanel + block % 2 * kLanes)
            .store(dw + o * channels + block * kLanes);
  });
}

void query(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const auto* p = static_cast<const Conv2dGradParams*>(args->params);
  answer->inputs[0] = answer->inputs[1] = TENON_WISH_BLOCKED;
  if (takesPixels(p->conv, p->size[0], p->size[1], args->inputs[0], args->inputs[1])) return;
  answer->supported = 0;
  answer->reason = kPixelsWant;
}

int32_t run(const TenonKernelArgs* args) {
  const auto* params = static_cast<const Conv2dGradParams*>(args->params);
  const Problem p(args, *params);
  if (params->bias)
    sumPixels(p.dy, args->inputs[0].sizes[0], static_cast<float*>(args->outputs[1].data));
  return sumPanels(
      *args, p.sums, p.sums.each * p.sums.panels * kPanel,
      [&](const PositionGroup& g) { addGroup(p, g); },
      [&](const float* sums) {
        storeFilters(p, sums, static_cast<float*>(args->outputs[0].data));
      });
}

template <int32_t kPriority>
constexpr TenonKernel kKernels[] = {
    {"conv2d_backward_weight", "pixels", kPriority, TENON_DTYPE_BIT(TENON_F32), &query, &run}};

}  // namespace

KernelList cpuKernels_conv2d_1x1_weight();
KernelList cpuKernels_conv2d_1x1_weight() {
  return {wideProducts() ? kKernels<kPixelsFirst> : kKernels<kPixelsLast>, 1};
}

}  // namespace tenon::cpu::TENON_CPU_LEVEL
