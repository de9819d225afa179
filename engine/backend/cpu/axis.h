// SPDX-License-Identifier: Apache-2.0
// A dense tensor seen along one axis: outer x size x inner.
#pragma once

#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// Element (o, a, i) of a dense tensor lies at (o * size + a) * inner + i.
struct AxisShape {
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;

  AxisShape(const TenonTensorView& view, int axis) {
    for (int i = 0; i < view.ndim; ++i)
      (i < axis ? outer : i > axis ? inner : size) *= view.sizes[i];
  }
  int64_t rows() const { return outer * inner; }
  /// Where row r (one element of outer x inner) begins; its elements lie `inner` apart.
  int64_t start(int64_t row) const { return row / inner * size * inner + row % inner; }
};

/// parallelFor over rows of `size` elements, enough of them a thread.
template <class Body>
void forEachAxisRow(const AxisShape& shape, Body&& body) {
  constexpr int64_t kGrain = 8192;
  parallelFor(shape.rows(), 1 + kGrain / (shape.size + 1), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) body(row, shape.start(row));
  });
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
