// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "max", "min", "argmax", "argmin", "pick", "place" and "count_correct", row by row
// along an axis. Dense in, dense out.
#include "engine/backend/cpu/axis.h"
#include "engine/backend/cpu/indices.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

struct Greater {
  template <class T>
  static bool better(T x, T best) {
    return x > best || (x != x && best == best);  // the first NaN wins
  }
};
struct Less {
  template <class T>
  static bool better(T x, T best) {
    return x < best || (x != x && best == best);
  }
};

template <class Order, class T>
int64_t findBest(const T* x, int64_t size, int64_t stride) {
  int64_t best = 0;
  T value = x[0];
  for (int64_t i = 1; i < size; ++i) {
    if (!Order::better(x[i * stride], value)) continue;
    best = i;
    value = x[i * stride];
  }
  return best;
}

AxisShape shapeOf(const TenonKernelArgs* args) {
  return {args->inputs[0], static_cast<const ReduceAxisParams*>(args->params)->axis};
}

template <class Order, class T>
int32_t runExtreme(const TenonKernelArgs* args) {
  const AxisShape shape = shapeOf(args);
  const T* x = dataOf<T>(args->inputs[0]);
  T* values = dataOf<T>(args->outputs[0]);
  auto* indices = dataOf<int64_t>(args->outputs[1]);
  forEachAxisRow(shape, [&](int64_t row, int64_t start) {
    const int64_t best = findBest<Order>(x + start, shape.size, shape.inner);
    indices[row] = best;
    values[row] = x[start + best * shape.inner];
  });
  return TENON_OK;
}

template <class Order, class T>
int32_t runArg(const TenonKernelArgs* args) {
  const AxisShape shape = shapeOf(args);
  const T* x = dataOf<T>(args->inputs[0]);
  auto* indices = dataOf<int64_t>(args->outputs[0]);
  forEachAxisRow(shape, [&](int64_t row, int64_t start) {
    indices[row] = findBest<Order>(x + start, shape.size, shape.inner);
  });
  return TENON_OK;
}

template <class T>
int32_t runPick(const TenonKernelArgs* args) {
  const AxisShape shape(args->inputs[0], static_cast<const PickParams*>(args->params)->axis);
  const int32_t status = checkIndices(args, args->inputs[1], shape.size);
  if (status != TENON_OK) return status;
  const T* x = dataOf<T>(args->inputs[0]);
  const auto* indices = dataOf<int64_t>(args->inputs[1]);
  T* out = dataOf<T>(args->outputs[0]);
  forEachAxisRow(
      shape, [&](int64_t row, int64_t start) { out[row] = x[start + indices[row] * shape.inner]; });
  return TENON_OK;
}

template <class T>
int32_t runPlace(const TenonKernelArgs* args) {
  const AxisShape shape(args->outputs[0], static_cast<const PickParams*>(args->params)->axis);
  const int32_t status = checkIndices(args, args->inputs[1], shape.size);
  if (status != TENON_OK) return status;
  const T* values = dataOf<T>(args->inputs[0]);
  const auto* indices = dataOf<int64_t>(args->inputs[1]);
  T* out = dataOf<T>(args->outputs[0]);
  forEachAxisRow(shape, [&](int64_t row, int64_t start) {
    for (int64_t i = 0; i < shape.size; ++i) out[start + i * shape.inner] = T{};
    out[start + indices[row] * shape.inner] = values[row];
  });
  return TENON_OK;
}

template <class T>
int32_t runCountCorrect(const TenonKernelArgs* args) {
  const AxisShape shape(args->inputs[0], 1);
  const int64_t ignored = static_cast<const CountCorrectParams*>(args->params)->ignoreIndex;
  const T* x = dataOf<T>(args->inputs[0]);
  const auto* targets = dataOf<int64_t>(args->inputs[1]);
  int64_t correct = 0;  // a few thousand rows: not worth threads
  for (int64_t row = 0; row < shape.outer; ++row) {
    if (targets[row] == ignored) continue;
    correct += findBest<Greater>(x + row * shape.size, shape.size, 1) == targets[row] ? 1 : 0;
  }
  *dataOf<int64_t>(args->outputs[0]) = correct;
  return TENON_OK;
}

#define TENON_EXTREMES(T, number, name, priority)                                        \
  {"max", name, priority, TENON_DTYPE_BIT(number), nullptr, &runExtreme<Greater, T>},    \
      {"min", name, priority, TENON_DTYPE_BIT(number), nullptr, &runExtreme<Less, T>},   \
      {"argmax", name, priority, TENON_DTYPE_BIT(number), nullptr, &runArg<Greater, T>}, \
      {"argmin", name, priority, TENON_DTYPE_BIT(number), nullptr, &runArg<Less, T>},    \
      {"pick", name, priority, TENON_DTYPE_BIT(number), nullptr, &runPick<T>}, {         \
    "place", name, priority, TENON_DTYPE_BIT(number), nullptr, &runPlace<T>              \
  }
constexpr TenonKernel kKernels[] = {
    TENON_EXTREMES(float, TENON_F32, "rows", 10),
    TENON_EXTREMES(double, TENON_F64, "reference", 0),
    TENON_EXTREMES(int64_t, TENON_I64, "reference", 0),
    TENON_EXTREMES(int32_t, TENON_I32, "reference", 0),
    TENON_EXTREMES(int8_t, TENON_I8, "reference", 0),
    TENON_EXTREMES(uint8_t, TENON_U8, "reference", 0),
    TENON_EXTREMES(uint8_t, TENON_BOOL, "reference", 0),
    {"count_correct", "rows", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &runCountCorrect<float>},
    {"count_correct", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr,
     &runCountCorrect<double>},
};

}  // namespace

KernelList cpuKernels_extremes();
KernelList cpuKernels_extremes() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
