// SPDX-License-Identifier: Apache-2.0
// Batch norm forward kernels (SIMD, f32): blocked, dense images and matrices.
//
// Mean and variance are taken in one walk: each segment is read twice while it is in the cache
// (sum, then deviations from that centre and their squares, in f32), and segments are merged in f64
// in a fixed order (Chan, Golub, LeVeque 1979). So the result has no cancellation and does not
// depend on threads. The output pass computes (x - mean) * scale + beta.
#include "engine/ops/batch_norm/batch_norm.h"

#include <math.h>

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/ops/batch_norm/batch_norm_coefficients_cpu.h"
#include "engine/ops/batch_norm/batch_norm_walk_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using namespace batch_norm;

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

/// Adds one segment to the moments. The first pass only finds a centre close to the mean; the
/// second sums deviations from it and their squares, and corrects both for what the centre is off.
TENON_INLINE void addSegment(const Walk& walk, const Segment& s, const float* x, Moments& to) {
  const auto count = static_cast<double>(walk.channelsInLanes() ? s.vectors : s.values());
  V sums[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  forVectors(s, [&](int k, int64_t at, int64_t width) { sums[k] = sums[k] + take(x + at, width); });
  V total = sumOf(sums);
  if (!walk.channelsInLanes()) total = V(static_cast<double>(sumLanes(total)));
  const V centre = total / V(count);
  V offs[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  V squares[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  forVectors(s, [&](int k, int64_t at, int64_t width) {
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
                for (int64_t task = begin; task < end; ++task) {
                  const int64_t shard = task % shards;
                  Moments own;
                  for (int64_t s = walk.firstSegment(shard); s < walk.firstSegment(shard + 1); ++s)
                    addSegment(walk, walk.segment(task / shards, s), x, own);
                  parts[task] = own;
                }
              });
  for (int64_t group = 0; group < walk.groups(); ++group) {
    Moments all;
    for (int64_t s = 0; s < shards; ++s) {
      const Moments& part = parts[group * shards + s];
      all.merge(part.count, part.mean, part.squares);
    }
    for (int64_t l = 0; l < walk.width(group); ++l) {
      mean[walk.firstChannel(group) + l] = static_cast<float>(all.mean[l]);
      var[walk.firstChannel(group) + l] = static_cast<float>(all.squares[l] / all.count);
    }
  }
  args.host->releaseWorkspace(handle);
  return true;
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
                  forVectors(walk.segment(group, task / groups),
                             [&](int, int64_t at, int64_t width) {
                               V result = mulAdd(take(x + at, width) - c.mean, c.scale, c.beta);
                               if constexpr (kRelu) result = positive(result);
                               put(result, y + at, width);
                             });
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
  if (!statistics(*args, walk, x, mean, var)) return TENON_OUT_OF_MEMORY;
  const auto* p = static_cast<const BatchNormParams*>(args->params);
  const ChannelValues values = {mean, var, valuesOf<float>(args->inputs[1]),
                                valuesOf<float>(args->inputs[2]), p->eps};
  apply<kRelu>(walk, x, dataOf<float>(args->outputs[0]), values);
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
