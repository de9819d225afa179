// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "resample" and its gradient along an axis seen as outer x size x inner.
//
// Dense in and out. Sums are in the type of the elements and in the order of the taps; the gradient
// adds in the order of the places, so that the bits do not depend on the number of threads.
#include "engine/backend/cpu/axis.h"
#include "engine/backend/cpu/message.h"
#include "engine/ops/resize/resize.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr int64_t kGrain = 16384;

/// The sparse matrix of a call: `out` rows of `taps` weights, each from a start on.
template <class T>
struct Table {
  int64_t out, taps;
  const T* weights;
  const int64_t* starts;

  explicit Table(const TenonKernelArgs* args)
      : out(args->inputs[1].sizes[0]),
        taps(args->inputs[1].sizes[1]),
        weights(dataOf<const T>(args->inputs[1])),
        starts(dataOf<const int64_t>(args->inputs[2])) {}

  int32_t check(const TenonKernelArgs* args, int64_t size) const {
    for (int64_t i = 0; i < out; ++i)
      if (starts[i] < 0 || starts[i] + taps > size)
        return fail(args, TENON_BAD_VALUE, "%lld elements from %lld on are outside 0 .. %lld",
                    static_cast<long long>(taps), static_cast<long long>(starts[i]),
                    static_cast<long long>(size - 1));
    return TENON_OK;
  }
};

template <class T>
int32_t runForward(const TenonKernelArgs* args) {
  const auto* p = static_cast<const ResampleParams*>(args->params);
  const AxisShape shape(args->inputs[0], p->axis);
  const Table<T> table(args);
  const int32_t status = table.check(args, shape.size);
  if (status != TENON_OK) return status;
  const T* x = dataOf<const T>(args->inputs[0]);
  T* y = dataOf<T>(args->outputs[0]);
  const int64_t inner = shape.inner;
  parallelFor(shape.outer * table.out, 1 + kGrain / (inner * table.taps + 1),
              [&](int64_t begin, int64_t end) {
                for (int64_t part = begin; part < end; ++part) {
                  const int64_t i = part % table.out;
                  const T* weights = table.weights + i * table.taps;
                  const T* from = x + (part / table.out * shape.size + table.starts[i]) * inner;
                  T* to = y + part * inner;
                  for (int64_t j = 0; j < inner; ++j) to[j] = T(0);
                  for (int64_t k = 0; k < table.taps; ++k)
                    for (int64_t j = 0; j < inner; ++j) to[j] += weights[k] * from[k * inner + j];
                }
              });
  return TENON_OK;
}

/// Gradient of one outer place, columns [first, last).
template <class T>
void backwardColumns(const Table<T>& table, const AxisShape& shape, const T* dy, T* dx,
                     int64_t first, int64_t last) {
  for (int64_t k = 0; k < shape.size; ++k)
    for (int64_t j = first; j < last; ++j) dx[k * shape.inner + j] = T(0);
  for (int64_t i = 0; i < table.out; ++i)
    for (int64_t k = 0; k < table.taps; ++k) {
      const T weight = table.weights[i * table.taps + k];
      T* to = dx + (table.starts[i] + k) * shape.inner;
      const T* from = dy + i * shape.inner;
      for (int64_t j = first; j < last; ++j) to[j] += weight * from[j];
    }
}

template <class T>
int32_t runBackward(const TenonKernelArgs* args) {
  const auto* p = static_cast<const ResampleParams*>(args->params);
  const AxisShape shape(args->outputs[0], p->axis);
  const Table<T> table(args);
  const int32_t status = table.check(args, shape.size);
  if (status != TENON_OK) return status;
  const T* dy = dataOf<const T>(args->inputs[0]);
  T* dx = dataOf<T>(args->outputs[0]);
  const int64_t work = table.out * table.taps + shape.size;
  if (shape.outer > 1) {
    parallelFor(shape.outer, 1 + kGrain / (work * shape.inner + 1),
                [&](int64_t begin, int64_t end) {
                  for (int64_t o = begin; o < end; ++o)
                    backwardColumns(table, shape, dy + o * table.out * shape.inner,
                                    dx + o * shape.size * shape.inner, 0, shape.inner);
                });
  } else if (shape.outer == 1) {
    parallelFor(shape.inner, 1 + kGrain / (work + 1), [&](int64_t begin, int64_t end) {
      backwardColumns(table, shape, dy, dx, begin, end);
    });
  }
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"resample", "rows", 10, kF32, nullptr, &runForward<float>},
    {"resample", "reference", 0, kF64, nullptr, &runForward<double>},
    {"resample_backward", "rows", 10, kF32, nullptr, &runBackward<float>},
    {"resample_backward", "reference", 0, kF64, nullptr, &runBackward<double>},
};

}  // namespace

KernelList cpuKernels_resize();
KernelList cpuKernels_resize() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
