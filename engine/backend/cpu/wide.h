// SPDX-License-Identifier: Apache-2.0
// Products in panels on processors with AVX-512: what kernels of the level avx2 call where it is.
//
// Only the innermost loops are written for AVX-512. Each element is added up over the depth in
// order with fused multiply-adds, as level avx2 does it, so the bits are the same on both.
#pragma once

#include <cstdint>

#include "engine/base/export.h"

namespace tenon::cpu {

inline constexpr int64_t kPanelWidth = 16;  ///< columns of a panel
inline constexpr int64_t kBlockWidth = 8;   ///< of what lies in blocks

/// C [rows, 16 * panels] = A [rows, depth] B [depth, 16 * panels], or added to what C holds.
///
/// B and C lie in panels of 16 columns, dense row-major each. A lies in blocks of 8, `aBlock`
/// floats apart. Blocks of the depth, A[r][k] at k / 8 * aBlock + r * 8 + k % 8: pixels of a
/// blocked image are such rows. Blocks of rows, A[r][k] at r / 8 * aBlock + k * 8 + r % 8: its
/// transpose.
struct PanelProduct {
  const float* a;
  int64_t aBlock;
  const float* b;
  int64_t bPanel;  ///< floats from a panel of B to the next
  float* c;
  int64_t cPanel;
  int64_t rows;   ///< a multiple of 8 where A lies in blocks of rows
  int64_t depth;  ///< a multiple of 8 where A lies in blocks of the depth
  int64_t panels;
  bool accumulate;
};

namespace wide {

/// True if this processor has AVX-512 and no level was asked for (TENON_CPU).
TENON_API bool available() noexcept;
/// False makes available() false from now on; true undoes that where the processor allows it.
TENON_API void allow(bool allowed) noexcept;

/// A in blocks of the depth.
void multiplyDepthBlocks(const PanelProduct& product) noexcept;
/// A in blocks of rows.
void multiplyRowBlocks(const PanelProduct& product) noexcept;
/// C [rows, 16] += A [rows, depth] P: A and C row-major, P one panel [depth, 16].
void addPanel(const float* a, int64_t lda, int64_t rows, const float* panel, int64_t depth,
              float* c, int64_t ldc) noexcept;

}  // namespace wide
}  // namespace tenon::cpu
