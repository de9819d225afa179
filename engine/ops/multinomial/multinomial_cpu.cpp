// SPDX-License-Identifier: Apache-2.0
// CPU kernels of drawing by weight; sums and times are f64. Dense in and out.
#include "engine/ops/multinomial/multinomial.h"

#include "engine/backend/cpu/earliest.h"
#include "engine/backend/cpu/message.h"
#include "engine/backend/cpu/random_walk.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

struct Rows {
  int64_t count;
  int64_t categories;
  int64_t samples;
  Draw numbers;

  explicit Rows(const TenonKernelArgs* args)
      : samples(static_cast<const MultinomialParams*>(args->params)->samples), numbers(args) {
    const TenonTensorView& weights = args->inputs[0];
    count = weights.ndim == 2 ? weights.sizes[0] : 1;
    categories = weights.sizes[weights.ndim - 1];
  }
};

/// What there is to know of a row before it is drawn from.
struct Weighed {
  int64_t wrong = -1;    // the first category whose weight is negative or not finite
  int64_t possible = 0;  // weights above 0
  double sum = 0;
};

bool finite(double x) { return x - x == 0; }

/// Sums the weights up to the first wrong one; `sums`, if there is room, gets the sum up to each.
template <class T>
Weighed weigh(const T* weights, int64_t categories, double* sums) {
  Weighed row;
  for (int64_t c = 0; c < categories; ++c) {
    const auto w = static_cast<double>(weights[c]);
    if (!(w >= 0 && finite(w))) {
      row.wrong = c;
      return row;
    }
    row.possible += w > 0 ? 1 : 0;
    row.sum += w;
    if (sums) sums[c] = row.sum;
  }
  return row;
}

/// Says what is wrong with a row from which fewer than `least` categories can be drawn.
template <class T>
int32_t refuseRow(const TenonKernelArgs* args, const T* weights, const Rows& rows, int64_t row,
                  int64_t least) {
  const T* own = weights + row * rows.categories;
  const Weighed found = weigh(own, rows.categories, nullptr);
  const auto number = static_cast<long long>(row);
  if (found.wrong >= 0)
    return fail(args, TENON_BAD_VALUE,
                "a weight must be finite and not negative: row %lld, category %lld is %g", number,
                static_cast<long long>(found.wrong), static_cast<double>(own[found.wrong]));
  if (found.possible < least)
    return fail(args, TENON_BAD_VALUE, "row %lld has %lld weights above 0, wanted at least %lld",
                number, static_cast<long long>(found.possible), static_cast<long long>(least));
  return fail(args, TENON_BAD_VALUE,
              "the weights of row %lld add up to more than f64 holds: scale them down", number);
}

int64_t rowsAtOnce(const Rows& rows) { return 1 + 4096 / rows.categories; }

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

/// Draws from ascending sums of each row.
void search(const Rows& rows, const double* sums, int64_t* out) {
  parallelFor(rows.count * rows.samples, 256, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double* own = sums + i / rows.samples * rows.categories;
      const double u =
          philox::uniform01Double(rows.numbers.key, rows.numbers.call, static_cast<uint64_t>(i));
      out[i] = placeOf(own, rows.categories, u * own[rows.categories - 1]);
    }
  });
}

template <class T>
int32_t draw(const TenonKernelArgs* args) {
  const Rows rows(args);
  if (rows.count == 0) return TENON_OK;
  const T* weights = dataOf<T>(args->inputs[0]);
  void* handle = nullptr;
  const auto bytes = static_cast<size_t>(rows.count * rows.categories) * sizeof(double);
  auto* sums = static_cast<double*>(args->host->takeWorkspace(bytes, &handle));
  if (!sums) return TENON_OUT_OF_MEMORY;
  Earliest wrong(rows.count);
  parallelFor(rows.count, rowsAtOnce(rows), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t at = row * rows.categories;
      const Weighed own = weigh(weights + at, rows.categories, sums + at);
      if (own.wrong >= 0 || own.possible < 1 || !finite(own.sum)) wrong.note(row);
    }
  });
  if (!wrong.found()) search(rows, sums, dataOf<int64_t>(args->outputs[0]));
  args->host->releaseWorkspace(handle);
  return wrong.found() ? refuseRow(args, weights, rows, wrong.place(), 1) : TENON_OK;
}

template <class T>
int32_t race(const TenonKernelArgs* args) {
  const Rows rows(args);
  const T* weights = dataOf<T>(args->inputs[0]);
  auto* times = dataOf<double>(args->outputs[0]);
  Earliest wrong(rows.count);
  parallelFor(rows.count, rowsAtOnce(rows), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t at = row * rows.categories;
      const Weighed own = weigh(weights + at, rows.categories, nullptr);
      if (own.wrong >= 0 || own.possible < rows.samples) wrong.note(row);
    }
  });
  if (wrong.found()) return refuseRow(args, weights, rows, wrong.place(), rows.samples);
  parallelFor(rows.count * rows.categories, 256, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double e =
          philox::exponential(rows.numbers.key, rows.numbers.call, static_cast<uint64_t>(i));
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
