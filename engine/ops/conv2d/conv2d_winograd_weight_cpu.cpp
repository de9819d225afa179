// SPDX-License-Identifier: Apache-2.0
// Gradient of the filters of 3 x 3 convolutions of stride 1, by Winograd's method (winograd.h).
//
// x and dy are blocked by 8, dw and db dense row-major. Tiles go through in groups. Where the sums
// are small, the tiles are cut into at most 16 shards, whatever the thread count: each has sums of
// its own on one thread, added in order at the end. Where they are large there is one shard, and
// the threads share each group: its channel blocks first, then its points and channels. Either way
// a sum runs over tiles in order, so its bits depend neither on groups nor on threads.
#include <stdint.h>

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/workspace.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/conv2d/winograd.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using namespace winograd;  // NOLINT: the file is about nothing else

constexpr int64_t kRowsAtOnce = 64;  // channels of x that a thread multiplies in one go

struct Problem {
  Images<const float> dy, x;
  Tiles tiles;
  const int64_t* padding;
  int64_t shards, perShard;  // tiles of a shard
  int64_t each;              // tiles of a group

  Problem(const TenonKernelArgs* args, const Conv2dGradParams& p)
      : dy(imagesOf(args->inputs[0])),
        x(imagesOf(args->inputs[1])),
        tiles(args->inputs[0].sizes[0], dy.h, dy.w),
        padding(p.conv.padding) {
    constexpr int64_t kMostSums = 4 * 1024 * 1024;  // floats of all shards
    constexpr int64_t kTilesWorthIt = 128;
    const int64_t room = kMostSums / (kPoints * sumStride());
    const int64_t most = room < 4 ? 1 : room < 16 ? room : 16;
    const int64_t wanted = (tiles.count + kTilesWorthIt - 1) / kTilesWorthIt;
    perShard = (tiles.count + most - 1) / most;
    if (wanted < most) perShard = (tiles.count + wanted - 1) / wanted;
    shards = (tiles.count + perShard - 1) / perShard;
    // Floats of a group: those of a shard stay in one thread's second cache.
    const int64_t near = shards > 1 ? 160 * 1024 : 512 * 1024;
    const int64_t fit = near / (kPoints * (inputs() + outputs()));
    each = fit < 56 ? 56 : fit > 512 ? 512 : fit;
    if (each > perShard) each = perShard;
  }

  int64_t inputs() const { return x.blocks * kLanes; }
  int64_t outputs() const { return dy.blocks * kLanes; }
  int64_t panels() const { return (dy.blocks + 1) / 2; }
  // Floats of one point: of x's tiles, of dy's, of the sums [panels, C, 16].
  int64_t inputStride() const { return pointStride(each * inputs()); }
  int64_t gradStride() const { return pointStride(each * panels() * kPanel); }
  int64_t sumStride() const { return pointStride(panels() * inputs() * kPanel); }
  int64_t sumsOfShard() const { return kPoints * sumStride(); }
  int64_t roomOfGroup() const { return kPoints * (inputStride() + gradStride()); }
};

/// body(item) for all items, by the team or by the calling thread alone.
template <class Body>
void forItems(bool alone, int64_t items, Body&& body) {
  const auto work = [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) body(item);
  };
  if (alone) return work(0, items);
  parallelFor(items, 1, [&](int64_t begin, int64_t end) { work(begin, end); });
}

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

/// A group of tiles of a shard.
struct Group {
  int64_t first, count;
  float* inputs;  // their transforms
  float* grads;
  float* sums;  // the shard's
  bool addsUp;  // false: the sums hold nothing yet
  bool alone;   // on the calling thread
};

void transformGroup(const Problem& p, const Group& g) {
  forItems(g.alone, p.x.blocks + p.panels() * 2, [&](int64_t item) {
    const int64_t block = item - p.x.blocks;
    if (block < 0)
      return transformInputs(p.x, p.tiles, p.padding, item, g.first, g.count,
                             g.inputs + item * g.count * kLanes, p.inputStride());
    float* half = g.grads + block / 2 * g.count * kPanel + block % 2 * kLanes;
    if (block < p.dy.blocks) return transformGradients(p, block, g.first, g.count, half);
    clearHalfPanel(p, g.count, half);
  });
}

void multiplyGroup(const Problem& p, const Group& g) {
  const int64_t parts = (p.inputs() + kRowsAtOnce - 1) / kRowsAtOnce;
  forItems(g.alone, kPoints * parts, [&](int64_t item) {
    const int64_t point = item / parts, row = item % parts * kRowsAtOnce;
    const int64_t left = p.inputs() - row;
    multiplyRowBlocks({g.inputs + point * p.inputStride() + row * g.count, g.count * kLanes,
                       g.grads + point * p.gradStride(), g.count * kPanel,
                       g.sums + point * p.sumStride() + row * kPanel, p.inputs() * kPanel,
                       left < kRowsAtOnce ? left : kRowsAtOnce, g.count, p.panels(), g.addsUp});
  });
}

/// The sums of a shard.
void addShard(const Problem& p, int64_t shard, bool alone, float* sums, float* room) {
  const int64_t begin = shard * p.perShard;
  const int64_t end = begin + p.perShard < p.tiles.count ? begin + p.perShard : p.tiles.count;
  for (int64_t first = begin; first < end; first += p.each) {
    const int64_t count = end - first < p.each ? end - first : p.each;
    const Group group{first,
                      count,
                      room,
                      room + kPoints * p.inputStride(),
                      sums + shard * p.sumsOfShard(),
                      first > begin,
                      alone};
    transformGroup(p, group);
    multiplyGroup(p, group);
  }
}

int32_t addShards(const TenonKernelArgs* args, const Problem& p, float* sums) {
  int32_t status = TENON_OK;
  const auto work = [&](int64_t begin, int64_t end) {
    const Workspace room(*args->host, bytesFor<float>(p.roomOfGroup()));
    if (!room.as<float>()) return __atomic_store_n(&status, TENON_OUT_OF_MEMORY, __ATOMIC_RELAXED);
    for (int64_t shard = begin; shard < end; ++shard)
      addShard(p, shard, p.shards > 1, sums, room.as<float>());
  };
  if (p.shards == 1) {
    work(0, 1);
  } else {
    parallelFor(p.shards, 1, [&](int64_t begin, int64_t end) { work(begin, end); });
  }
  return status;
}

/// Adds the shards' sums to the first one's, in order.
void joinShards(const Problem& p, float* sums) {
  if (p.shards == 1) return;
  parallelFor(p.sumsOfShard() / kLanes, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * kLanes; i < end * kLanes; i += kLanes) {
      V sum = V::load(sums + i);
      for (int64_t s = 1; s < p.shards; ++s) sum = sum + V::load(sums + s * p.sumsOfShard() + i);
      sum.store(sums + i);
    }
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
  const int64_t filter = p.inputs() * 9;
  parallelFor(p.dy.blocks * p.inputs(), 128, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t block = item / p.inputs(), c = item % p.inputs();
      V taps[9];
      filterOf(sums + (block / 2 * p.inputs() + c) * kPanel + block % 2 * kLanes, p.sumStride(),
               taps);
      alignas(32) float rows[kLanes * kLanes];
      for (int tap = 0; tap < 8; ++tap) taps[tap].store(rows + tap * kLanes);
      float* to = dw + block * kLanes * filter + c * 9;
      transpose8x8(reinterpret_cast<uint32_t*>(to), filter, reinterpret_cast<uint32_t*>(rows),
                   kLanes);
      taps[8].scatter(to + 8, filter);
    }
  });
}

/// db: sums of dy over images and pixels.
void storeBias(const Problem& p, int64_t n, float* db) {
  const int64_t pixels = p.dy.h * p.dy.w;
  parallelFor(p.dy.blocks, 1 + 32768 / (n * pixels), [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      V sum(0.0);
      for (int64_t i = 0; i < n; ++i) {
        V image(0.0);
        const float* from = p.dy.plane(i, block);
        for (int64_t j = 0; j < pixels; ++j) image = image + V::load(from + j * kLanes);
        sum = sum + image;
      }
      sum.store(db + block * kLanes);
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
  const Workspace sums(*args->host, bytesFor<float>(p.shards * p.sumsOfShard()));
  if (!sums.as<float>()) return TENON_OUT_OF_MEMORY;
  if (const int32_t status = addShards(args, p, sums.as<float>()); status != TENON_OK)
    return status;
  joinShards(p, sums.as<float>());
  storeFilters(p, sums.as<float>(), static_cast<float*>(args->outputs[0].data));
  if (params->bias)
    storeBias(p, args->inputs[0].sizes[0], static_cast<float*>(args->outputs[1].data));
  return TENON_OK;
}

const TenonKernel kKernels[] = {
    {"conv2d_backward_weight", "winograd", 25, TENON_DTYPE_BIT(TENON_F32), &query, &run}};

}  // namespace

KernelList cpuKernels_conv2d_winograd_weight();
KernelList cpuKernels_conv2d_winograd_weight() { return {kKernels, 1}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
