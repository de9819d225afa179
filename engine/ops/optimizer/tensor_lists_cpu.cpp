// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "scale_", "unscale_", "clip_" and "average_": dense tensors, changed in place.
#include "engine/ops/optimizer/tensor_chunks_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

template <class V>
int32_t runScale(const TenonKernelArgs* args) {
  const V factor = Scalars<V>{args}[0];
  forEachChunk(args, 1, [&](int group, int64_t, int64_t begin, int64_t end) {
    const Slice<V> x = sliceOf<V>(args, group);
    forEachLanes<V>(begin, end,
                    [&](int64_t i, int64_t n) { x.store(i, n, x.load(i, n) * factor); });
  });
  return TENON_OK;
}

template <class V>
bool anyNaN(V lanes) {
  using S = typename Lanes<V>::Scalar;
  S each[Lanes<V>::kCount];
  Lanes<V>::store(each, lanes);
  for (const S lane : each)
    if (lane != lane) return true;
  return false;
}

template <class V>
int32_t runUnscale(const TenonKernelArgs* args) {
  const V factor = Scalars<V>{args}[0];
  TenonKernelArgs rest = *args;  // in which the flag takes the place of the scalars
  ++rest.inputs;
  --rest.inputCount;
  bool found = false;
  forEachChunk(&rest, 1, [&](int group, int64_t, int64_t begin, int64_t end) {
    const Slice<V> x = sliceOf<V>(&rest, group);
    V trace = V(0);  // NaN from the first Inf or NaN on
    forEachLanes<V>(begin, end, [&](int64_t i, int64_t n) {
      const V value = x.load(i, n) * factor;
      trace = trace + value * V(0);
      x.store(i, n, value);
    });
    if (anyNaN(trace)) __atomic_store_n(&found, true, __ATOMIC_RELAXED);
  });
  if (found) *dataOf<typename Lanes<V>::Scalar>(rest.inputs[0]) = 1;
  return TENON_OK;
}

template <class V>
int32_t runClip(const TenonKernelArgs* args) {
  const V high = Scalars<V>{args}[0];
  const V low = -high;
  forEachChunk(args, 1, [&](int group, int64_t, int64_t begin, int64_t end) {
    const Slice<V> x = sliceOf<V>(args, group);
    forEachLanes<V>(begin, end, [&](int64_t i, int64_t n) {
      x.store(i, n, math::max(math::min(x.load(i, n), high), low));
    });
  });
  return TENON_OK;
}

/// Nearer to the value it is computed from that side, as torch.lerp does: a share of 1 is exact.
template <class V>
int32_t runAverage(const TenonKernelArgs* args) {
  const Scalars<V> scalars{args};
  const V share = scalars[0];
  const V rest = V(1) - share;
  const bool near = dataOf<typename Lanes<V>::Scalar>(args->inputs[0])[0] >= 0.5;
  forEachChunk(args, 2, [&](int group, int64_t, int64_t begin, int64_t end) {
    const Slice<V> average = sliceOf<V>(args, group);
    const Slice<V> value = sliceOf<V>(args, group + 1);
    forEachLanes<V>(begin, end, [&](int64_t i, int64_t n) {
      const V a = average.load(i, n);
      const V b = value.load(i, n);
      average.store(i, n, near ? b - (b - a) * rest : a + share * (b - a));
    });
  });
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"scale_", "simd", 10, kF32, nullptr, &runScale<Vec<float>>},
    {"scale_", "reference", 0, kF64, nullptr, &runScale<double>},
    {"unscale_", "simd", 10, kF32, nullptr, &runUnscale<Vec<float>>},
    {"unscale_", "reference", 0, kF64, nullptr, &runUnscale<double>},
    {"clip_", "simd", 10, kF32, nullptr, &runClip<Vec<float>>},
    {"clip_", "reference", 0, kF64, nullptr, &runClip<double>},
    {"average_", "simd", 10, kF32, nullptr, &runAverage<Vec<float>>},
    {"average_", "reference", 0, kF64, nullptr, &runAverage<double>},
};

}  // namespace

KernelList cpuKernels_tensor_lists();
KernelList cpuKernels_tensor_lists() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
