// SPDX-License-Identifier: Apache-2.0
// The innermost loops of wide.h. Compiled with AVX-512 (the file's name says so); includes nothing
// that other files could share code with.
//
// A block of C stays in registers over the whole depth: up to 14 rows of 2 panels, 28 of the 32
// registers. The left operand's elements are broadcast by the multiply-adds themselves.
#include "engine/backend/cpu/wide.h"

#include <immintrin.h>

namespace tenon::cpu::wide {
namespace {

constexpr int64_t kWidth = kPanelWidth;

/// Where row r of a step of the left operand lies, seen from row 0.
struct DepthBlocks {
  static int64_t row(int r) { return r * kBlockWidth; }
};
struct RowBlocks {
  static int64_t row(int r) { return r; }
};

template <int R, int P>
struct Sums {
  __m512 at[R][P];

  __attribute__((always_inline)) void load(const float* c, int64_t cPanel, bool accumulate) {
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p)
        at[r][p] = accumulate ? _mm512_loadu_ps(c + p * cPanel + r * kWidth) : _mm512_setzero_ps();
  }
  __attribute__((always_inline)) void store(float* c, int64_t cPanel) const {
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) _mm512_storeu_ps(c + p * cPanel + r * kWidth, at[r][p]);
  }
  /// One step of the depth.
  template <class Order>
  __attribute__((always_inline)) void add(const float* a, const float* b, int64_t bPanel) {
    __m512 right[P];
#pragma GCC unroll 2
    for (int p = 0; p < P; ++p) right[p] = _mm512_loadu_ps(b + p * bPanel);
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const __m512 left = _mm512_set1_ps(a[Order::row(r)]);
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) at[r][p] = _mm512_fmadd_ps(left, right[p], at[r][p]);
    }
  }
};

/// R rows of P panels, from `a` and `c` on.
template <int R, int P>
void depthBlock(const PanelProduct& m, const float* a, const float* b, float* c) {
  Sums<R, P> sums;
  sums.load(c, m.cPanel, m.accumulate);
  for (int64_t k = 0; k < m.depth; k += 8, a += m.aBlock)
#pragma GCC unroll 2
    for (int i = 0; i < 8; ++i, b += kWidth) sums.template add<DepthBlocks>(a + i, b, m.bPanel);
  sums.store(c, m.cPanel);
}

template <int P>
void depthBlocks(const PanelProduct& m, const float* b, float* c) {
  int64_t i = 0;
  const auto at = [&](int64_t row) { return m.a + row * 8; };
  for (; i + 14 <= m.rows; i += 14) depthBlock<14, P>(m, at(i), b, c + i * kWidth);
  if (i + 8 <= m.rows) {
    depthBlock<8, P>(m, at(i), b, c + i * kWidth);
    i += 8;
  }
  if (i + 4 <= m.rows) {
    depthBlock<4, P>(m, at(i), b, c + i * kWidth);
    i += 4;
  }
  for (; i < m.rows; ++i) depthBlock<1, P>(m, at(i), b, c + i * kWidth);
}

template <int P>
void rowBlocks(const PanelProduct& m, const float* b, float* c) {
  for (int64_t row = 0; row < m.rows; row += 8) {
    const float* a = m.a + row / 8 * m.aBlock;
    const float* right = b;
    Sums<8, P> sums;
    sums.load(c + row * kWidth, m.cPanel, m.accumulate);
    for (int64_t k = 0; k < m.depth; ++k, a += 8, right += kWidth)
      sums.template add<RowBlocks>(a, right, m.bPanel);
    sums.store(c + row * kWidth, m.cPanel);
  }
}

/// R rows of C [R, 16] += A [R, depth] P.
template <int R>
void strided(const float* a, int64_t lda, const float* panel, int64_t depth, float* c,
             int64_t ldc) {
  __m512 sum[R];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) sum[r] = _mm512_loadu_ps(c + r * ldc);
  for (int64_t k = 0; k < depth; ++k, panel += kWidth) {
    const __m512 right = _mm512_loadu_ps(panel);
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
      sum[r] = _mm512_fmadd_ps(_mm512_set1_ps(a[r * lda + k]), right, sum[r]);
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) _mm512_storeu_ps(c + r * ldc, sum[r]);
}

}  // namespace

void multiplyDepthBlocks(const PanelProduct& m) noexcept {
  int64_t p = 0;
  for (; p + 2 <= m.panels; p += 2) depthBlocks<2>(m, m.b + p * m.bPanel, m.c + p * m.cPanel);
  if (p < m.panels) depthBlocks<1>(m, m.b + p * m.bPanel, m.c + p * m.cPanel);
}

void multiplyRowBlocks(const PanelProduct& m) noexcept {
  int64_t p = 0;
  for (; p + 2 <= m.panels; p += 2) rowBlocks<2>(m, m.b + p * m.bPanel, m.c + p * m.cPanel);
  if (p < m.panels) rowBlocks<1>(m, m.b + p * m.bPanel, m.c + p * m.cPanel);
}

void addPanel(const float* a, int64_t lda, int64_t rows, const float* panel, int64_t depth,
              float* c, int64_t ldc) noexcept {
  int64_t i = 0;
  for (; i + 16 <= rows; i += 16) strided<16>(a + i * lda, lda, panel, depth, c + i * ldc, ldc);
  if (i + 8 <= rows) {
    strided<8>(a + i * lda, lda, panel, depth, c + i * ldc, ldc);
    i += 8;
  }
  if (i + 4 <= rows) {
    strided<4>(a + i * lda, lda, panel, depth, c + i * ldc, ldc);
    i += 4;
  }
  for (; i < rows; ++i) strided<1>(a + i * lda, lda, panel, depth, c + i * ldc, ldc);
}

}  // namespace tenon::cpu::wide
