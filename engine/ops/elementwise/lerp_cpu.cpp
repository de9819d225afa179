// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "lerp" and "lerp_scalar". From the nearer end, so that weights 0 and 1 give the
// ends themselves. Layout and aliasing as in engine/backend/cpu/pointwise.h.
#include "engine/ops/elementwise/unary_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

template <class T>
int32_t runLerp(const TenonKernelArgs* args) {
  mapMixed(
      [](T a, T b, T weight) {
        const T way = b - a;
        return weight < T(0.5) ? a + weight * way : b - way * (T(1) - weight);
      },
      Operand<T>{args->outputs[0]}, Operand<T>{args->inputs[0]}, Operand<T>{args->inputs[1]},
      Operand<T>{args->inputs[2]});
  return TENON_OK;
}

template <class V>
int32_t runLerpScalar(const TenonKernelArgs* args) {
  using S = typename Lanes<V>::Scalar;
  const S number = static_cast<S>(static_cast<const ScalarParams*>(args->params)->value);
  const V weight(number), rest(S(1) - number);
  const auto map = [args](auto f) {
    mapBinary<V>(args->outputs[0], args->inputs[0], args->inputs[1], f);
  };
  if (number < S(0.5)) {
    map([weight](V a, V b) { return a + weight * (b - a); });
  } else {
    map([rest](V a, V b) { return b - (b - a) * rest; });
  }
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {
    {"lerp", "simd", 10, kF32, &askPointwise<true>, &runLerp<float>},
    {"lerp", "reference", 0, kF64, &askPointwise<true>, &runLerp<double>},
    {"lerp_scalar", "simd", 10, kF32, &askPointwise<true>, &runLerpScalar<Vec<float>>},
    {"lerp_scalar", "reference", 0, kF64, &askPointwise<true>, &runLerpScalar<double>},
};

}  // namespace

KernelList cpuKernels_lerp();
KernelList cpuKernels_lerp() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
