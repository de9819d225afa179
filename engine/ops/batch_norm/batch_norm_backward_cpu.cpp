// SPDX-License-Identifier: Apache-2.0
// Batch norm backward kernel (SIMD, f32) and the update of running statistics.
//
// g = dy (zero where a fused ReLU was not positive), d = x - mean, M = values per channel:
//   dbeta = sum g, dgamma = rstd * sum g d,
//   dx = scale * (g - dbeta / M - d * rstd^2 * (sum g d) / M), with given statistics scale * g.
// Sums are kept in f32 within a segment and added in f64 in a fixed order.
#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/batch_norm/batch_norm_coefficients_cpu.h"
#include "engine/ops/batch_norm/batch_norm_walk_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using namespace batch_norm;

struct Sums {
  double g[kLanes];
  double gd[kLanes];
};

/// What the gradient subtracts, for the channels in a group's lanes.
struct Corrections {
  V shift;  // dbeta / M
  V slope;  // rstd^2 * (sum g d) / M
};

struct Backward {
  const TenonKernelArgs* args;
  Walk walk;
  const float* dy;
  const float* x;
  float* dx;
  float* dgamma;
  float* dbeta;
  ChannelValues values;
  bool fixed;
};

Backward backwardOf(const TenonKernelArgs* args) {
  const auto* p = static_cast<const BatchNormGradParams*>(args->params);
  return {args,
          Walk(args->inputs[1]),
          valuesOf<float>(args->inputs[0]),
          valuesOf<float>(args->inputs[1]),
          dataOf<float>(args->outputs[0]),
          dataOf<float>(args->outputs[1]),
          dataOf<float>(args->outputs[2]),
          {valuesOf<float>(args->inputs[4]), valuesOf<float>(args->inputs[5]),
           valuesOf<float>(args->inputs[2]), valuesOf<float>(args->inputs[3]), p->eps},
          p->fixed != 0};
}

/// dy where the forward output was positive.
template <bool kRelu>
TENON_INLINE V passed(V dy, V d, const Coefficients& c) {
  if constexpr (!kRelu) return dy;
  return select(mulAdd(d, c.scale, c.beta) > V(0.0), dy, V(0.0));
}

template <bool kRelu>
TENON_INLINE void addSegment(const Backward& b, const Segment& s, const Coefficients& c, Sums& to) {
  V g[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  V gd[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  forVectors(s, [&](int k, int64_t at, int64_t width) {
    readAhead(s, b.x + at);
    readAhead(s, b.dy + at);
    const V d = take(b.x + at, width) - c.mean;
    const V grad = passed<kRelu>(take(b.dy + at, width), d, c);
    g[k] = g[k] + grad;
    gd[k] = mulAdd(grad, d, gd[k]);
  });
  float lanes[2][kLanes];
  sumOf(g).store(lanes[0]);
  sumOf(gd).store(lanes[1]);
  for (int64_t l = 0; l < kLanes; ++l) {
    to.g[l] += lanes[0][l];
    to.gd[l] += lanes[1][l];
  }
}

/// Adds the shards of a group in order, writes its dgamma and dbeta, gives its corrections.
Corrections finishGroup(const Backward& b, int64_t group, const Sums* parts) {
  Sums all = {};
  for (int64_t s = 0; s < b.walk.shards(); ++s)
    for (int64_t l = 0; l < kLanes; ++l) {
      all.g[l] += parts[s].g[l];
      all.gd[l] += parts[s].gd[l];
    }
  if (!b.walk.channelsInLanes())
    for (int64_t l = 1; l < kLanes; ++l) {
      all.g[0] += all.g[l];
      all.gd[0] += all.gd[l];
    }
  const double values = static_cast<double>(b.walk.valuesPerChannel());
  float shift[kLanes] = {}, slope[kLanes] = {};
  for (int64_t l = 0; l < b.walk.width(group); ++l) {
    const int64_t channel = b.walk.firstChannel(group) + l;
    const double rstd = rstdOf(b.values, channel);
    b.dbeta[channel] = static_cast<float>(all.g[l]);
    b.dgamma[channel] = static_cast<float>(all.gd[l] * rstd);
    shift[l] = static_cast<float>(all.g[l] / values);
    slope[l] = static_cast<float>(all.gd[l] * rstd * rstd / values);
  }
  if (b.fixed) return {V(0.0), V(0.0)};
  if (b.walk.channelsInLanes()) return {V::load(shift), V::load(slope)};
  return {V(static_cast<double>(shift[0])), V(static_cast<double>(slope[0]))};
}

template <bool kRelu>
TENON_INLINE void writeSegment(const Backward& b, const Segment& s, const Coefficients& c,
                               const Corrections& k) {
  forVectors(s, [&](int, int64_t at, int64_t width) {
    const V d = take(b.x + at, width) - c.mean;
    const V grad = passed<kRelu>(take(b.dy + at, width), d, c);
    const V result = c.scale * (grad - k.shift - d * k.slope);
    put(result, b.dx + at, width);
  });
}

template <bool kRelu>
Sums shardOf(const Backward& b, int64_t group, int64_t shard, const Coefficients& c) {
  Sums own = {};
  for (int64_t s = b.walk.firstSegment(shard); s < b.walk.firstSegment(shard + 1); ++s)
    addSegment<kRelu>(b, b.walk.segment(group, s), c, own);
  return own;
}

/// Sums and results, each group by one thread; results in the opposite order, as the cache holds
/// what was read last.
template <bool kRelu>
void runByGroup(const Backward& b) {
  const int64_t groups = b.walk.groups(), shards = b.walk.shards();
  parallelFor(groups, b.walk.grain(groups), [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      const Coefficients c = coefficients(b.walk, b.values, group);
      Sums parts[kMostShards];
      for (int64_t s = 0; s < shards; ++s) parts[s] = shardOf<kRelu>(b, group, s, c);
      const Corrections k = finishGroup(b, group, parts);
      for (int64_t s = b.walk.segments() - 1; s >= 0; --s)
        writeSegment<kRelu>(b, b.walk.segment(group, s), c, k);
    }
  });
}

template <bool kRelu>
void run(const Backward& b, Sums* parts, Corrections* corrections) {
  const int64_t groups = b.walk.groups(), shards = b.walk.shards();
  parallelFor(groups * shards, b.walk.grain(groups * shards), [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t group = task / shards;
      parts[task] = shardOf<kRelu>(b, group, task % shards, coefficients(b.walk, b.values, group));
    }
  });
  for (int64_t group = 0; group < groups; ++group)
    corrections[group] = finishGroup(b, group, parts + group * shards);
  parallelFor(b.walk.segments() * groups, b.walk.grain(b.walk.segments() * groups),
              [&](int64_t begin, int64_t end) {
                for (int64_t task = begin; task < end; ++task) {
                  const int64_t group = task % groups;
                  writeSegment<kRelu>(b, b.walk.segment(group, task / groups),
                                      coefficients(b.walk, b.values, group), corrections[group]);
                }
              });
}

int32_t backward(const TenonKernelArgs* args) {
  const Backward b = backwardOf(args);
  if (b.walk.channels() == 0) return TENON_OK;
  if (b.walk.valuesPerChannel() == 0) {
    for (int64_t c = 0; c < b.walk.channels(); ++c) b.dgamma[c] = b.dbeta[c] = 0;
    return TENON_OK;
  }
  const bool relu = static_cast<const BatchNormGradParams*>(args->params)->relu != 0;
  if (b.walk.byGroup()) {
    relu ? runByGroup<true>(b) : runByGroup<false>(b);
    return TENON_OK;
  }
  const int64_t tasks = b.walk.groups() * b.walk.shards();
  const size_t bytes = static_cast<size_t>(b.walk.groups()) * sizeof(Corrections) +
                       static_cast<size_t>(tasks) * sizeof(Sums);
  void* handle = nullptr;
  auto* corrections = static_cast<Corrections*>(args->host->takeWorkspace(bytes, &handle));
  if (!corrections) return TENON_OUT_OF_MEMORY;
  auto* parts = reinterpret_cast<Sums*>(corrections + b.walk.groups());
  if (relu) {
    run<true>(b, parts, corrections);
  } else {
    run<false>(b, parts, corrections);
  }
  args->host->releaseWorkspace(handle);
  return TENON_OK;
}

void query(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const uint8_t wish = layoutWish(args->inputs[1]);
  for (int i = 0; i < args->inputCount; ++i) answer->inputs[i] = TENON_WISH_CONTIGUOUS;
  answer->inputs[0] = answer->inputs[1] = answer->outputs[0] = wish;
}

template <class T>
int32_t updateStats(const TenonKernelArgs* args) {
  const auto* p = static_cast<const BatchNormUpdateParams*>(args->params);
  T* runningMean = dataOf<T>(args->outputs[0]);
  T* runningVar = dataOf<T>(args->outputs[1]);
  const T* mean = valuesOf<T>(args->inputs[2]);
  const T* var = valuesOf<T>(args->inputs[3]);
  const T keep = static_cast<T>(1.0 - p->momentum), share = static_cast<T>(p->momentum);
  const double count = static_cast<double>(p->count);
  const T unbiased = static_cast<T>(count / (count - 1.0));
  for (int64_t c = 0; c < args->inputs[0].sizes[0]; ++c) {
    runningMean[c] = keep * runningMean[c] + share * mean[c];
    runningVar[c] = keep * runningVar[c] + share * (var[c] * unbiased);
  }
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

const TenonKernel kKernels[] = {
    {"batch_norm_backward", "simd", 10, kF32, &query, &backward},
    {"batch_norm_update_stats", "plain", 10, kF32, nullptr, &updateStats<float>},
    {"batch_norm_update_stats", "reference", 0, kF64, nullptr, &updateStats<double>},
};

}  // namespace

KernelList cpuKernels_batch_norm_backward();
KernelList cpuKernels_batch_norm_backward() {
  return {kKernels, sizeof kKernels / sizeof kKernels[0]};
}

}  // namespace tenon::cpu::TENON_CPU_LEVEL
