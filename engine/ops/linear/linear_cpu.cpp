// SPDX-License-Identifier: Apache-2.0
// Kernels of the linear operators: matrix products with the bias added in the same pass.
//
// x and dy count as matrices whose rows are all axes but the last. Two-axis tensors may lie
// transposed; others are dense. The bias gradient adds rows in order within bands of 64.
#include "engine/ops/linear/linear.h"

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/gemm.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/tails.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

/// All axes but the last as rows.
MatrixView rowsOf(const TenonTensorView& v) {
  if (v.ndim == 2) return matrixOf(v);
  MatrixView m;
  m.cols = v.sizes[v.ndim - 1];
  m.rows = 1;
  for (int i = 0; i + 1 < v.ndim; ++i) m.rows *= v.sizes[i];
  m.ld = m.cols > 0 ? m.cols : 1;
  m.fits = true;
  return m;
}

uint8_t rowsWish(const TenonTensorView& v) {
  return v.ndim == 2 ? matrixWish(v) : static_cast<uint8_t>(TENON_WISH_CONTIGUOUS);
}

/// The first two inputs may lie as they like, a third is dense.
void query(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  answer->inputs[0] = rowsWish(args->inputs[0]);
  answer->inputs[1] = rowsWish(args->inputs[1]);
  answer->inputs[2] = TENON_WISH_CONTIGUOUS;
}

const float* floats(const TenonTensorView& v) { return static_cast<const float*>(v.data); }

GemmProblem forwardProblem(const TenonKernelArgs* args) {
  const MatrixView x = rowsOf(args->inputs[0]), w = rowsOf(args->inputs[1]);
  return {x.rows, w.rows, x.cols, x.transposed, !w.transposed, x.ld, w.ld, w.rows > 0 ? w.rows : 1,
          false};
}

template <bool kRelu>
int32_t forward(const TenonKernelArgs* args) {
  const bool bias = args->inputs[2].ndim >= 0;
  const RowFinish finish{bias ? floats(args->inputs[2]) : nullptr, kRelu};
  return gemm(*args, forwardProblem(args), floats(args->inputs[0]), floats(args->inputs[1]), finish,
              static_cast<float*>(args->outputs[0].data));
}

GemmProblem inputProblem(const TenonKernelArgs* args) {
  const MatrixView dy = rowsOf(args->inputs[0]), w = rowsOf(args->inputs[1]);
  return {dy.rows,      w.cols, dy.cols, dy.transposed,
          w.transposed, dy.ld,  w.ld,    w.cols > 0 ? w.cols : 1,
          false};
}

int32_t backwardInput(const TenonKernelArgs* args) {
  return gemm(*args, inputProblem(args), floats(args->inputs[0]), floats(args->inputs[1]), {},
              static_cast<float*>(args->outputs[0].data));
}

GemmProblem weightProblem(const TenonKernelArgs* args) {
  const MatrixView dy = rowsOf(args->inputs[0]), x = rowsOf(args->inputs[1]);
  return {dy.cols,      x.cols, dy.rows, !dy.transposed,
          x.transposed, dy.ld,  x.ld,    x.cols > 0 ? x.cols : 1,
          false};
}

/// Sums of 8 columns from `from` on, over all rows.
Vec<float> columnSums(const float* from, int64_t rows, int64_t ld, int64_t width) {
  constexpr int64_t kBand = 64;
  Vec<float> total(0.0);
  for (int64_t start = 0; start < rows; start += kBand) {
    Vec<float> band(0.0);
    const int64_t end = start + kBand < rows ? start + kBand : rows;
    for (int64_t i = start; i < end; ++i) {
      const float* at = from + i * ld;
      band = band + take(at, width);
    }
    total = total + band;
  }
  return total;
}

void biasGradient(const TenonTensorView& dyView, float* db) {
  const MatrixView dy = rowsOf(dyView);
  const float* from = floats(dyView);
  if (dy.transposed) {  // a column's values lie side by side
    for (int64_t j = 0; j < dy.cols; ++j) {
      float sum = 0;
      for (int64_t i = 0; i < dy.rows; ++i) sum += from[j * dy.ld + i];
      db[j] = sum;
    }
    return;
  }
  const int64_t grain = dy.rows > 0 ? 1 + 16384 / (dy.rows * 8) : 1;
  parallelFor((dy.cols + 7) / 8, grain, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin * 8; j < end * 8 && j < dy.cols; j += 8) {
      const int64_t width = dy.cols - j < 8 ? dy.cols - j : 8;
      put(columnSums(from + j, dy.rows, dy.ld, width), db + j, width);
    }
  });
}

int32_t backwardWeight(const TenonKernelArgs* args) {
  if (static_cast<const LinearGradParams*>(args->params)->bias)
    biasGradient(args->inputs[0], static_cast<float*>(args->outputs[1].data));
  return gemm(*args, weightProblem(args), floats(args->inputs[0]), floats(args->inputs[1]), {},
              static_cast<float*>(args->outputs[0].data));
}

template <class T, bool kRelu>
int32_t referenceForward(const TenonKernelArgs* args) {
  const T* bias = args->inputs[2].ndim >= 0 ? static_cast<const T*>(args->inputs[2].data) : nullptr;
  T* y = static_cast<T*>(args->outputs[0].data);
  const GemmProblem p = forwardProblem(args);
  referenceGemm(p, static_cast<const T*>(args->inputs[0].data),
                static_cast<const T*>(args->inputs[1].data), bias, y);
  if (kRelu)
    for (int64_t i = 0; i < p.m * p.n; ++i) y[i] = y[i] < T(0) ? T(0) : y[i];
  return TENON_OK;
}

template <class T>
int32_t referenceInput(const TenonKernelArgs* args) {
  referenceGemm<T>(inputProblem(args), static_cast<const T*>(args->inputs[0].data),
                   static_cast<const T*>(args->inputs[1].data), nullptr,
                   static_cast<T*>(args->outputs[0].data));
  return TENON_OK;
}

template <class T>
int32_t referenceWeight(const TenonKernelArgs* args) {
  const T* dy = static_cast<const T*>(args->inputs[0].data);
  const GemmProblem p = weightProblem(args);
  referenceGemm<T>(p, dy, static_cast<const T*>(args->inputs[1].data), nullptr,
                   static_cast<T*>(args->outputs[0].data));
  if (!static_cast<const LinearGradParams*>(args->params)->bias) return TENON_OK;
  T* db = static_cast<T*>(args->outputs[1].data);
  for (int64_t j = 0; j < p.m; ++j) {
    T sum = 0;
    for (int64_t i = 0; i < p.k; ++i) sum += dy[i * p.lda + j];
    db[j] = sum;
  }
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

const TenonKernel kKernels[] = {
    {"linear", "gemm", 20, kF32, &query, &forward<false>},
    {"linear", "reference", 0, kF64, nullptr, &referenceForward<double, false>},
    {"linear_relu", "gemm", 20, kF32, &query, &forward<true>},
    {"linear_relu", "reference", 0, kF64, nullptr, &referenceForward<double, true>},
    {"linear_backward_input", "gemm", 20, kF32, &query, &backwardInput},
    {"linear_backward_input", "reference", 0, kF64, nullptr, &referenceInput<double>},
    {"linear_backward_weight", "gemm", 20, kF32, &query, &backwardWeight},
    {"linear_backward_weight", "reference", 0, kF64, nullptr, &referenceWeight<double>},
};

}  // namespace

KernelList cpuKernels_linear();
KernelList cpuKernels_linear() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
