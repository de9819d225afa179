// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "norm": powers of |x| added as f64. Any strides in, dense out.
#include "engine/backend/cpu/math.h"
#include "engine/ops/reduce/fold_cpu.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

template <class T>
struct Euclidean {
  using State = double;
  T* out;
  State start(int64_t) const { return 0; }
  void add(State& s, T x) const { s += static_cast<double>(x) * static_cast<double>(x); }
  void merge(State& s, const State& later) const { s += later; }
  void finish(int64_t r, const State& s) const { out[r] = static_cast<T>(__builtin_sqrt(s)); }
};

template <class T>
struct Extreme {
  using State = double;
  T* out;
  bool largest;
  State start(int64_t) const { return largest ? 0 : __builtin_inf(); }
  void add(State& s, T x) const {
    const double size = __builtin_fabs(static_cast<double>(x));
    s = largest ? math::max(s, size) : math::min(s, size);
  }
  void merge(State& s, const State& later) const {
    s = largest ? math::max(s, later) : math::min(s, later);
  }
  void finish(int64_t r, const State& s) const { out[r] = static_cast<T>(s); }
};

/// Order 0 counts what is not 0; order 1 adds sizes; the rest adds powers.
template <class T>
struct Powers {
  using State = double;
  T* out;
  double order;
  State start(int64_t) const { return 0; }
  void add(State& s, T x) const {
    const double size = __builtin_fabs(static_cast<double>(x));
    s += order == 1 ? size : order == 0 ? (size == 0 ? 0 : 1) : __builtin_pow(size, order);
  }
  void merge(State& s, const State& later) const { s += later; }
  void finish(int64_t r, const State& s) const {
    out[r] = static_cast<T>(order == 0 || order == 1 ? s : __builtin_pow(s, 1 / order));
  }
};

template <class T>
int32_t run(const TenonKernelArgs* args) {
  const auto* params = static_cast<const NormParams*>(args->params);
  const uint32_t axes = params->over.axes;
  T* out = dataOf<T>(args->outputs[0]);
  if (params->order == 2) return fold::overAxes<T>(args, axes, Euclidean<T>{out});
  if (__builtin_isinf(params->order))
    return fold::overAxes<T>(args, axes, Extreme<T>{out, params->order > 0});
  return fold::overAxes<T>(args, axes, Powers<T>{out, params->order});
}

constexpr TenonKernel kKernels[] = {
    {"norm", "fold", 10, TENON_DTYPE_BIT(TENON_F32), &askStrided, &run<float>},
    {"norm", "reference", 0, TENON_DTYPE_BIT(TENON_F64), &askStrided, &run<double>},
};

}  // namespace

KernelList cpuKernels_norm();
KernelList cpuKernels_norm() { return {kKernels, 2}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
