// SPDX-License-Identifier: Apache-2.0
// What operators share that normalize over the trailing axes of x.
#pragma once

#include "engine/ops/op_def.h"

namespace tenon {

/// The first `count` axes of a shape.
Shape firstAxes(const Shape& x, int count);
/// The last `count` axes of a shape.
Shape lastAxes(const Shape& x, int count);
/// Checks how many trailing axes of input `x` are normalized, and eps. @return their number
/// @throws Error(Shape) for a number of axes that x does not have, or no values in them;
///   Error(Usage) for eps <= 0
int checkedTrailingAxes(const OpCall& call, size_t x, int64_t axes, double eps);

}  // namespace tenon
