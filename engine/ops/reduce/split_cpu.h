// SPDX-License-Identifier: Apache-2.0
// How a reduction walks its strided input: K kept and R reduced axes as two nests.
#pragma once

#include "engine/backend/cpu/loops.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// The two nests of a reduction over a strided input.
struct Split {
  LoopNest<1> kept;
  LoopNest<1> reduced;

  Split(const TenonTensorView& x, uint32_t axes) {
    TenonTensorView parts[2] = {x, x};
    parts[0].ndim = parts[1].ndim = 0;
    for (int i = 0; i < x.ndim; ++i) {
      TenonTensorView& part = parts[(axes >> i) & 1u];
      part.sizes[part.ndim] = x.sizes[i];
      part.strides[part.ndim++] = x.strides[i];
    }
    kept = makeNest<1>(parts[0], {&parts[0]});
    reduced = makeNest<1>(parts[1], {&parts[1]});
  }
  /// Columns of neighbours are added row by row; else each result walks its own elements.
  bool byColumns() const {
    return kept.ndim > 0 && kept.rowStride(0) == 1 && kept.rowLength() >= 8 &&
           !(reduced.ndim > 0 && reduced.rowStride(0) == 1);
  }
};

/// Wishes of a reduction: any strides, but not blocked.
inline void askStrided(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  if (blocked(args->inputs[0])) answer->inputs[0] = TENON_WISH_CONTIGUOUS;
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
