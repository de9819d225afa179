// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "index_select" and "index_add" along an axis seen as outer x size x inner.
//
// Additions run in parallel over outer and inner, and over the indices in their order, so that the
// bits do not depend on the number of threads. Dense in and out. Selecting only moves elements and
// takes every type.
#include "engine/backend/cpu/axis.h"
#include "engine/backend/cpu/copy_elements.h"
#include "engine/backend/cpu/indices.h"
#include "engine/ops/index/index.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr int64_t kGrain = 16384;

const IndexParams& paramsOf(const TenonKernelArgs* args) {
  return *static_cast<const IndexParams*>(args->params);
}

int32_t runSelect(const TenonKernelArgs* args) {
  const TenonTensorView& x = args->inputs[0];
  const int axis = paramsOf(args).axis;
  const int32_t status = checkIndices(args, args->inputs[1], x.sizes[axis]);
  if (status != TENON_OK) return status;
  const AxisShape shape(x, axis);
  const int64_t count = args->inputs[1].sizes[0];
  const auto* index = dataOf<int64_t>(args->inputs[1]);
  const int64_t bytes = shape.inner * widthOf(x.dtype);
  const char* const from = static_cast<const char*>(x.data);
  char* const to = static_cast<char*>(args->outputs[0].data);
  parallelFor(shape.outer * count, 1 + kGrain / (bytes + 1), [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part)
      __builtin_memcpy(to + part * bytes,
                       from + (part / count * shape.size + index[part % count]) * bytes,
                       static_cast<size_t>(bytes));
  });
  return TENON_OK;
}

/// Adds the parts of one outer place, columns [first, last).
template <class T>
void addColumns(const TenonKernelArgs* args, const AxisShape& shape, int64_t outer, int64_t first,
                int64_t last) {
  const int64_t count = args->inputs[1].sizes[0];
  const auto* index = dataOf<int64_t>(args->inputs[1]);
  const T* src = dataOf<T>(args->inputs[0]) + outer * count * shape.inner;
  T* out = dataOf<T>(args->outputs[0]) + outer * shape.size * shape.inner;
  for (int64_t k = 0; k < count; ++k) {
    if (index[k] == paramsOf(args).skip) continue;
    T* to = out + index[k] * shape.inner;
    const T* from = src + k * shape.inner;
    for (int64_t i = first; i < last; ++i) to[i] += from[i];
  }
}

template <class T>
int32_t runAdd(const TenonKernelArgs* args) {
  const TenonTensorView& out = args->outputs[0];
  const AxisShape shape(out, paramsOf(args).axis);
  const int32_t status = checkIndices(args, args->inputs[1], shape.size);
  if (status != TENON_OK) return status;
  const bool hasX = args->inputCount > 2 && present(args->inputs[2]);
  parallelFor(countOf(out), kGrain, [&](int64_t begin, int64_t end) {
    T* to = dataOf<T>(out);
    const T* x = hasX ? dataOf<T>(args->inputs[2]) : nullptr;
    for (int64_t i = begin; i < end; ++i) to[i] = hasX ? x[i] : T(0);
  });
  const int64_t count = args->inputs[1].sizes[0];
  if (shape.outer > 1) {
    parallelFor(shape.outer, 1 + kGrain / (count * shape.inner + 1),
                [&](int64_t begin, int64_t end) {
                  for (; begin < end; ++begin) addColumns<T>(args, shape, begin, 0, shape.inner);
                });
  } else if (shape.outer == 1) {
    parallelFor(shape.inner, 1 + kGrain / (count + 1),
                [&](int64_t begin, int64_t end) { addColumns<T>(args, shape, 0, begin, end); });
  }
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {
    {"index_select", "rows", 10, kAnyType, nullptr, &runSelect},
    {"index_add", "rows", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &runAdd<float>},
    {"index_add", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr, &runAdd<double>},
    {"index_add", "reference", 0, TENON_DTYPE_BIT(TENON_I64), nullptr, &runAdd<uint64_t>},
    {"index_add", "reference", 0, TENON_DTYPE_BIT(TENON_I32), nullptr, &runAdd<uint32_t>},
};

}  // namespace

KernelList cpuKernels_index_rows();
KernelList cpuKernels_index_rows() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
