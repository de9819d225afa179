// SPDX-License-Identifier: Apache-2.0
// CPU kernel of "sort": a merge sort of the places in each row along an axis, which keeps the order
// of equals. Dense in and out. (Written out, since code of the standard library would be shared
// between instruction levels.)
#include "engine/backend/cpu/axis.h"
#include "engine/ops/sort/sort.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

/// NaN is larger than everything.
template <class T, bool Descending>
bool before(T a, T b) {
  if (Descending) return a > b || (a != a && b == b);
  return a < b || (b != b && a == a);
}

/// Merges the ordered runs [begin, middle) and [middle, end) of `from` into `to`.
template <class T, bool Descending>
void merge(const T* x, int64_t stride, const int64_t* from, int64_t* to, const int64_t (&cut)[3]) {
  int64_t left = cut[0];
  int64_t right = cut[1];
  for (int64_t k = cut[0]; k < cut[2]; ++k) {
    const bool takeRight =
        right < cut[2] &&
        (left == cut[1] || before<T, Descending>(x[from[right] * stride], x[from[left] * stride]));
    to[k] = from[takeRight ? right++ : left++];
  }
}

/// Places of the row's elements in order; returns which of the two buffers holds them.
template <class T, bool Descending>
const int64_t* sortRow(const T* x, int64_t size, int64_t stride, int64_t* order, int64_t* spare) {
  for (int64_t i = 0; i < size; ++i) order[i] = i;
  for (int64_t run = 1; run < size; run *= 2) {
    for (int64_t begin = 0; begin < size; begin += 2 * run) {
      const int64_t middle = begin + run < size ? begin + run : size;
      const int64_t end = middle + run < size ? middle + run : size;
      merge<T, Descending>(x, stride, order, spare, {begin, middle, end});
    }
    int64_t* const swapped = order;
    order = spare;
    spare = swapped;
  }
  return order;
}

template <class T, bool Descending>
int32_t sortRows(const TenonKernelArgs* args) {
  const AxisShape shape(args->inputs[0], static_cast<const SortParams*>(args->params)->axis);
  const T* x = dataOf<T>(args->inputs[0]);
  T* values = dataOf<T>(args->outputs[0]);
  auto* indices = dataOf<int64_t>(args->outputs[1]);
  const int64_t count = shape.rows() * shape.size;
  if (count == 0) return TENON_OK;
  void* handle = nullptr;
  const auto bytes = static_cast<size_t>(2 * count) * sizeof(int64_t);
  auto* places = static_cast<int64_t*>(args->host->takeWorkspace(bytes, &handle));
  if (!places) return TENON_OUT_OF_MEMORY;
  forEachAxisRow(shape, [&](int64_t row, int64_t start) {
    int64_t* const own = places + 2 * row * shape.size;
    const int64_t* order =
        sortRow<T, Descending>(x + start, shape.size, shape.inner, own, own + shape.size);
    for (int64_t i = 0; i < shape.size; ++i) {
      indices[start + i * shape.inner] = order[i];
      values[start + i * shape.inner] = x[start + order[i] * shape.inner];
    }
  });
  args->host->releaseWorkspace(handle);
  return TENON_OK;
}

template <class T>
int32_t run(const TenonKernelArgs* args) {
  return static_cast<const SortParams*>(args->params)->descending ? sortRows<T, true>(args)
                                                                  : sortRows<T, false>(args);
}

constexpr TenonKernel kKernels[] = {
    {"sort", "merge", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &run<float>},
    {"sort", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr, &run<double>},
    {"sort", "reference", 0, TENON_DTYPE_BIT(TENON_I64), nullptr, &run<int64_t>},
    {"sort", "reference", 0, TENON_DTYPE_BIT(TENON_I32), nullptr, &run<int32_t>},
    {"sort", "reference", 0, TENON_DTYPE_BIT(TENON_I8), nullptr, &run<int8_t>},
    {"sort", "reference", 0, TENON_DTYPE_BIT(TENON_U8) | TENON_DTYPE_BIT(TENON_BOOL), nullptr,
     &run<uint8_t>},
};

}  // namespace

KernelList cpuKernels_sort();
KernelList cpuKernels_sort() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
