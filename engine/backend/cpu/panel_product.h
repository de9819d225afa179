// SPDX-License-Identifier: Apache-2.0
// Products of operands that kernels have laid out in blocks of 8 and panels of 16 (PanelProduct).
//
// The level's own loops keep up to 6 rows of a panel in registers; where the processor has more,
// those of wide.h run instead, with the same bits.
#pragma once

#include "engine/backend/cpu/simd.h"
#include "engine/backend/cpu/wide.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace panel_detail {

using V = Vec<float>;
inline constexpr int64_t kWidth = kPanelWidth;
inline constexpr int kHalf = kWidth / 2;
inline constexpr int kRows = kParts == 1 ? 6 : 2;
static_assert(V::kLanes == kHalf);

template <int R>
struct Sums {
  V at[R][2];

  TENON_INLINE void load(const float* c, bool accumulate) {
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
      for (int h = 0; h < 2; ++h)
        at[r][h] = accumulate ? V::load(c + r * kWidth + h * kHalf) : V(0.0);
  }
  TENON_INLINE void store(float* c) const {
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
      for (int h = 0; h < 2; ++h) at[r][h].store(c + r * kWidth + h * kHalf);
  }
  /// One step of the depth; rows of A are kStep floats apart.
  template <int kStep>
  TENON_INLINE void add(const float* a, const float* b) {
    const V first = V::load(b), second = V::load(b + kHalf);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const V left(static_cast<double>(a[r * kStep]));
      at[r][0] = mulAdd(left, first, at[r][0]);
      at[r][1] = mulAdd(left, second, at[r][1]);
    }
  }
};

template <int R>
inline void depthBlock(const PanelProduct& m, const float* a, const float* b, float* c) {
  Sums<R> sums;
  sums.load(c, m.accumulate);
  for (int64_t k = 0; k < m.depth; k += 8, a += m.aBlock)
    for (int i = 0; i < 8; ++i, b += kWidth) sums.template add<8>(a + i, b);
  sums.store(c);
}

/// A whole block of 8 rows would need 16 registers for its sums: half of it at a time.
template <int R>
inline void rowBlock(const PanelProduct& m, const float* a, const float* b, float* c) {
  Sums<R> sums;
  sums.load(c, m.accumulate);
  for (int64_t k = 0; k < m.depth; ++k, a += 8, b += kWidth) sums.template add<1>(a, b);
  sums.store(c);
}

inline void depthBlocks(const PanelProduct& m, const float* b, float* c) {
  int64_t i = 0;
  for (; i + kRows <= m.rows; i += kRows) depthBlock<kRows>(m, m.a + i * 8, b, c + i * kWidth);
  if (kRows > 4 && i + 4 <= m.rows) {
    depthBlock<4>(m, m.a + i * 8, b, c + i * kWidth);
    i += 4;
  }
  for (; i < m.rows; ++i) depthBlock<1>(m, m.a + i * 8, b, c + i * kWidth);
}

inline void rowBlocks(const PanelProduct& m, const float* b, float* c) {
  constexpr int kAtOnce = kRows > 4 ? 4 : kRows;
  for (int64_t row = 0; row < m.rows; row += kAtOnce)
    rowBlock<kAtOnce>(m, m.a + row / 8 * m.aBlock + row % 8, b, c + row * kWidth);
}

}  // namespace panel_detail

/// True if the wide loops run at this level.
inline bool wideProducts() noexcept {
#ifdef TENON_CPU_LEVEL_avx2
  return wide::available();
#else
  return false;
#endif
}

/// The product with A in blocks of the depth.
inline void multiplyDepthBlocks(const PanelProduct& m) {
  if (wideProducts()) return wide::multiplyDepthBlocks(m);
  for (int64_t p = 0; p < m.panels; ++p)
    panel_detail::depthBlocks(m, m.b + p * m.bPanel, m.c + p * m.cPanel);
}

/// The product with A in blocks of rows.
inline void multiplyRowBlocks(const PanelProduct& m) {
  if (wideProducts()) return wide::multiplyRowBlocks(m);
  for (int64_t p = 0; p < m.panels; ++p)
    panel_detail::rowBlocks(m, m.b + p * m.bPanel, m.c + p * m.cPanel);
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
