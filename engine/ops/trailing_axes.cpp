// SPDX-License-Identifier: Apache-2.0
// Trailing axes: parts of a shape, and the checks of those who normalize over them.
#include "engine/ops/trailing_axes.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/checks.h"

namespace tenon {

Shape firstAxes(const Shape& x, int count) {
  return Shape(x.span().first(static_cast<size_t>(count)));
}

Shape lastAxes(const Shape& x, int count) {
  return Shape(x.span().last(static_cast<size_t>(count)));
}

int checkedTrailingAxes(const OpCall& call, size_t x, int64_t axes, double eps) {
  requirePresent(call, {x});
  const Shape& shape = call.input(x).shape();
  if (axes < 1 || axes > shape.ndim())
    refuseShapes(call, fmt::format("normalizes 1 to {} trailing axes, got {}", shape.ndim(), axes));
  if (!(eps > 0))
    throw Error(Code::Usage, fmt::format("[{}] wants eps > 0, got {}", call.op.id, eps));
  if (lastAxes(shape, static_cast<int>(axes)).numel() == 0)
    refuseShapes(call, "normalizes no values: a trailing axis is empty");
  return static_cast<int>(axes);
}

}  // namespace tenon
