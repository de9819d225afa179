// SPDX-License-Identifier: Apache-2.0
// Layer norm kernels: SIMD along the rows for f32, plain loops for f64.
//
// Tensors are dense; a row is the normalized trailing axes. Mean and squared deviations are two
// passes over a row, each four vectors of partial sums. dgamma and dbeta are sums over at most 16
// fixed shards of rows, added in order, so they do not depend on threads.
#include "engine/ops/layer_norm/layer_norm.h"

#include <math.h>

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/tails.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

using V = Vec<float>;
constexpr int64_t kLanes = V::kLanes;
constexpr int64_t kMostShards = 16;

struct Rows {
  int64_t count, width;
  int64_t shards() const { return count < kMostShards ? count : kMostShards; }
  int64_t first(int64_t shard) const { return shard * count / shards(); }
};

Rows rowsOf(const TenonTensorView& x, const LayerNormParams& p) {
  Rows r = {1, 1};
  for (int i = 0; i < x.ndim; ++i) (i < x.ndim - p.axes ? r.count : r.width) *= x.sizes[i];
  return r;
}

const LayerNormParams& paramsOf(const TenonKernelArgs* args) {
  return *static_cast<const LayerNormParams*>(args->params);
}

/// Calls body(k, at, n) for the vectors of a row: n lanes from element `at`, k going round 0..3.
template <class Body>
TENON_INLINE void forVectors(int64_t width, Body&& body) {
  int64_t at = 0;
  for (; at + 4 * kLanes <= width; at += 4 * kLanes) {
    body(0, at, kLanes);
    body(1, at + kLanes, kLanes);
    body(2, at + 2 * kLanes, kLanes);
    body(3, at + 3 * kLanes, kLanes);
  }
  for (; at + kLanes <= width; at += kLanes) body(0, at, kLanes);
  if (at < width) body(0, at, width - at);
}

TENON_INLINE double total(const V (&parts)[4]) {
  return static_cast<double>(sumLanes((parts[0] + parts[1]) + (parts[2] + parts[3])));
}

void forwardRow(const float* x, const float* gamma, const float* beta, const Rows& r, double eps,
                float* y, float* meanOut, float* rstdOut) {
  const double width = static_cast<double>(r.width);
  V sums[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  forVectors(r.width, [&](int k, int64_t at, int64_t n) { sums[k] = sums[k] + take(x + at, n); });
  const double mean = total(sums) / width;
  const V centre(mean);
  V squares[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  forVectors(r.width, [&](int k, int64_t at, int64_t n) {
    const V off = firstLanes(take(x + at, n) - centre, n);
    squares[k] = mulAdd(off, off, squares[k]);
  });
  const double rstd = 1.0 / sqrt(total(squares) / width + eps);
  const V scale(rstd);
  forVectors(r.width, [&](int, int64_t at, int64_t n) {
    V value = (take(x + at, n) - centre) * scale;
    if (gamma) value = value * take(gamma + at, n);
    if (beta) value = value + take(beta + at, n);
    put(value, y + at, n);
  });
  *meanOut = static_cast<float>(mean);
  *rstdOut = static_cast<float>(rstd);
}

int32_t forward(const TenonKernelArgs* args) {
  const LayerNormParams& p = paramsOf(args);
  const Rows r = rowsOf(args->inputs[0], p);
  const auto* x = valuesOf<float>(args->inputs[0]);
  auto* y = dataOf<float>(args->outputs[0]);
  auto* mean = dataOf<float>(args->outputs[1]);
  auto* rstd = dataOf<float>(args->outputs[2]);
  parallelFor(r.count, 1 + 16384 / r.width, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      forwardRow(x + i * r.width, valuesOf<float>(args->inputs[1]),
                 valuesOf<float>(args->inputs[2]), r, p.eps, y + i * r.width, mean + i, rstd + i);
  });
  return TENON_OK;
}

/// dx of a row; adds the row to dgamma and dbeta.
void backwardRow(const float* dy, const float* x, const float* gamma, int64_t width, float mean,
                 float rstd, float* dx, float* dgamma, float* dbeta) {
  const V centre(static_cast<double>(mean)), scale(static_cast<double>(rstd));
  V plain[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  V along[4] = {V(0.0), V(0.0), V(0.0), V(0.0)};
  forVectors(width, [&](int k, int64_t at, int64_t n) {
    const V grad = take(dy + at, n);
    const V xhat = (take(x + at, n) - centre) * scale;
    put(mulAdd(grad, xhat, take(dgamma + at, n)), dgamma + at, n);
    put(take(dbeta + at, n) + grad, dbeta + at, n);
    const V g = gamma ? grad * take(gamma + at, n) : grad;
    plain[k] = plain[k] + g;
    along[k] = mulAdd(g, xhat, along[k]);  // g is zero in the lanes after the row's end
  });
  const V shift(total(plain) / static_cast<double>(width));
  const V slope(total(along) / static_cast<double>(width));
  forVectors(width, [&](int, int64_t at, int64_t n) {
    const V xhat = (take(x + at, n) - centre) * scale;
    const V g = gamma ? take(dy + at, n) * take(gamma + at, n) : take(dy + at, n);
    put(scale * (g - shift - xhat * slope), dx + at, n);
  });
}

int32_t backward(const TenonKernelArgs* args) {
  const Rows r = rowsOf(args->inputs[1], paramsOf(args));
  const int64_t width = r.width;
  void* handle = nullptr;
  const auto bytes = static_cast<size_t>(r.shards() * 2 * width) * sizeof(float);
  auto* parts = static_cast<float*>(args->host->takeWorkspace(bytes, &handle));
  if (!parts) return TENON_OUT_OF_MEMORY;
  const auto* dy = valuesOf<float>(args->inputs[0]);
  const auto* x = valuesOf<float>(args->inputs[1]);
  auto* dx = dataOf<float>(args->outputs[0]);
  const int64_t grain = r.count * width < 16384 ? r.shards() + 1 : 1;
  parallelFor(r.shards(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      float* own = parts + s * 2 * width;
      for (int64_t i = 0; i < 2 * width; ++i) own[i] = 0;
      for (int64_t i = r.first(s); i < r.first(s + 1); ++i)
        backwardRow(dy + i * width, x + i * width, valuesOf<float>(args->inputs[2]), width,
                    valuesOf<float>(args->inputs[3])[i], valuesOf<float>(args->inputs[4])[i],
                    dx + i * width, own, own + width);
    }
  });
  auto* dgamma = dataOf<float>(args->outputs[1]);
  auto* dbeta = dataOf<float>(args->outputs[2]);
  for (int64_t i = 0; i < width; ++i) {
    float g = 0, b = 0;
    for (int64_t s = 0; s < r.shards(); ++s) {
      g += parts[s * 2 * width + i];
      b += parts[(s * 2 + 1) * width + i];
    }
    dgamma[i] = g;
    dbeta[i] = b;
  }
  args->host->releaseWorkspace(handle);
  return TENON_OK;
}

int32_t referenceForward(const TenonKernelArgs* args) {
  const Rows r = rowsOf(args->inputs[0], paramsOf(args));
  const double* gamma = valuesOf<double>(args->inputs[1]);
  const double* beta = valuesOf<double>(args->inputs[2]);
  const auto width = static_cast<double>(r.width);
  for (int64_t i = 0; i < r.count; ++i) {
    const double* x = valuesOf<double>(args->inputs[0]) + i * r.width;
    double* y = dataOf<double>(args->outputs[0]) + i * r.width;
    double sum = 0, squares = 0;
    for (int64_t j = 0; j < r.width; ++j) sum += x[j];
    const double mean = sum / width;
    for (int64_t j = 0; j < r.width; ++j) squares += (x[j] - mean) * (x[j] - mean);
    const double rstd = 1.0 / sqrt(squares / width + paramsOf(args).eps);
    for (int64_t j = 0; j < r.width; ++j)
      y[j] = (x[j] - mean) * rstd * (gamma ? gamma[j] : 1.0) + (beta ? beta[j] : 0.0);
    dataOf<double>(args->outputs[1])[i] = mean;
    dataOf<double>(args->outputs[2])[i] = rstd;
  }
  return TENON_OK;
}

int32_t referenceBackward(const TenonKernelArgs* args) {
  const Rows r = rowsOf(args->inputs[1], paramsOf(args));
  const double* gamma = valuesOf<double>(args->inputs[2]);
  double* dgamma = dataOf<double>(args->outputs[1]);
  double* dbeta = dataOf<double>(args->outputs[2]);
  for (int64_t j = 0; j < r.width; ++j) dgamma[j] = dbeta[j] = 0;
  for (int64_t i = 0; i < r.count; ++i) {
    const double* dy = valuesOf<double>(args->inputs[0]) + i * r.width;
    const double* x = valuesOf<double>(args->inputs[1]) + i * r.width;
    double* dx = dataOf<double>(args->outputs[0]) + i * r.width;
    const double mean = valuesOf<double>(args->inputs[3])[i];
    const double rstd = valuesOf<double>(args->inputs[4])[i];
    double plain = 0, along = 0;
    for (int64_t j = 0; j < r.width; ++j) {
      const double xhat = (x[j] - mean) * rstd, g = dy[j] * (gamma ? gamma[j] : 1.0);
      dgamma[j] += dy[j] * xhat;
      dbeta[j] += dy[j];
      plain += g;
      along += g * xhat;
    }
    plain /= static_cast<double>(r.width);
    along /= static_cast<double>(r.width);
    for (int64_t j = 0; j < r.width; ++j)
      dx[j] = rstd * (dy[j] * (gamma ? gamma[j] : 1.0) - plain - (x[j] - mean) * rstd * along);
  }
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

const TenonKernel kKernels[] = {
    {"layer_norm", "simd", 10, kF32, nullptr, &forward},
    {"layer_norm", "reference", 0, kF64, nullptr, &referenceForward},
    {"layer_norm_backward", "simd", 10, kF32, nullptr, &backward},
    {"layer_norm_backward", "reference", 0, kF64, nullptr, &referenceBackward},
};

}  // namespace

KernelList cpuKernels_layer_norm();
KernelList cpuKernels_layer_norm() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
