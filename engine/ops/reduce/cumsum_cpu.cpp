// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "cumsum", row by row along an axis; f32 is added as f64, integers as i64. Dense in
// and out.
#include "engine/backend/cpu/axis.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

template <class T, class Sum, class Out>
int32_t run(const TenonKernelArgs* args) {
  const auto* params = static_cast<const CumsumParams*>(args->params);
  const AxisShape shape(args->inputs[0], params->axis);
  const T* x = dataOf<T>(args->inputs[0]);
  Out* out = dataOf<Out>(args->outputs[0]);
  forEachAxisRow(shape, [&](int64_t, int64_t start) {
    Sum sum = 0;
    for (int64_t i = 0; i < shape.size; ++i) {
      const int64_t at = start + (params->reverse ? shape.size - 1 - i : i) * shape.inner;
      sum += static_cast<Sum>(x[at]);
      out[at] = static_cast<Out>(sum);
    }
  });
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {
    {"cumsum", "rows", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &run<float, double, float>},
    {"cumsum", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr, &run<double, double, double>},
    {"cumsum", "reference", 0, TENON_DTYPE_BIT(TENON_I64), nullptr,
     &run<int64_t, uint64_t, int64_t>},
    {"cumsum", "reference", 0, TENON_DTYPE_BIT(TENON_I32), nullptr,
     &run<int32_t, uint64_t, int64_t>},
    {"cumsum", "reference", 0, TENON_DTYPE_BIT(TENON_I8), nullptr, &run<int8_t, uint64_t, int64_t>},
    {"cumsum", "reference", 0, TENON_DTYPE_BIT(TENON_U8) | TENON_DTYPE_BIT(TENON_BOOL), nullptr,
     &run<uint8_t, uint64_t, int64_t>},
};

}  // namespace

KernelList cpuKernels_cumsum();
KernelList cpuKernels_cumsum() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
