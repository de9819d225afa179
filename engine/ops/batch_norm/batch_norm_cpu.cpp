// SPDX-License-Identifier: Apache-2.0
// Batch norm forward kernels (SIMD, f32): blocked, dense images and matrices.
//
// Mean and variance are taken in one walk. In a segment deviations from a centre and their squares
// are added up in f32; the centre is the mean c of the segment's first k of n vectors. Whatever the
// data, k (c - mean)^2 <= n var, so with n <= 8 k the squares are at most 9 times what is left when
// they are corrected for c: 3 bits are lost at worst. Segments are merged in f64 in a fixed order
// (Chan, Golub, LeVeque 1979). So the result does not depend on threads. The output pass computes
// (x - mean) * scale + beta, in the opposite order: the cache still holds what was read last.
#include "engine/ops/batch_norm/batch_norm.h"

#include <math.h>

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/ops/batch_norm/batch_norm_coefficients_cpu.h"
#include "engine/ops/batch_norm/batch_norm_walk_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using namespace batch_norm;

constexpr int64_t kCentre = kSegment / 8;  // vectors that a segment's centre is the mean of

/// Count, mean and sum of squared deviations of each lane's channel.
struct Moments {
  double count = 0;
  double mean[kLanes] = {};
  double squares[kLanes] = {};

  void merge(double otherCount, const double* otherMean, const double* otherSquares) {
    if (otherCount == 0) return;
    const double all = count + otherCount;
    for (int64_t l = 0; l < kLanes; ++l) {
      const double delta = otherMean[l] - mean[l];
      mean[l] += delta * (otherCount / all);
      squares[l] += otherSquares[l] + delta * delta * (count * otherCount / all);
    }
    count = all;
  }
};

/// The lanes as f64; with pixels in lanes their sum in every place.
void widen(const Walk& walk, V lanes, double (&out)[kLanes]) {
  float values[kLanes];
  lanes.store(values);
  for (int64_t l = 0; l < kLanes; ++l) out[l] = values[l];
  if (walk.channelsInLanes()) return;
  const double sum = sumLanes(lanes);
  for (double& value : out) value = sum;
}

/// Values a lane's channel has in a segment.
double countOf(const Walk& walk, const Segment& s) {
  return static_cast<double>(walk.channelsInLanes() ? s.vectors : s.values());
}

/// Mean of the beginning of a segment.
TENON_INLINE V centreOf(const Walk& walk, Segment s, const float* x) {
  if (s.vectors > kCentre) {
    s.vectors = kCentre;
    s.lastWidth = s.width;
  }
  V sums[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  forVectors(s, [&](int k, int64_t at, int64_t width) { sums[k] = sums[k] + take(x + at, width); });
  V total = sumOf(sums);
  if (!walk.channelsInLanes()) total = V(static_cast<double>(sumLanes(total)));
  return total / V(countOf(walk, s));
}

/// Adds one segment to the moments.
TENON_INLINE void addSegment(const Walk& walk, const Segment& s, const float* x, Moments& to) {
  const double count = countOf(walk, s);
  const V centre = centreOf(walk, s, x);
  V offs[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  V squares[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  forVectors(s, [&](int k, int64_t at, int64_t width) {
    readAhead(s, x + at);
    const V off = take(x + at, width, centre) - centre;
    offs[k] = offs[k] + off;
    squares[k] = mulAdd(off, off, squares[k]);
  });
  float centres[kLanes];
  centre.store(centres);
  double means[kLanes], deviations[kLanes];
  widen(walk, sumOf(offs), means);
  widen(walk, sumOf(squares), deviations);
  for (int64_t l = 0; l < kLanes; ++l) {
    const double off = means[l] / count;
    means[l] = centres[l] + off;
    deviations[l] = __builtin_fmax(deviations[l] - off * off * count, 0.0);
  }
  to.merge(count, means, deviations);
}

Moments shardOf(const Walk& walk, int64_t group, int64_t shard, const float* x) {
  Moments own;
  for (int64_t s = walk.firstSegment(shard); s < walk.firstSegment(shard + 1); ++s)
    addSegment(walk, walk.segment(group, s), x, own);
  return own;
}

/// Mean and biased variance of a group's channels.
void finishGroup(const Walk& walk, int64_t group, const Moments& all, float* mean, float* var) {
  for (int64_t l = 0; l < walk.width(group); ++l) {
    mean[walk.firstChannel(group) + l] = static_cast<float>(all.mean[l]);
    var[walk.firstChannel(group) + l] = static_cast<float>(all.squares[l] / all.count);
  }
}

/// Mean and biased variance of every channel. @return false if there is no memory.
bool statistics(const TenonKernelArgs& args, const Walk& walk, const float* x, float* mean,
                float* var) {
  const int64_t shards = walk.shards();
  const auto bytes = static_cast<size_t>(walk.groups() * shards) * sizeof(Moments);
  void* handle = nullptr;
  auto* parts = static_cast<Moments*>(args.host->takeWorkspace(bytes, &handle));
  if (!parts) return false;
  parallelFor(walk.groups() * shards, walk.grain(walk.groups() * shards),
              [&](int64_t begin, int64_t end) {
                for (int64_t task = begin; task < end; ++task)
                  parts[task] = shardOf(walk, task / shards, task % shards, x);
              });
  for (int64_t group = 0; group < walk.groups(); ++group) {
    Moments all;
    for (int64_t s = 0; s < shards; ++s) {
      const Moments& part = parts[group * shards + s];
      all.merge(part.count, part.mean, part.squares);
    }
    finishGroup(walk, group, all, mean, var);
  }
  args.host->releaseWorkspace(handle);
  return true;
}

template <bool kRelu>
TENON_INLINE void applySegment(const Segment& s, const Coefficients& c, const float* x, float* y) {
  forVectors(s, [&](int, int64_t at, int64_t width) {
    V result = mulAdd(take(x + at, width) - c.mean, c.scale, c.beta);
    if constexpr (kRelu) result = positive(result);
    put(result, y + at, width);
  });
}

/// Statistics and results, each group by one thread.
template <bool kRelu>
void trainByGroup(const Walk& walk, const float* x, float* y, float* mean, float* var,
                  const ChannelValues& values) {
  parallelFor(walk.groups(), walk.grain(walk.groups()), [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      Moments all;
      for (int64_t shard = 0; shard < walk.shards(); ++shard) {
        const Moments part = shardOf(walk, group, shard, x);
        all.merge(part.count, part.mean, part.squares);
      }
      finishGroup(walk, group, all, mean, var);
      const Coefficients c = coefficients(walk, values, group);
      for (int64_t s = walk.segments() - 1; s >= 0; --s)
        applySegment<kRelu>(walk.segment(group, s), c, x, y);
    }
  });
}

template <bool kRelu>
void apply(const Walk& walk, const float* x, float* y, const ChannelValues& values) {
  const int64_t groups = walk.groups();
  // Segments of a run lie side by side, so tasks go image by image.
  parallelFor(walk.segments() * groups, walk.grain(walk.segments() * groups),
              [&](int64_t begin, int64_t end) {
                for (int64_t task = begin; task < end; ++task) {
                  const int64_t group = task % groups;
                  const Coefficients c = coefficients(walk, values, group);
                  applySegment<kRelu>(walk.segment(group, task / groups), c, x, y);
                }
              });
}

template <bool kRelu>
int32_t training(const TenonKernelArgs* args) {
  const Walk walk(args->inputs[0]);
  if (walk.channels() == 0) return TENON_OK;
  const auto* x = valuesOf<float>(args->inputs[0]);
  auto* mean = dataOf<float>(args->outputs[1]);
  auto* var = dataOf<float>(args->outputs[2]);
  auto* y = dataOf<float>(args->outputs[0]);
  const auto* p = static_cast<const BatchNormParams*>(args->params);
  const ChannelValues values = {mean, var, valuesOf<float>(args->inputs[1]),
                                valuesOf<float>(args->inputs[2]), p->eps};
  if (walk.byGroup()) {
    trainByGroup<kRelu>(walk, x, y, mean, var, values);
    return TENON_OK;
  }
  if (!statistics(*args, walk, x, mean, var)) return TENON_OUT_OF_MEMORY;
  apply<kRelu>(walk, x, y, values);
  return TENON_OK;
}

template <bool kRelu>
int32_t eval(const TenonKernelArgs* args) {
  const Walk walk(args->inputs[0]);
  if (walk.valuesPerChannel() * walk.channels() == 0) return TENON_OK;
  const auto* p = static_cast<const BatchNormParams*>(args->params);
  const ChannelValues values = {valuesOf<float>(args->inputs[3]), valuesOf<float>(args->inputs[4]),
                                valuesOf<float>(args->inputs[1]), valuesOf<float>(args->inputs[2]),
                                p->eps};
  apply<kRelu>(walk, valuesOf<float>(args->inputs[0]), dataOf<float>(args->outputs[0]), values);
  return TENON_OK;
}

void query(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const uint8_t wish = layoutWish(args->inputs[0]);
  for (int i = 0; i < args->inputCount; ++i) answer->inputs[i] = TENON_WISH_CONTIGUOUS;
  answer->inputs[0] = answer->outputs[0] = wish;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);

const TenonKernel kKernels[] = {
    {"batch_norm", "simd", 10, kF32, &query, &training<false>},
    {"batch_norm_relu", "simd", 10, kF32, &query, &training<true>},
    {"batch_norm_eval", "simd", 10, kF32, &query, &eval<false>},
    {"batch_norm_eval_relu", "simd", 10, kF32, &query, &eval<true>},
};

}  // namespace

KernelList cpuKernels_batch_norm();
KernelList cpuKernels_batch_norm() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
