// SPDX-License-Identifier: Apache-2.0
// 1 x 1 convolutions and the gradients of their inputs as products of pixels and filters.
//
// Images are blocked by 8, so the pixels of a block of channels are rows of a product as they lie
// (PanelProduct); with a stride, those wanted are gathered first. Filters come dense row-major and
// are packed in panels on every call. The gradient of the inputs is the same product with the roles
// of the channels changed. An output is added up over its input channels in order, so its bits do
// not depend on threads. Where the wide loops do not run, oneDNN's own kernels go first.
#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/panel_product.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/team_room.h"
#include "engine/backend/cpu/transpose.h"
#include "engine/backend/cpu/workspace.h"
#include "engine/ops/conv2d/blocked_images_cpu.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/conv2d/pixels_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using V = Vec<float>;
constexpr int64_t kLanes = kBlockWidth;
constexpr int64_t kPanel = kPanelWidth;
constexpr int64_t kPanelsAtOnce = 2;

/// y = x * filters over the pixels of the smaller images, whichever of the two passes it is.
struct Problem {
  int64_t n;
  Images<const float> x;
  Images<float> y;
  const float* filters;  // output o, input c at o * outStep + c * inStep, one of them 1
  int64_t outStep, inStep;
  const float* bias;  // [O] or null
  Strides xStrides, yStrides;
  int64_t rows, cols;  // of pixels that are worked on

  int64_t pixels() const { return rows * cols; }
  int64_t panels() const { return (y.blocks + 1) / 2; }
  bool gathers() const { return !xStrides.none(); }
};

Problem forwardProblem(const TenonKernelArgs* args) {
  const auto* p = static_cast<const Conv2dParams*>(args->params);
  const bool bias = args->inputCount > 2 && args->inputs[2].ndim >= 0;
  const Images<const float> x = imagesOf(args->inputs[0]);
  const Images<float> y = writtenImages(args->outputs[0]);
  return {args->inputs[0].sizes[0],
          x,
          y,
          static_cast<const float*>(args->inputs[1].data),
          x.channels(),
          1,
          bias ? static_cast<const float*>(args->inputs[2].data) : nullptr,
          {p->stride[0], p->stride[1]},
          {1, 1},
          y.h,
          y.w};
}

Problem dataProblem(const TenonKernelArgs* args) {
  const Conv2dParams& p = static_cast<const Conv2dGradParams*>(args->params)->conv;
  const Images<const float> dy = imagesOf(args->inputs[0]);
  const Images<float> dx = writtenImages(args->outputs[0]);
  return {args->inputs[0].sizes[0],
          dy,
          dx,
          static_cast<const float*>(args->inputs[1].data),
          1,
          dx.channels(),
          nullptr,
          {1, 1},
          {p.stride[0], p.stride[1]},
          dy.h,
          dy.w};
}

/// The filters from 8 input channels to 8 outputs as [8 inputs, 16], the outputs in half a panel.
void packBlock(const Problem& p, int64_t block, int64_t c, float* to) {
  const float* from = p.filters + block * kLanes * p.outStep + c * p.inStep;
  if (p.outStep == 1) {
    for (int64_t i = 0; i < kLanes; ++i) V::load(from + i * p.inStep).store(to + i * kPanel);
  } else {
    transpose8x8(reinterpret_cast<uint32_t*>(to), kPanel, reinterpret_cast<const uint32_t*>(from),
                 p.outStep);
  }
}

/// All filters as panels [C, 16], zero beyond O.
void packFilters(const Problem& p, float* to) {
  const int64_t blocks = p.panels() * 2;
  parallelFor(blocks * p.x.blocks, 64, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t block = item % blocks, c = item / blocks * kLanes;
      float* place = to + (block / 2 * p.x.channels() + c) * kPanel + block % 2 * kLanes;
      if (block < p.y.blocks) {
        packBlock(p, block, c, place);
      } else {
        for (int64_t i = 0; i < kLanes; ++i) V(0.0).store(place + i * kPanel);
      }
    }
  });
}

/// Pixels [first, first + count) of all images together, on one thread.
struct Group {
  int64_t first, count;
  float* gathered;  // [C/8, count, 8] if the problem gathers
  float* products;  // [2 panels, count, 16]
};

void gather(const Problem& p, const Group& g) {
  for (int64_t block = 0; block < p.x.blocks; ++block) {
    PixelPlace place(p.rows, p.cols, g.first);
    float* to = g.gathered + block * g.count * kLanes;
    for (int64_t i = 0; i < g.count; ++i, place.next())
      V::load(p.x.plane(place.n, block) + p.xStrides.offset(place, p.x.w)).store(to + i * kLanes);
  }
}

/// The products of a group with up to two panels from `panel` on.
void multiply(const Problem& p, const Group& g, const float* filters, int64_t panel) {
  const int64_t left = p.panels() - panel;
  PanelProduct product{g.gathered,
                       g.count * kLanes,
                       filters + panel * p.x.channels() * kPanel,
                       p.x.channels() * kPanel,
                       g.products,
                       g.count * kPanel,
                       g.count,
                       p.x.channels(),
                       left < kPanelsAtOnce ? left : kPanelsAtOnce,
                       false};
  if (p.gathers()) return multiplyDepthBlocks(product);
  product.aBlock = p.pixels() * kLanes;
  for (int64_t done = 0; done < g.count; done += product.rows) {
    const int64_t n = (g.first + done) / p.pixels(), pixel = (g.first + done) % p.pixels();
    const int64_t ofImage = p.pixels() - pixel;
    product.a = p.x.plane(n, 0) + pixel * kLanes;
    product.c = g.products + done * kPanel;
    product.rows = ofImage < g.count - done ? ofImage : g.count - done;
    multiplyDepthBlocks(product);
  }
}

/// Brings the products with up to two panels into the images.
void store(const Problem& p, const Group& g, int64_t panel) {
  const int64_t end = (panel + kPanelsAtOnce) * 2;
  for (int64_t block = panel * 2; block < (end < p.y.blocks ? end : p.y.blocks); ++block) {
    const V bias = p.bias ? V::load(p.bias + block * kLanes) : V(0.0);
    const float* from = g.products + (block / 2 - panel) * g.count * kPanel + block % 2 * kLanes;
    PixelPlace place(p.rows, p.cols, g.first);
    for (int64_t i = 0; i < g.count; ++i, place.next())
      (V::load(from + i * kPanel) + bias)
          .store(p.y.plane(place.n, block) + p.yStrides.offset(place, p.y.w));
  }
}

/// Pixels of a group: what it reads stays in the second cache.
int64_t groupSize(const Problem& p) {
  constexpr int64_t kStep = 14;         // rows that the products take at once
  constexpr int64_t kNear = 96 * 1024;  // floats
  const int64_t fit = kNear / p.x.channels() / kStep * kStep;
  const int64_t most = fit < 4 * kStep ? 4 * kStep : fit > 32 * kStep ? 32 * kStep : fit;
  const int64_t all = p.n * p.pixels(), threads = threadCount();
  const int64_t rounds = (all + most * threads - 1) / (most * threads);
  return (all + rounds * threads - 1) / (rounds * threads);
}

/// What a stride leaves out has no gradient.
void clearImages(const Problem& p) {
  const int64_t floats = p.y.pixels() * kLanes;
  parallelFor(p.n * p.y.blocks, 1 + 16384 / floats, [&](int64_t begin, int64_t end) {
    __builtin_memset(p.y.data + begin * floats, 0, bytesFor<float>((end - begin) * floats));
  });
}

int32_t convolve(const TenonKernelArgs* args, const Problem& p) {
  const int64_t each = groupSize(p), all = p.n * p.pixels();
  const int64_t groups = (all + each - 1) / each;
  const Workspace filters(*args->host, bytesFor<float>(p.panels() * p.x.channels() * kPanel));
  const TeamRoom rooms(*args->host, groups,
                       each * (kPanelsAtOnce * kPanel + (p.gathers() ? p.x.channels() : 0)));
  if (!filters.as<float>() || !rooms.is()) return TENON_OUT_OF_MEMORY;
  packFilters(p, filters.as<float>());
  if (!p.yStrides.none()) clearImages(p);
  parallelFor(groups, 1, [&](int64_t begin, int64_t end) {
    float* products = rooms.of(begin);
    float* gathered = products + each * kPanelsAtOnce * kPanel;
    for (int64_t first = begin * each; first < end * each && first < all; first += each) {
      const Group g{first, all - first < each ? all - first : each, gathered, products};
      if (p.gathers()) gather(p, g);
      for (int64_t panel = 0; panel < p.panels(); panel += kPanelsAtOnce) {
        multiply(p, g, filters.as<float>(), panel);
        store(p, g, panel);
      }
    }
  });
  return TENON_OK;
}

void query(const TenonKernelArgs* args, const Conv2dParams& p, TenonKernelQuery* answer) {
  const TenonTensorView& w = args->inputs[1];
  answer->inputs[0] = answer->outputs[0] = TENON_WISH_BLOCKED;
  answer->inputs[1] = TENON_WISH_CONTIGUOUS;
  answer->inputs[2] = TENON_WISH_CONTIGUOUS;
  if (takesPixels(p, w.sizes[2], w.sizes[3], args->inputs[0], args->outputs[0])) return;
  answer->supported = 0;
  answer->reason = kPixelsWant;
}

void queryForward(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  query(args, *static_cast<const Conv2dParams*>(args->params), answer);
}
void queryData(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  query(args, static_cast<const Conv2dGradParams*>(args->params)->conv, answer);
}
int32_t forward(const TenonKernelArgs* args) { return convolve(args, forwardProblem(args)); }
int32_t data(const TenonKernelArgs* args) { return convolve(args, dataProblem(args)); }

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
template <int32_t kPriority>
constexpr TenonKernel kKernels[] = {
    {"conv2d", "pixels", kPriority, kF32, &queryForward, &forward},
    {"conv2d_backward_data", "pixels", kPriority, kF32, &queryData, &data}};

}  // namespace

KernelList cpuKernels_conv2d_1x1();
KernelList cpuKernels_conv2d_1x1() {
  return {wideProducts() ? kKernels<kPixelsFirst> : kKernels<kPixelsLast>, 2};
}

}  // namespace tenon::cpu::TENON_CPU_LEVEL
