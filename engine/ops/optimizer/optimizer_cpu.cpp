// SPDX-License-Identifier: Apache-2.0
// CPU kernels of the fused optimizer steps: one pass over parameter, gradient and state, element by
// element, over all tensors of the list at once.
//
// Dense tensors, changed in place. Work is shared out in chunks of fixed length; no element depends
// on another, so the bits do not depend on threads.
#include "engine/ops/optimizer/optimizer.h"

#include "engine/backend/cpu/math.h"
#include "engine/backend/cpu/pointwise.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr int64_t kChunk = 16384;

int64_t chunksOf(const TenonTensorView& view) { return (countOf(view) + kChunk - 1) / kChunk; }

/// Calls body(input number of the group, begin, end) for chunks of all groups, in parallel.
template <class Body>
void forEachChunk(const TenonKernelArgs* args, int group, Body&& body) {
  int64_t total = 0;
  for (int i = 1; i + group <= args->inputCount; i += group) total += chunksOf(args->inputs[i]);
  parallelFor(total, 1, [&](int64_t begin, int64_t end) {
    int64_t first = 0;  // number of the group's first chunk
    for (int i = 1; i + group <= args->inputCount && first < end; i += group) {
      const int64_t count = countOf(args->inputs[i]);
      const int64_t chunks = chunksOf(args->inputs[i]);
      const int64_t from = begin > first ? begin - first : 0;
      const int64_t to = end - first < chunks ? end - first : chunks;
      if (from < to) body(i, from * kChunk, to * kChunk < count ? to * kChunk : count);
      first += chunks;
    }
  });
}

/// Lanes [i, i + n) of a tensor, loaded and stored; n < kCount only at the end.
template <class V>
struct Slice {
  using S = typename Lanes<V>::Scalar;
  S* at;
  V load(int64_t i, int64_t n) const {
    return n == Lanes<V>::kCount ? Lanes<V>::load(at + i) : Lanes<V>::gather(at + i, 1, n);
  }
  void store(int64_t i, int64_t n, V v) const {
    if (n == Lanes<V>::kCount) {
      Lanes<V>::store(at + i, v);
    } else {
      Lanes<V>::scatter(at + i, v, 1, n);
    }
  }
};

template <class V, class Step>
void forEachLanes(int64_t begin, int64_t end, Step&& step) {
  constexpr int64_t kCount = Lanes<V>::kCount;
  int64_t i = begin;
  for (; i + kCount <= end; i += kCount) step(i, kCount);
  if (i < end) step(i, end - i);
}

template <class V>
Slice<V> sliceOf(const TenonKernelArgs* args, int i) {
  return {dataOf<typename Lanes<V>::Scalar>(args->inputs[i])};
}

template <class V>
V scalarOf(const TenonKernelArgs* args, int place) {
  return V(dataOf<typename Lanes<V>::Scalar>(args->inputs[0])[place]);
}

template <class V, bool Momentum>
void sgdChunks(const TenonKernelArgs* args) {
  const auto& params = *static_cast<const SgdStepParams*>(args->params);
  const V rate = scalarOf<V>(args, kSgdLearningRate);
  const V decay = scalarOf<V>(args, kSgdWeightDecay);
  const V momentum = scalarOf<V>(args, kSgdMomentum);
  const V fresh = scalarOf<V>(args, kSgdOneMinusDampening);
  const V sign(params.maximize ? -1.0 : 1.0);
  const V scale = scalarOf<V>(args, kSgdGradScale) * sign;
  const bool first = dataOf<typename Lanes<V>::Scalar>(args->inputs[0])[kSgdFirstStep] != 0;
  forEachChunk(args, 3, [&](int group, int64_t begin, int64_t end) {
    const Slice<V> p = sliceOf<V>(args, group);
    const Slice<V> g = sliceOf<V>(args, group + 1);
    const Slice<V> b = sliceOf<V>(args, Momentum ? group + 2 : group);
    forEachLanes<V>(begin, end, [&](int64_t i, int64_t n) {
      const V old = p.load(i, n);
      V step = g.load(i, n) * scale + decay * old;
      if constexpr (Momentum) {
        const V buffer = first ? step : momentum * b.load(i, n) + fresh * step;
        b.store(i, n, buffer);
        step = params.nesterov ? step + momentum * buffer : buffer;
      }
      p.store(i, n, old - rate * step);
    });
  });
}

template <class V>
int32_t runSgd(const TenonKernelArgs* args) {
  if (static_cast<const SgdStepParams*>(args->params)->momentum) {
    sgdChunks<V, true>(args);
  } else {
    sgdChunks<V, false>(args);
  }
  return TENON_OK;
}

template <class V, bool Decoupled>
void adamChunks(const TenonKernelArgs* args) {
  const V stepSize = scalarOf<V>(args, kAdamStepSize);
  const V decay = scalarOf<V>(args, kAdamDecay);
  const V fresh1 = scalarOf<V>(args, kAdamOneMinusBeta1);
  const V beta2 = scalarOf<V>(args, kAdamBeta2);
  const V fresh2 = scalarOf<V>(args, kAdamOneMinusBeta2);
  const V epsilon = scalarOf<V>(args, kAdamEpsilon);
  const V invRoot = scalarOf<V>(args, kAdamInvSqrtBias2);
  const V sign(static_cast<const AdamStepParams*>(args->params)->maximize ? -1.0 : 1.0);
  const V scale = scalarOf<V>(args, kAdamGradScale) * sign;
  forEachChunk(args, 4, [&](int group, int64_t begin, int64_t end) {
    const Slice<V> p = sliceOf<V>(args, group);
    const Slice<V> g = sliceOf<V>(args, group + 1);
    const Slice<V> m = sliceOf<V>(args, group + 2);
    const Slice<V> v = sliceOf<V>(args, group + 3);
    forEachLanes<V>(begin, end, [&](int64_t i, int64_t n) {
      V value = p.load(i, n);
      V grad = g.load(i, n) * scale;
      if constexpr (Decoupled) {
        value = value * decay;
      } else {
        grad = grad + decay * value;
      }
      const V first = m.load(i, n);
      const V mean = first + fresh1 * (grad - first);
      const V square = beta2 * v.load(i, n) + fresh2 * (grad * grad);
      m.store(i, n, mean);
      v.store(i, n, square);
      p.store(i, n, value - stepSize * (mean / (math::sqrt(square) * invRoot + epsilon)));
    });
  });
}

template <class V>
int32_t runAdam(const TenonKernelArgs* args) {
  if (static_cast<const AdamStepParams*>(args->params)->decoupled) {
    adamChunks<V, true>(args);
  } else {
    adamChunks<V, false>(args);
  }
  return TENON_OK;
}

template <class V>
int32_t runScale(const TenonKernelArgs* args) {
  const V factor = scalarOf<V>(args, 0);
  forEachChunk(args, 1, [&](int group, int64_t begin, int64_t end) {
    const Slice<V> x = sliceOf<V>(args, group);
    forEachLanes<V>(begin, end,
                    [&](int64_t i, int64_t n) { x.store(i, n, x.load(i, n) * factor); });
  });
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"sgd_step", "simd", 10, kF32, nullptr, &runSgd<Vec<float>>},
    {"sgd_step", "reference", 0, kF64, nullptr, &runSgd<double>},
    {"adam_step", "simd", 10, kF32, nullptr, &runAdam<Vec<float>>},
    {"adam_step", "reference", 0, kF64, nullptr, &runAdam<double>},
    {"scale_", "simd", 10, kF32, nullptr, &runScale<Vec<float>>},
    {"scale_", "reference", 0, kF64, nullptr, &runScale<double>},
};

}  // namespace

KernelList cpuKernels_optimizer();
KernelList cpuKernels_optimizer() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
