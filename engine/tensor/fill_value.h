// SPDX-License-Identifier: Apache-2.0
// Which numbers a tensor of some type can be filled with.
#pragma once

#include "engine/tensor/dtype.h"

namespace tenon {

/// @throws Error(Input) "[op] ..." if `type` is an integer type and `value` is none of its numbers:
/// a fraction, too large or small, NaN. PyTorch refuses what is out of range too, but cuts off
/// fractions and wraps small negative numbers around in u8; here both are errors, as values that
/// nobody wrote would train on silently. Floating types round, bools take anything but 0 as true.
TENON_API void needFillValue(double value, DType type, const char* op);

}  // namespace tenon
