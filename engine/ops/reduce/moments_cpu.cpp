// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "var" and "std": the mean first, then the squared distances from it, both added as
// f64. Any strides in, dense out.
#include "engine/ops/reduce/fold_cpu.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

template <class T>
struct Mean {
  using State = double;
  double* means;
  double count;
  State start(int64_t) const { return 0; }
  void add(State& s, T x) const { s += static_cast<double>(x); }
  void merge(State& s, const State& later) const { s += later; }
  void finish(int64_t result, const State& s) const { means[result] = s / count; }
};

struct Distance {
  double mean;
  double squares;
};

template <class T, bool Root>
struct Variance {
  using State = Distance;
  const double* means;
  double divisor;
  T* out;
  State start(int64_t result) const { return {means[result], 0}; }
  void add(State& s, T x) const {
    const double d = static_cast<double>(x) - s.mean;
    s.squares += d * d;
  }
  void merge(State& s, const State& later) const { s.squares += later.squares; }
  void finish(int64_t result, const State& s) const {
    const double variance = s.squares / divisor;
    out[result] = static_cast<T>(Root ? __builtin_sqrt(variance) : variance);
  }
};

template <class T, bool Root>
int32_t run(const TenonKernelArgs* args) {
  const auto* params = static_cast<const MomentParams*>(args->params);
  const TenonTensorView& x = args->inputs[0];
  int64_t count = 1;
  for (int i = 0; i < x.ndim; ++i)
    if ((params->over.axes >> i) & 1u) count *= x.sizes[i];
  const auto n = static_cast<double>(count);
  void* handle = nullptr;
  const auto bytes = static_cast<size_t>(countOf(args->outputs[0]) + 1) * sizeof(double);
  auto* means = static_cast<double*>(args->host->takeWorkspace(bytes, &handle));
  if (!means) return TENON_OUT_OF_MEMORY;
  int32_t status = fold::overAxes<T>(args, params->over.axes, Mean<T>{means, n});
  const double divisor = n > params->correction ? n - params->correction : 0;
  if (status == TENON_OK)
    status = fold::overAxes<T>(args, params->over.axes,
                               Variance<T, Root>{means, divisor, dataOf<T>(args->outputs[0])});
  args->host->releaseWorkspace(handle);
  return status;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"var", "fold", 10, kF32, &askStrided, &run<float, false>},
    {"var", "reference", 0, kF64, &askStrided, &run<double, false>},
    {"std", "fold", 10, kF32, &askStrided, &run<float, true>},
    {"std", "reference", 0, kF64, &askStrided, &run<double, true>},
};

}  // namespace

KernelList cpuKernels_moments();
KernelList cpuKernels_moments() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
