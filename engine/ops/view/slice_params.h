// SPDX-License-Identifier: Apache-2.0
// Parameters of slices, shared by operator and kernel.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "slice" and "slice_backward"; `size` is that of the whole axis.
struct SliceParams {
  int32_t axis = 0;
  int64_t start = 0;
  int64_t length = 0;
  int64_t step = 1;
  int64_t size = 0;
};

}  // namespace tenon
