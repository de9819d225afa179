// SPDX-License-Identifier: Apache-2.0
// CPU kernel of "sum_squares": chunks of fixed length are summed as f64, in parallel, and their
// sums added in order. Dense in.
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr int64_t kChunk = 16384;

int64_t chunksOf(const TenonTensorView& x) { return (countOf(x) + kChunk - 1) / kChunk; }

/// Sum of squares; 8 sums side by side, so that the compiler may use vectors.
template <class T>
double squares(const T* x, int64_t n) {
  double sums[8] = {};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k)
      sums[k] += static_cast<double>(x[i + k]) * static_cast<double>(x[i + k]);
  for (int k = 0; i < n; ++i, ++k) sums[k] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

template <class T>
void sumChunks(const TenonKernelArgs* args, int64_t begin, int64_t end, double* sums) {
  int64_t first = 0;  // chunk number of the tensor's beginning
  for (int i = 0; i < args->inputCount && first < end; ++i) {
    const TenonTensorView& x = args->inputs[i];
    const int64_t count = countOf(x);
    for (int64_t c = 0, n = chunksOf(x); c < n; ++c) {
      const int64_t at = first + c;
      if (at < begin || at >= end) continue;
      const int64_t rest = count - c * kChunk;
      sums[at] = squares(dataOf<T>(x) + c * kChunk, rest < kChunk ? rest : kChunk);
    }
    first += chunksOf(x);
  }
}

template <class T>
int32_t run(const TenonKernelArgs* args) {
  int64_t chunks = 0;
  for (int i = 0; i < args->inputCount; ++i) chunks += chunksOf(args->inputs[i]);
  void* handle = nullptr;
  auto* sums = static_cast<double*>(
      args->host->takeWorkspace(static_cast<size_t>(chunks + 1) * sizeof(double), &handle));
  if (!sums) return TENON_OUT_OF_MEMORY;
  parallelFor(chunks, 2, [&](int64_t begin, int64_t end) { sumChunks<T>(args, begin, end, sums); });
  double total = 0;
  for (int64_t i = 0; i < chunks; ++i) total += sums[i];
  args->host->releaseWorkspace(handle);
  *dataOf<double>(args->outputs[0]) = total;
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {
    {"sum_squares", "chunked", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &run<float>},
    {"sum_squares", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr, &run<double>},
};

}  // namespace

KernelList cpuKernels_sum_squares();
KernelList cpuKernels_sum_squares() { return {kKernels, 2}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
