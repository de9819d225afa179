// SPDX-License-Identifier: Apache-2.0
// CPU kernels of drawing by weight; sums and times are f64. Dense in and out.
#include "engine/ops/multinomial/multinomial.h"

#include "engine/backend/cpu/message.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/views.h"
#include "engine/base/philox_wide.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

struct Rows {
  int64_t count;
  int64_t categories;
  int64_t samples;
  philox::Key key;
  uint64_t call;

  explicit Rows(const TenonKernelArgs* args)
      : samples(static_cast<const MultinomialParams*>(args->params)->samples),
        key{static_cast<uint32_t>(args->randomKey), static_cast<uint32_t>(args->randomKey >> 32)},
        call(args->randomCall) {
    const TenonTensorView& weights = args->inputs[0];
    count = weights.ndim == 2 ? weights.sizes[0] : 1;
    categories = weights.sizes[weights.ndim - 1];
  }
};

/// Fails, naming the row, if a weight is none or fewer than `least` categories can be drawn.
template <class T>
int32_t check(const TenonKernelArgs* args, const T* weights, const Rows& rows, int64_t least) {
  for (int64_t row = 0; row < rows.count; ++row) {
    int64_t possible = 0;
    for (int64_t c = 0; c < rows.categories; ++c) {
      const T w = weights[row * rows.categories + c];
      if (!(w >= 0 && w - w == 0))
        return fail(args, TENON_BAD_VALUE,
                    "a weight must be finite and not negative: row %lld, "
                    "category %lld is %g",
                    static_cast<long long>(row), static_cast<long long>(c), static_cast<double>(w));
      possible += w > 0 ? 1 : 0;
    }
    if (possible < least)
      return fail(args, TENON_BAD_VALUE, "row %lld has %lld weights above 0, wanted at least %lld",
                  static_cast<long long>(row), static_cast<long long>(possible),
                  static_cast<long long>(least));
  }
  return TENON_OK;
}

/// First place of ascending `sums` that is above x; the last place with a weight if none is.
int64_t placeOf(const double* sums, int64_t count, double x) {
  int64_t low = 0;
  int64_t high = count - 1;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (sums[middle] > x) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  while (low > 0 && sums[low - 1] == sums[low]) --low;
  return low;
}

template <class T>
int32_t draw(const TenonKernelArgs* args) {
  const Rows rows(args);
  const T* weights = dataOf<T>(args->inputs[0]);
  const int32_t status = check(args, weights, rows, 1);
  if (status != TENON_OK || rows.count == 0) return status;
  void* handle = nullptr;
  const auto bytes = static_cast<size_t>(rows.count * rows.categories) * sizeof(double);
  auto* sums = static_cast<double*>(args->host->takeWorkspace(bytes, &handle));
  if (!sums) return TENON_OUT_OF_MEMORY;
  parallelFor(rows.count, 1 + 4096 / rows.categories, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      double sum = 0;
      for (int64_t i = row * rows.categories; i < (row + 1) * rows.categories; ++i)
        sums[i] = sum += static_cast<double>(weights[i]);
    }
  });
  auto* out = dataOf<int64_t>(args->outputs[0]);
  parallelFor(rows.count * rows.samples, 256, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double* own = sums + i / rows.samples * rows.categories;
      const double u = philox::uniform01Double(rows.key, rows.call, static_cast<uint64_t>(i));
      out[i] = placeOf(own, rows.categories, u * own[rows.categories - 1]);
    }
  });
  args->host->releaseWorkspace(handle);
  return TENON_OK;
}

template <class T>
int32_t race(const TenonKernelArgs* args) {
  const Rows rows(args);
  const T* weights = dataOf<T>(args->inputs[0]);
  const int32_t status = check(args, weights, rows, rows.samples);
  if (status != TENON_OK) return status;
  auto* times = dataOf<double>(args->outputs[0]);
  parallelFor(rows.count * rows.categories, 256, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double e = philox::exponential(rows.key, rows.call, static_cast<uint64_t>(i));
      times[i] = weights[i] > 0 ? e / static_cast<double>(weights[i]) : __builtin_inf();
    }
  });
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"multinomial", "search", 10, kF32, nullptr, &draw<float>},
    {"multinomial", "reference", 0, kF64, nullptr, &draw<double>},
    {"multinomial_race", "race", 10, kF32, nullptr, &race<float>},
    {"multinomial_race", "reference", 0, kF64, nullptr, &race<double>},
};

}  // namespace

KernelList cpuKernels_multinomial();
KernelList cpuKernels_multinomial() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
