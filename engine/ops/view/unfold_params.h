// SPDX-License-Identifier: Apache-2.0
// Parameters of windows along an axis, shared by operator and kernel.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "unfold" and "unfold_backward"; `length` is that of the whole axis.
struct UnfoldParams {
  int32_t axis = 0;
  int64_t size = 1;
  int64_t step = 1;
  int64_t length = 1;
};

}  // namespace tenon
