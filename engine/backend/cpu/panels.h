// SPDX-License-Identifier: Apache-2.0
// Products of few rows with a matrix that is used many times: it is packed once, in panels of 16
// columns, and each panel can be multiplied on its own, so that what is made of the product can be
// worked on while it is near.
//
// A block keeps up to 6 rows of a panel's columns in registers. An element is added up over k in
// order, from what is there, so its bits do not depend on how rows and panels are divided. Where
// the processor has more registers, the loops of wide.h run instead, with the same bits.
#pragma once

#include "engine/backend/cpu/panel_product.h"
#include "engine/backend/cpu/simd.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace panels {

using V = Vec<float>;
inline constexpr int64_t kLanes = V::kLanes;
inline constexpr int64_t kWidth = 2 * kLanes;  // columns of a panel
inline constexpr int64_t kDepth = 256;         // rows of a panel that stay in the first cache
inline constexpr int kRows = kParts == 1 ? 6 : 2;

/// Panels that hold `columns` columns.
inline int64_t countOf(int64_t columns) { return (columns + kWidth - 1) / kWidth; }

/// R rows of C [R, 16] += A [R, depth] P [depth, 16].
template <int R>
TENON_INLINE void block(const float* a, int64_t lda, const float* panel, int64_t depth, float* c,
                        int64_t ldc) {
  V sum[R][2];
  for (int r = 0; r < R; ++r) {
    sum[r][0] = V::load(c + r * ldc);
    sum[r][1] = V::load(c + r * ldc + kLanes);
  }
  for (int64_t k = 0; k < depth; ++k, panel += kWidth) {
    const V first = V::load(panel), second = V::load(panel + kLanes);
    for (int r = 0; r < R; ++r) {
      const V left(static_cast<double>(a[r * lda + k]));
      sum[r][0] = mulAdd(left, first, sum[r][0]);
      sum[r][1] = mulAdd(left, second, sum[r][1]);
    }
  }
  for (int r = 0; r < R; ++r) {
    sum[r][0].store(c + r * ldc);
    sum[r][1].store(c + r * ldc + kLanes);
  }
}

/// Rows that the next block takes of `left`: never a thin rest of many, which would wait for
/// itself.
inline int64_t nextRows(int64_t left) {
  if (left <= kRows) return left;
  return kRows == 6 && left < 9 ? left - 4 : kRows;
}

/// C [rows, 16] += A [rows, depth] P, P a packed panel [depth, 16].
inline void addProduct(const float* a, int64_t lda, int64_t rows, const float* panel, int64_t depth,
                       float* c, int64_t ldc) {
  for (int64_t k = 0; k < depth; k += kDepth) {
    const int64_t part = depth - k < kDepth ? depth - k : kDepth;
    const float* from = panel + k * kWidth;
    if (wideProducts()) {
      wide::addPanel(a + k, lda, rows, from, part, c, ldc);
      continue;
    }
    for (int64_t i = 0; i < rows;) {
      const int64_t taken = nextRows(rows - i);
      const float* left = a + i * lda + k;
      float* to = c + i * ldc;
      switch (taken) {
        case 1:
          block<1>(left, lda, from, part, to, ldc);
          break;
        case 2:
          block<2>(left, lda, from, part, to, ldc);
          break;
        case 3:
          block<3>(left, lda, from, part, to, ldc);
          break;
        case 4:
          block<4>(left, lda, from, part, to, ldc);
          break;
        case 5:
          block<5>(left, lda, from, part, to, ldc);
          break;
        default:
          block<6>(left, lda, from, part, to, ldc);
          break;
      }
      i += taken;
    }
  }
}

}  // namespace panels
}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
