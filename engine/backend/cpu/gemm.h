// SPDX-License-Identifier: Apache-2.0
// Matrix products for kernels: a direct SIMD kernel for small ones, oneDNN for the rest, plain
// loops as reference.
//
// oneDNN's dispatch and its threads cost more than a small product. The direct kernel keeps 4 rows
// of 16 columns in registers and adds over k in order, so an element's bits do not depend on where
// it stands. B is packed once if its columns are not side by side in eights.
#pragma once

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/onednn.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/simd.h"
#include "engine/backend/cpu/tails.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

using onednn::GemmProblem;

/// What is done to every row of a product before it is left.
struct RowFinish {
  const float* bias = nullptr;  ///< [n] to add, or null
  bool relu = false;            ///< then max(row, 0); NaN stays NaN
  bool any() const { return bias || relu; }
};

namespace gemm_detail {

using V = Vec<float>;
constexpr int64_t kLanes = V::kLanes;
constexpr int64_t kMostPacked = 4096;         // floats, on the stack
constexpr int64_t kMostProducts = 64 * 1024;  // above, oneDNN's own kernel is faster
constexpr int64_t kMostAlone = 512 * 1024;    // above, it is worth waking the team

struct Small {
  int64_t m, n, k;
  const float* a;
  int64_t aRow, aCol;  // strides of op(A)
  const float* b;      // [k, ldb], columns side by side, readable up to a multiple of 8
  int64_t ldb;
  RowFinish finish;
  float* c;
  int64_t ldc;
  bool accumulate;
};

/// Lanes of a row's block that lie inside it, given how many columns are left.
inline int64_t inside(int64_t left) { return left < kLanes ? left : kLanes; }

inline V rectified(V v) { return select(v < V(0.0), V(0.0), v); }

/// kRows rows of kVecs * 8 columns of C, from (i, j) on.
template <int kRows, int kVecs>
inline void block(const Small& p, int64_t i, int64_t j) {
  V acc[kRows][kVecs];
  for (int v = 0; v < kVecs; ++v) {
    const int64_t col = j + v * kLanes;
    const V start = p.finish.bias ? take(p.finish.bias + col, inside(p.n - col)) : V(0.0);
    for (int r = 0; r < kRows; ++r)
      acc[r][v] =
          p.accumulate ? start + take(p.c + (i + r) * p.ldc + col, inside(p.n - col)) : start;
  }
  const float* a = p.a + i * p.aRow;
  const float* b = p.b + j;
  for (int64_t k = 0; k < p.k; ++k, a += p.aCol, b += p.ldb) {
    V row[kVecs];
    for (int v = 0; v < kVecs; ++v) row[v] = V::load(b + v * kLanes);
    for (int r = 0; r < kRows; ++r) {
      const V left(static_cast<double>(a[r * p.aRow]));
      for (int v = 0; v < kVecs; ++v) acc[r][v] = mulAdd(left, row[v], acc[r][v]);
    }
  }
  for (int v = 0; v < kVecs; ++v) {
    const int64_t col = j + v * kLanes;
    for (int r = 0; r < kRows; ++r)
      put(p.finish.relu ? rectified(acc[r][v]) : acc[r][v], p.c + (i + r) * p.ldc + col,
          inside(p.n - col));
  }
}

template <int kRows>
inline void rows(const Small& p, int64_t i) {
  int64_t j = 0;
  for (; j + kLanes < p.n; j += 2 * kLanes) block<kRows, 2>(p, i, j);
  if (j < p.n) block<kRows, 1>(p, i, j);
}

inline void run(const Small& p) {
  int64_t i = 0;
  for (; i + 4 <= p.m; i += 4) rows<4>(p, i);
  if (i + 2 <= p.m) {
    rows<2>(p, i);
    i += 2;
  }
  if (i < p.m) rows<1>(p, i);
}

/// op(B) [k, n] as rows of `width` floats, zero beyond n.
inline void pack(const GemmProblem& p, const float* b, int64_t width, float* to) {
  const int64_t step = p.transposeB ? p.ldb : 1;
  const int64_t rowStep = p.transposeB ? 1 : p.ldb;
  for (int64_t k = 0; k < p.k; ++k, to += width) {
    const float* from = b + k * rowStep;
    for (int64_t j = 0; j < p.n; ++j) to[j] = from[j * step];
    for (int64_t j = p.n; j < width; ++j) to[j] = 0;
  }
}

inline bool isSmall(const GemmProblem& p) {
  return p.m * p.n * p.k <= kMostProducts &&
         (p.n + kLanes - 1) / kLanes * kLanes * p.k <= kMostPacked;
}

inline void runSmall(const GemmProblem& p, const float* a, const float* b, const RowFinish& finish,
                     float* c) {
  alignas(32) float packed[kMostPacked];
  const int64_t width = (p.n + kLanes - 1) / kLanes * kLanes;
  const bool direct = !p.transposeB && width == p.n;
  if (!direct) pack(p, b, width, packed);
  run({p.m, p.n, p.k, a, p.transposeA ? 1 : p.lda, p.transposeA ? p.lda : 1, direct ? b : packed,
       direct ? p.ldb : width, finish, c, p.ldc, p.accumulate});
}

/// Bias and activation over rows that hold a finished product: one pass for both.
inline void finishRows(const GemmProblem& p, const RowFinish& finish, float* c, bool alone) {
  const auto work = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* row = c + i * p.ldc;
      for (int64_t j = 0; j < p.n; j += kLanes) {
        const int64_t count = inside(p.n - j);
        V v = take(row + j, count);
        if (finish.bias) v = v + take(finish.bias + j, count);
        put(finish.relu ? rectified(v) : v, row + j, count);
      }
    }
  };
  if (alone) return work(0, p.m);
  parallelFor(p.m, 1 + 32768 / p.n, [&](int64_t begin, int64_t end) { work(begin, end); });
}

inline void clearRows(const GemmProblem& p, float* c) {
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) c[i * p.ldc + j] = 0.0f;
}

}  // namespace gemm_detail

/// C = op(A) op(B), each row then finished. `alone`: on the calling thread only, for use inside
/// parallelFor. A bias and p.accumulate exclude each other.
inline int32_t gemm(const TenonKernelArgs& args, const GemmProblem& p, const float* a,
                    const float* b, const RowFinish& finish, float* c, bool alone = false) {
  if (p.m == 0 || p.n == 0) return TENON_OK;
  if (gemm_detail::isSmall(p)) {
    gemm_detail::runSmall(p, a, b, finish, c);
    return TENON_OK;
  }
  int32_t status = TENON_OK;
  if (p.k == 0) {
    if (!p.accumulate) gemm_detail::clearRows(p, c);
  } else {
    const bool small = p.m * p.n * p.k <= gemm_detail::kMostAlone;
    status =
        alone || small ? onednn::sgemmOneThread(args, p, a, b, c) : onednn::sgemm(args, p, a, b, c);
  }
  if (status == TENON_OK && finish.any()) gemm_detail::finishRows(p, finish, c, alone);
  return status;
}

/// The same by plain loops, adding in T over k in order.
template <class T>
inline void referenceGemm(const GemmProblem& p, const T* a, const T* b, const T* bias, T* c) {
  parallelFor(p.m, 1 + 65536 / (p.n * p.k + 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T* row = c + i * p.ldc;
      for (int64_t j = 0; j < p.n; ++j)
        row[j] = (p.accumulate ? row[j] : T(0)) + (bias ? bias[j] : T(0));
      for (int64_t k = 0; k < p.k; ++k) {
        const T left = p.transposeA ? a[k * p.lda + i] : a[i * p.lda + k];
        const T* from = p.transposeB ? b + k : b + k * p.ldb;
        const int64_t step = p.transposeB ? p.ldb : 1;
        for (int64_t j = 0; j < p.n; ++j) row[j] += left * from[j * step];
      }
    }
  });
}

/// A matrix in the last two axes of a strided view: row-major, or its transpose is.
struct MatrixView {
  int64_t rows = 0, cols = 0;
  int64_t ld = 0;           // distance of rows, or of columns if `transposed`
  bool transposed = false;  // columns lie side by side
  bool fits = false;        // it is one or the other
};

inline MatrixView matrixOf(const TenonTensorView& v) {
  MatrixView m;
  m.rows = v.sizes[v.ndim - 2];
  m.cols = v.sizes[v.ndim - 1];
  const int64_t down = v.strides[v.ndim - 2], across = v.strides[v.ndim - 1];
  const bool rowMajor = (across == 1 || m.cols <= 1) && (down >= m.cols || m.rows <= 1);
  const bool columnMajor = (down == 1 || m.rows <= 1) && (across >= m.rows || m.cols <= 1);
  m.transposed = !rowMajor && columnMajor;
  m.fits = v.layout == TENON_STRIDED && (rowMajor || columnMajor);
  const int64_t across1 = m.transposed ? m.rows : m.cols;
  const int64_t step = m.transposed ? across : down;
  m.ld = step > across1 ? step : (across1 > 0 ? across1 : 1);
  return m;
}

inline uint8_t matrixWish(const TenonTensorView& v) {
  return static_cast<uint8_t>(matrixOf(v).fits ? TENON_WISH_AS_IS : TENON_WISH_CONTIGUOUS);
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
