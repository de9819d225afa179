// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "lamb_step": the step of a tensor depends on the norms of the whole tensor, so the
// moments are updated and the norms taken in a first pass, the parameters in a second.
//
// Squares are added up in the tensor's type over 1024 elements, then in f64, by chunks in order:
// the bits do not depend on threads. Dense tensors, changed in place.
#include "engine/ops/optimizer/optimizer.h"
#include "engine/ops/optimizer/tensor_chunks_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr int kGroup = 4;
constexpr int64_t kBlock = 1024;

/// Sums of squares of a chunk, or of a tensor.
struct Squares {
  double parameter;
  double step;
};
static_assert(kChunk == kLambChunk && sizeof(Squares) == kLambChunkBytes);

TENON_INLINE double sumOf(Vec<float> v) { return static_cast<double>(sumLanes(v)); }
TENON_INLINE double sumOf(double v) { return v; }

template <class V>
struct Lamb {
  V scale, decay, fresh1, beta2, fresh2, epsilon, invBias, invRoot;

  explicit Lamb(const TenonKernelArgs* args) {
    const Scalars<V> s{args};
    const bool maximize = static_cast<const StepFlags*>(args->params)->maximize != 0;
    scale = s[kRuleGradScale] * V(maximize ? -1.0 : 1.0);
    decay = s[kRuleDecay];
    fresh1 = s[kRuleOneMinusBeta1];
    beta2 = s[kRuleBeta2];
    fresh2 = s[kRuleOneMinusBeta2];
    epsilon = s[kRuleEpsilon];
    invBias = s[kLambInvBias1];
    invRoot = s[kRuleInvSqrtBias2];
  }
  TENON_INLINE V direction(V p, V m, V v) const {
    return m * invBias / (math::sqrt(v) * invRoot + epsilon) + decay * p;
  }
};

/// Updates the moments of [begin, end); lanes past the end are 0 and stay out of the sums.
template <class V>
Squares updateMoments(const Lamb<V>& rule, const TenonKernelArgs* args, int group, int64_t begin,
                      int64_t end) {
  const Slice<V> p = sliceOf<V>(args, group);
  const Slice<V> g = sliceOf<V>(args, group + 1);
  const Slice<V> m = sliceOf<V>(args, group + 2);
  const Slice<V> v = sliceOf<V>(args, group + 3);
  Squares sums{0, 0};
  for (int64_t block = begin; block < end; block += kBlock) {
    V parameters(0);
    V steps(0);
    forEachLanes<V>(block, block + kBlock < end ? block + kBlock : end, [&](int64_t i, int64_t n) {
      const V value = p.load(i, n);
      const V grad = g.load(i, n) * rule.scale;
      V mean = m.load(i, n);
      mean = mean + rule.fresh1 * (grad - mean);
      const V square = rule.beta2 * v.load(i, n) + rule.fresh2 * (grad * grad);
      m.store(i, n, mean);
      v.store(i, n, square);
      const V step = rule.direction(value, mean, square);
      parameters = parameters + value * value;
      steps = steps + step * step;
    });
    sums.parameter += sumOf(parameters);
    sums.step += sumOf(steps);
  }
  return sums;
}

template <class V>
double trustRatio(const Scalars<V>& scalars, const Squares* chunks, int64_t count) {
  Squares all{0, 0};
  for (int64_t i = 0; i < count; ++i) {
    all.parameter += chunks[i].parameter;
    all.step += chunks[i].step;
  }
  if (all.parameter == 0 || all.step == 0) return 1;
  const double lowest = scalars.number(kLambLowestNorm);
  const double highest = scalars.number(kLambHighestNorm);
  double norm = math::sqrt(all.parameter);
  if (norm > highest) norm = highest;
  if (norm < lowest) norm = lowest;
  return norm / math::sqrt(all.step);
}

template <class V>
void moveParameters(const Lamb<V>& rule, const TenonKernelArgs* args, const Squares* squares) {
  const Scalars<V> scalars{args};
  const double rate = scalars.number(kRuleRate);
  forEachChunk(args, kGroup, [&](int group, int64_t first, int64_t begin, int64_t end) {
    const Slice<V> p = sliceOf<V>(args, group);
    const Slice<V> m = sliceOf<V>(args, group + 2);
    const Slice<V> v = sliceOf<V>(args, group + 3);
    const V step(rate * trustRatio(scalars, squares + first, chunksOf(args->inputs[group])));
    forEachLanes<V>(begin, end, [&](int64_t i, int64_t n) {
      const V value = p.load(i, n);
      p.store(i, n, value - step * rule.direction(value, m.load(i, n), v.load(i, n)));
    });
  });
}

template <class V>
int32_t runLamb(const TenonKernelArgs* args) {
  void* handle = nullptr;
  const auto bytes = static_cast<size_t>(allChunks(args, kGroup) + 1) * sizeof(Squares);
  auto* squares = static_cast<Squares*>(args->host->takeWorkspace(bytes, &handle));
  if (!squares) return TENON_OUT_OF_MEMORY;
  const Lamb<V> rule(args);
  forEachChunk(args, kGroup, [&](int group, int64_t first, int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; at += kChunk)
      squares[first + at / kChunk] =
          updateMoments(rule, args, group, at, at + kChunk < end ? at + kChunk : end);
  });
  moveParameters(rule, args, squares);
  args->host->releaseWorkspace(handle);
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {
    {"lamb_step", "simd", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &runLamb<Vec<float>>},
    {"lamb_step", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr, &runLamb<double>},
};

}  // namespace

KernelList cpuKernels_lamb();
KernelList cpuKernels_lamb() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
