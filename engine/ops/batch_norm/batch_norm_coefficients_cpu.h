// SPDX-License-Identifier: Apache-2.0
// Per-channel numbers of batch norm, as the forward and the backward kernels must both compute them
// (the backward kernel repeats the forward arithmetic to find where a fused ReLU was positive).
#pragma once

#include <math.h>

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/simd.h"
#include "engine/ops/batch_norm/batch_norm_walk_cpu.h"

namespace tenon::cpu::TENON_CPU_LEVEL::batch_norm {

struct ChannelValues {
  const float* mean;
  const float* var;
  const float* gamma;  // null: 1
  const float* beta;   // null: 0
  double eps;
};

/// Of the channels in a group's lanes: y = (x - mean) * scale + beta.
struct Coefficients {
  V mean, scale, beta;
};

inline double rstdOf(const ChannelValues& v, int64_t channel) {
  return 1.0 / sqrt(static_cast<double>(v.var[channel]) + v.eps);
}

/// With pixels in lanes, the one channel's numbers in every lane. Lanes without a channel get
/// zeros, which keeps the padding of blocked tensors zero.
inline Coefficients coefficients(const Walk& walk, const ChannelValues& v, int64_t group) {
  float mean[kLanes] = {}, scale[kLanes] = {}, beta[kLanes] = {};
  const int64_t first = walk.firstChannel(group), width = walk.width(group);
  for (int64_t l = 0; l < kLanes; ++l) {
    if (walk.channelsInLanes() && l >= width) break;
    const int64_t channel = first + (walk.channelsInLanes() ? l : 0);
    const double gamma = v.gamma ? static_cast<double>(v.gamma[channel]) : 1.0;
    mean[l] = v.mean[channel];
    scale[l] = static_cast<float>(gamma * rstdOf(v, channel));
    beta[l] = v.beta ? v.beta[channel] : 0.0f;
  }
  return {V::load(mean), V::load(scale), V::load(beta)};
}

/// max(v, 0); NaN stays.
TENON_INLINE V positive(V v) { return select(v < V(0.0), V(0.0), v); }

inline uint8_t layoutWish(const TenonTensorView& x) {
  const bool blocked = x.layout == TENON_BLOCKED && x.blockAxis == 1 && x.blockSize == 8;
  return blocked ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS;
}

}  // namespace tenon::cpu::TENON_CPU_LEVEL::batch_norm
