// SPDX-License-Identifier: Apache-2.0
// Conversion between layouts: what the gate does when a kernel wants an input to lie otherwise.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of operator "reorder": the layout wanted of the output.
struct ReorderParams {
  int32_t blocked = 0;  ///< 1: blocked by 8 on axis 1; 0: dense row-major
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon::gate {

/// A copy of `tensor` in another layout, same shape and type; counted as a reorder. No gradient.
TENON_API Tensor reordered(const Tensor& tensor, Layout layout);

}  // namespace tenon::gate
#endif
