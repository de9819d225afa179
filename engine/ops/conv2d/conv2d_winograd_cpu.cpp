// SPDX-License-Identifier: Apache-2.0
// 3 x 3 convolutions of stride 1 and the gradients of their inputs, by Winograd's method
// (winograd_cpu.h). The gradient of the inputs is the same convolution of dy with turned filters.
//
// x and y are blocked by 8; the filters come dense row-major and are transformed on every call.
// Tiles go through in groups that stay in the second cache, each on one thread. An output is added
// up over its input channels in order, so its bits depend neither on groups nor on threads.
#include <stdint.h>

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/team_room.h"
#include "engine/backend/cpu/workspace.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/conv2d/winograd_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using namespace winograd;  // NOLINT: the file is about nothing else

/// y = x * filters, whichever of the two passes it is.
struct Problem {
  int64_t n;
  Images<const float> x;
  Images<float> y;
  const float* filters;
  int64_t outStep, inStep;  // floats from a filter to that of the next output, input channel
  bool turned;              // filters by half a turn
  const float* bias;        // [O] or null
  int64_t padding[2];

  int64_t inputs() const { return x.blocks * kLanes; }
  int64_t outputs() const { return y.blocks * kLanes; }
  int64_t panels() const { return (y.blocks + 1) / 2; }
  int64_t filterStride() const { return pointStride(panels() * inputs() * kPanel); }
};

Problem forwardProblem(const TenonKernelArgs* args) {
  const auto* p = static_cast<const Conv2dParams*>(args->params);
  const bool bias = args->inputCount > 2 && args->inputs[2].ndim >= 0;
  const Images<const float> x = imagesOf(args->inputs[0]);
  return {args->inputs[0].sizes[0],
          x,
          writtenImages(args->outputs[0]),
          static_cast<const float*>(args->inputs[1].data),
          x.blocks * kLanes * 9,
          9,
          false,
          bias ? static_cast<const float*>(args->inputs[2].data) : nullptr,
          {p->padding[0], p->padding[1]}};
}

Problem dataProblem(const TenonKernelArgs* args) {
  const Conv2dParams& p = static_cast<const Conv2dGradParams*>(args->params)->conv;
  const Images<float> dx = writtenImages(args->outputs[0]);
  return {args->inputs[0].sizes[0],
          imagesOf(args->inputs[0]),
          dx,
          static_cast<const float*>(args->inputs[1].data),
          9,
          dx.blocks * kLanes * 9,
          true,
          nullptr,
          {2 - p.padding[0], 2 - p.padding[1]}};
}

/// The 9 taps of 8 filters that lie `step` floats apart.
TENON_INLINE void loadFilters(const float* from, int64_t step, V (&taps)[9]) {
  alignas(32) float turned[kLanes * kLanes];
  transpose8x8(reinterpret_cast<uint32_t*>(turned), kLanes, reinterpret_cast<const uint32_t*>(from),
               step);
  for (int tap = 0; tap < 8; ++tap) taps[tap] = V::load(turned + tap * kLanes);
  taps[8] = V::gather(from + 8, step);
}

/// G g G' for 8 output channels and one input channel, point by point at to + p * stride.
void transformFilter(const Problem& p, const float* from, float* to, int64_t stride) {
  const V half(0.5);
  V taps[9];
  V g[3][3];
  loadFilters(from, p.outStep, taps);
  for (int tap = 0; tap < 9; ++tap) g[tap / 3][tap % 3] = taps[p.turned ? 8 - tap : tap];
  V t[4][3];
  for (int c = 0; c < 3; ++c) {
    const V outer = g[0][c] + g[2][c];
    t[0][c] = g[0][c];
    t[1][c] = half * (outer + g[1][c]);
    t[2][c] = half * (outer - g[1][c]);
    t[3][c] = g[2][c];
  }
  for (int r = 0; r < 4; ++r) {
    const V outer = t[r][0] + t[r][2];
    float* row = to + r * 4 * stride;
    t[r][0].store(row);
    (half * (outer + t[r][1])).store(row + stride);
    (half * (outer - t[r][1])).store(row + 2 * stride);
    t[r][2].store(row + 3 * stride);
  }
}

/// The filters from one input channel to the 16 outputs of a panel, zero beyond O.
void transformPanelRow(const Problem& p, int64_t panel, int64_t c, float* to) {
  float* place = to + (panel * p.inputs() + c) * kPanel;
  for (int64_t block = panel * 2; block < panel * 2 + 2; ++block, place += kLanes) {
    if (block < p.y.blocks) {
      transformFilter(p, p.filters + block * kLanes * p.outStep + c * p.inStep, place,
                      p.filterStride());
    } else {
      for (int64_t point = 0; point < kPoints; ++point)
        V(0.0).store(place + point * p.filterStride());
    }
  }
}

/// All filters: of each point [panels, C, 16].
void transformFilters(const Problem& p, float* to) {
  // Outputs side by side are read in longer runs, those far apart few at a time.
  const int64_t together = p.outStep < p.inStep ? 4 : 1;
  const int64_t groups = (p.panels() + together - 1) / together;
  parallelFor(groups * p.inputs(), 128 / together, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t first = item / p.inputs() * together;
      const int64_t last = first + together < p.panels() ? first + together : p.panels();
      for (int64_t panel = first; panel < last; ++panel)
        transformPanelRow(p, panel, item % p.inputs(), to);
    }
  });
}

/// A' m A of a tile of a block of channels, plus the bias, into the image.
TENON_INLINE void storeTile(const float* m, int64_t stride, V bias, float* plane, int64_t h,
                            int64_t w, int64_t i, int64_t j) {
  constexpr int64_t kAhead = 8;  // pixels; asked for to be written
  __builtin_prefetch(plane + (i * w + j + kAhead) * kLanes, 1);
  __builtin_prefetch(plane + ((i + 1) * w + j + kAhead) * kLanes, 1);
  V t[2][4];
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
    const V m1 = V::load(m + (4 + c) * stride), m2 = V::load(m + (8 + c) * stride);
    t[0][c] = V::load(m + c * stride) + m1 + m2;
    t[1][c] = m1 - m2 - V::load(m + (12 + c) * stride);
  }
#pragma GCC unroll 2
  for (int r = 0; r < 2; ++r) {
    if (i + r >= h) return;
    float* to = plane + ((i + r) * w + j) * kLanes;
    (t[r][0] + t[r][1] + t[r][2] + bias).store(to);
    if (j + 1 < w) (t[r][1] - t[r][2] - t[r][3] + bias).store(to + kLanes);
  }
}

/// How the tiles are cut, and the room that a group takes.
struct Groups {
  Tiles tiles;
  int64_t each;  // tiles
  int64_t inputStride, outputStride;

  explicit Groups(const Problem& p) : tiles(p.n, p.y.h, p.y.w) {
    constexpr int64_t kStep = 14;          // rows that the products take at once
    constexpr int64_t kNear = 128 * 1024;  // floats of a group: half of a second cache or less
    const int64_t steps = kNear / (kPoints * kStep * (p.inputs() + p.outputs()));
    const int64_t least = p.inputs() * p.outputs() > 128 * 128 ? 5 : 1;  // filters come from afar
    const int64_t most = kStep * (steps < least ? least : steps);
    const int64_t threads = threadCount();
    const int64_t rounds = (tiles.count + most * threads - 1) / (most * threads);
    each = (tiles.count + rounds * threads - 1) / (rounds * threads);
    inputStride = pointStride(each * p.inputs());
    outputStride = pointStride(each * p.panels() * kPanel);
  }
  int64_t count() const { return (tiles.count + each - 1) / each; }
  int64_t floats() const { return kPoints * (inputStride + outputStride); }
};

void transformOutputs(const Problem& p, const Groups& g, int64_t first, int64_t count,
                      const float* m) {
  for (int64_t block = 0; block < p.y.blocks; ++block) {
    const V bias = p.bias ? V::load(p.bias + block * kLanes) : V(0.0);
    const float* from = m + block / 2 * count * kPanel + block % 2 * kLanes;
    TilePlace place(g.tiles, first);
    for (int64_t t = 0; t < count; ++t, place.next())
      storeTile(from + t * kPanel, g.outputStride, bias, p.y.plane(place.n, block), p.y.h, p.y.w,
                2 * place.i, 2 * place.j);
  }
}

void runGroup(const Problem& p, const Groups& g, int64_t group, const float* filters, float* room) {
  const int64_t first = group * g.each;
  const int64_t count = g.tiles.count - first < g.each ? g.tiles.count - first : g.each;
  float* inputs = room;
  float* outputs = room + kPoints * g.inputStride;
  for (int64_t block = 0; block < p.x.blocks; ++block)
    transformInputs(p.x, g.tiles, p.padding, block, first, count, inputs + block * count * kLanes,
                    g.inputStride);
  for (int64_t point = 0; point < kPoints; ++point)
    multiplyDepthBlocks({inputs + point * g.inputStride, count * kLanes,
                         filters + point * p.filterStride(), p.inputs() * kPanel,
                         outputs + point * g.outputStride, count * kPanel, count, p.inputs(),
                         p.panels(), false});
  transformOutputs(p, g, first, count, outputs);
}

int32_t convolve(const TenonKernelArgs* args, const Problem& p) {
  const Workspace filters(*args->host, bytesFor<float>(kPoints * p.filterStride()));
  const Groups groups(p);
  const TeamRoom rooms(*args->host, groups.count(), groups.floats());
  if (!filters.as<float>() || !rooms.is()) return TENON_OUT_OF_MEMORY;
  transformFilters(p, filters.as<float>());
  parallelFor(groups.count(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group)
      runGroup(p, groups, group, filters.as<float>(), rooms.of(begin));
  });
  return TENON_OK;
}

void query(const TenonKernelArgs* args, const Conv2dParams& p, bool forward,
           TenonKernelQuery* answer) {
  const TenonTensorView& from = args->inputs[0];
  const TenonTensorView& w = args->inputs[1];
  const TenonTensorView& to = args->outputs[0];
  answer->inputs[0] = answer->outputs[0] = TENON_WISH_BLOCKED;
  answer->inputs[1] = TENON_WISH_CONTIGUOUS;
  if (forward) answer->inputs[2] = TENON_WISH_CONTIGUOUS;
  const bool fits = w.sizes[2] == 3 && w.sizes[3] == 3 && takes(p, from.sizes[1], to.sizes[1]);
  if (fits && pays(from.sizes[0], to.sizes[2], to.sizes[3], from.sizes[1], to.sizes[1])) return;
  answer->supported = 0;
  answer->reason = kWants;
}

void queryForward(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  query(args, *static_cast<const Conv2dParams*>(args->params), true, answer);
}
void queryData(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  query(args, static_cast<const Conv2dGradParams*>(args->params)->conv, false, answer);
}
int32_t forward(const TenonKernelArgs* args) { return convolve(args, forwardProblem(args)); }
int32_t data(const TenonKernelArgs* args) { return convolve(args, dataProblem(args)); }

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
const TenonKernel kKernels[] = {{"conv2d", "winograd", 25, kF32, &queryForward, &forward},
                                {"conv2d_backward_data", "winograd", 25, kF32, &queryData, &data}};

}  // namespace

KernelList cpuKernels_conv2d_winograd();
KernelList cpuKernels_conv2d_winograd() { return {kKernels, 2}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
