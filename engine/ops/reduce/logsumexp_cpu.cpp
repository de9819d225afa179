// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "logsumexp", row by row along an axis. Dense in and out; sums are f32 in 8 fixed
// lanes (f64: one).
#include "engine/backend/cpu/axis.h"
#include "engine/backend/cpu/rows.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

template <class T>
T ofRow(RowOf<const T> x, int64_t size) {
  using V = typename RowLanes<T>::Type;
  if (size == 0) return -static_cast<T>(__builtin_inf());
  const T most = rowMax(x, size);
  const T shift = __builtin_isinf(most) ? T(0) : most;  // inf - inf would be NaN
  const V shifts(shift);
  return shift + math::log(rowSum(
                     size, [=](V v) { return math::exp(v - shifts); }, x));
}

template <class T>
int32_t run(const TenonKernelArgs* args) {
  const AxisShape shape(args->inputs[0], static_cast<const ReduceAxisParams*>(args->params)->axis);
  const T* x = dataOf<T>(args->inputs[0]);
  T* out = dataOf<T>(args->outputs[0]);
  forEachAxisRow(shape, [&](int64_t row, int64_t start) {
    out[row] = ofRow<T>({x + start, shape.inner}, shape.size);
  });
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {
    {"logsumexp", "simd", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &run<float>},
    {"logsumexp", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr, &run<double>},
};

}  // namespace

KernelList cpuKernels_logsumexp();
KernelList cpuKernels_logsumexp() { return {kKernels, 2}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
