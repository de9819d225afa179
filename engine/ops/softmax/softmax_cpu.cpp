// SPDX-License-Identifier: Apache-2.0
// CPU kernels of softmax, log-softmax and their gradients, row by row along the axis. Dense in and
// out; sums are f32 in 8 fixed lanes (f64: one).
#include "engine/ops/softmax/softmax.h"

#include "engine/backend/cpu/axis.h"
#include "engine/backend/cpu/rows.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

AxisShape shapeOf(const TenonKernelArgs* args) {
  return {args->inputs[0], static_cast<const AxisParams*>(args->params)->axis};
}

template <class T, bool Log>
int32_t runForward(const TenonKernelArgs* args) {
  using V = typename RowLanes<T>::Type;
  const AxisShape shape = shapeOf(args);
  const T* x = dataOf<T>(args->inputs[0]);
  T* y = dataOf<T>(args->outputs[0]);
  if (shape.size == 0) return TENON_OK;
  forEachAxisRow(shape, [&](int64_t, int64_t start) {
    const RowOf<const T> in{x + start, shape.inner};
    const RowOf<T> out{y + start, shape.inner};
    const V most(rowMax(in, shape.size));
    if constexpr (Log) {
      const T sum = rowSum(
          shape.size, [=](V v) { return math::expOrZero(v - most); }, in);
      const V logSum(math::log(sum));
      rowMap(
          shape.size, [=](V v) { return v - most - logSum; }, out, in);
    } else {
      Ahead<T> nextRow{x + start + shape.size};
      rowMap(
          shape.size,
          [=](V v) mutable {
            nextRow.next();
            return math::expOrZero(v - most);
          },
          out, in);
      const T sum = rowSum(
          shape.size, [](V v) { return v; }, RowOf<const T>{out.at, out.stride});
      const V factor(T(1) / sum);
      rowMap(
          shape.size, [=](V v) { return v * factor; }, out, RowOf<const T>{out.at, out.stride});
    }
  });
  return TENON_OK;
}

template <class T, bool Log>
int32_t runBackward(const TenonKernelArgs* args) {
  using V = typename RowLanes<T>::Type;
  const AxisShape shape = shapeOf(args);
  const T* dy = dataOf<T>(args->inputs[0]);
  const T* y = dataOf<T>(args->inputs[1]);
  T* dx = dataOf<T>(args->outputs[0]);
  forEachAxisRow(shape, [&](int64_t, int64_t start) {
    const RowOf<const T> grad{dy + start, shape.inner};
    const RowOf<const T> value{y + start, shape.inner};
    const RowOf<T> out{dx + start, shape.inner};
    if constexpr (Log) {
      const V sum(rowSum(
          shape.size, [](V g) { return g; }, grad));
      rowMap(
          shape.size, [=](V g, V v) { return g - math::expOrZero(v) * sum; }, out, grad, value);
    } else {
      const V sum(rowSum(
          shape.size, [](V g, V v) { return g * v; }, grad, value));
      rowMap(
          shape.size, [=](V g, V v) { return v * (g - sum); }, out, grad, value);
    }
  });
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"softmax", "simd", 10, kF32, nullptr, &runForward<float, false>},
    {"softmax", "reference", 0, kF64, nullptr, &runForward<double, false>},
    {"softmax_backward", "simd", 10, kF32, nullptr, &runBackward<float, false>},
    {"softmax_backward", "reference", 0, kF64, nullptr, &runBackward<double, false>},
    {"log_softmax", "simd", 10, kF32, nullptr, &runForward<float, true>},
    {"log_softmax", "reference", 0, kF64, nullptr, &runForward<double, true>},
    {"log_softmax_backward", "simd", 10, kF32, nullptr, &runBackward<float, true>},
    {"log_softmax_backward", "reference", 0, kF64, nullptr, &runBackward<double, true>},
};

}  // namespace

KernelList cpuKernels_softmax();
KernelList cpuKernels_softmax() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
