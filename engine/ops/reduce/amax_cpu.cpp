// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "amax" and "amin". Any strides in, dense out.
#include "engine/backend/cpu/math.h"
#include "engine/ops/reduce/fold_cpu.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

/// What every value of a type is not above (Most) or not below.
template <class T, bool Most>
T first() {
  if constexpr (T(0.5) != T(0)) {
    return static_cast<T>(Most ? -__builtin_inf() : __builtin_inf());
  } else if constexpr (T(-1) < T(0)) {
    constexpr T kLeast = static_cast<T>(uint64_t{1} << (sizeof(T) * 8 - 1));
    return Most ? kLeast : static_cast<T>(~kLeast);
  } else {
    return Most ? T(0) : static_cast<T>(~T(0));
  }
}

template <class T, bool Most>
struct Extreme {
  using State = T;
  T* out;
  State start(int64_t) const { return first<T, Most>(); }
  void add(State& s, T x) const { s = Most ? math::max(s, x) : math::min(s, x); }
  void merge(State& s, const State& later) const { add(s, later); }
  void finish(int64_t result, const State& s) const { out[result] = s; }
};

template <class T, bool Most>
int32_t run(const TenonKernelArgs* args) {
  const auto* params = static_cast<const ReduceParams*>(args->params);
  return fold::overAxes<T>(args, params->axes, Extreme<T, Most>{dataOf<T>(args->outputs[0])});
}

#define TENON_AMAX(T, number, name, priority)                                      \
  {"amax", name, priority, TENON_DTYPE_BIT(number), &askStrided, &run<T, true>}, { \
    "amin", name, priority, TENON_DTYPE_BIT(number), &askStrided, &run<T, false>   \
  }
constexpr TenonKernel kKernels[] = {
    TENON_AMAX(float, TENON_F32, "fold", 10),        TENON_AMAX(double, TENON_F64, "reference", 0),
    TENON_AMAX(int64_t, TENON_I64, "reference", 0),  TENON_AMAX(int32_t, TENON_I32, "reference", 0),
    TENON_AMAX(int8_t, TENON_I8, "reference", 0),    TENON_AMAX(uint8_t, TENON_U8, "reference", 0),
    TENON_AMAX(uint8_t, TENON_BOOL, "reference", 0),
};

}  // namespace

KernelList cpuKernels_amax();
KernelList cpuKernels_amax() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
