// SPDX-License-Identifier: Apache-2.0
// CPU kernels of rms_norm: rows in SIMD lanes for f32, plain loops for f64 (backend/cpu/rows.h).
//
// Tensors are dense; a row is the normalized trailing axes. dgamma is a sum over at most 16 fixed
// shards of rows, added in order, so that it does not depend on threads.
#include "engine/ops/rms_norm/rms_norm.h"

#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/rows.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr int64_t kMostShards = 16;
constexpr int64_t kGrain = 16384;

const RmsNormParams& paramsOf(const TenonKernelArgs* args) {
  return *static_cast<const RmsNormParams*>(args->params);
}

struct Rows {
  int64_t count = 1, width = 1;
  Rows(const TenonTensorView& x, const RmsNormParams& p) {
    for (int i = 0; i < x.ndim; ++i) (i < x.ndim - p.axes ? count : width) *= x.sizes[i];
  }
  int64_t shards() const { return count < kMostShards ? count : kMostShards; }
  int64_t first(int64_t shard) const { return shard * count / shards(); }
};

template <class T>
RowOf<T> rowAt(const TenonTensorView& v, int64_t at) {
  return {dataOf<T>(v) + at, 1};
}

template <class T>
int32_t runForward(const TenonKernelArgs* args) {
  using V = typename RowLanes<T>::Type;
  const RmsNormParams& p = paramsOf(args);
  const Rows rows(args->inputs[0], p);
  const TenonTensorView& gamma = args->inputs[1];
  parallelFor(rows.count, 1 + kGrain / rows.width, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto x = rowAt<const T>(args->inputs[0], i * rows.width);
      const auto y = rowAt<T>(args->outputs[0], i * rows.width);
      const T squares = rowSum(
          rows.width, [](V v) { return v * v; }, x);
      const double mean = static_cast<double>(squares) / static_cast<double>(rows.width);
      const double rstd = 1.0 / __builtin_sqrt(mean + p.eps);
      const V scale(rstd);
      if (present(gamma)) {
        rowMap(
            rows.width, [=](V v, V g) { return v * scale * g; }, y, x, rowAt<const T>(gamma, 0));
      } else {
        rowMap(
            rows.width, [=](V v) { return v * scale; }, y, x);
      }
      dataOf<T>(args->outputs[1])[i] = static_cast<T>(rstd);
    }
  });
  return TENON_OK;
}

/// dx of row i; adds its part to dgamma.
template <class T>
void backwardRow(const TenonKernelArgs* args, int64_t i, int64_t width, RowOf<T> dgamma) {
  using V = typename RowLanes<T>::Type;
  const auto dy = rowAt<const T>(args->inputs[0], i * width);
  const auto x = rowAt<const T>(args->inputs[1], i * width);
  const auto dx = rowAt<T>(args->outputs[0], i * width);
  const TenonTensorView& gamma = args->inputs[2];
  const V rstd(static_cast<double>(dataOf<T>(args->inputs[3])[i]));
  const RowOf<const T> sums{dgamma.at, 1};
  rowMap(
      width, [=](V sum, V g, V v) { return sum + g * (v * rstd); }, dgamma, sums, dy, x);
  const auto slopeOf = [=](T along) {
    return V(static_cast<double>(along) / static_cast<double>(width));
  };
  if (present(gamma)) {
    const auto factor = rowAt<const T>(gamma, 0);
    const V slope = slopeOf(rowSum(
        width, [=](V g, V v, V f) { return g * f * (v * rstd); }, dy, x, factor));
    rowMap(
        width, [=](V g, V v, V f) { return rstd * (g * f - v * rstd * slope); }, dx, dy, x, factor);
  } else {
    const V slope = slopeOf(rowSum(
        width, [=](V g, V v) { return g * (v * rstd); }, dy, x));
    rowMap(
        width, [=](V g, V v) { return rstd * (g - v * rstd * slope); }, dx, dy, x);
  }
}

template <class T>
int32_t runBackward(const TenonKernelArgs* args) {
  const Rows rows(args->inputs[1], paramsOf(args));
  const int64_t width = rows.width;
  void* handle = nullptr;
  const auto bytes = static_cast<size_t>(rows.shards() * width + 1) * sizeof(T);
  auto* parts = static_cast<T*>(args->host->takeWorkspace(bytes, &handle));
  if (!parts) return TENON_OUT_OF_MEMORY;
  const int64_t grain = rows.count * width < kGrain ? rows.shards() + 1 : 1;
  parallelFor(rows.shards(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      T* own = parts + s * width;
      for (int64_t j = 0; j < width; ++j) own[j] = T(0);
      for (int64_t i = rows.first(s); i < rows.first(s + 1); ++i)
        backwardRow<T>(args, i, width, {own, 1});
    }
  });
  T* dgamma = dataOf<T>(args->outputs[1]);
  for (int64_t j = 0; j < width; ++j) {
    T sum = 0;
    for (int64_t s = 0; s < rows.shards(); ++s) sum += parts[s * width + j];
    dgamma[j] = sum;
  }
  args->host->releaseWorkspace(handle);
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"rms_norm", "simd", 10, kF32, nullptr, &runForward<float>},
    {"rms_norm", "reference", 0, kF64, nullptr, &runForward<double>},
    {"rms_norm_backward", "simd", 10, kF32, nullptr, &runBackward<float>},
    {"rms_norm_backward", "reference", 0, kF64, nullptr, &runBackward<double>},
};

}  // namespace

KernelList cpuKernels_rms_norm();
KernelList cpuKernels_rms_norm() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
