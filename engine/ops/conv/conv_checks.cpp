// SPDX-License-Identifier: Apache-2.0
// Settings and operands of convolutions over any number of axes, checked.
#include "engine/ops/conv/conv_checks.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tenon::conv_parts {

Conv2dParams Geometry::of(int height, int width) const {
  Conv2dParams params;
  const int axis[2] = {height, width};
  for (int a = 0; a < 2; ++a) {
    if (axis[a] < 0) continue;
    const auto at = static_cast<size_t>(axis[a]);
    params.stride[a] = stride[at];
    params.padding[a] = padding[at];
    params.dilation[a] = dilation[at];
  }
  params.groups = groups;
  return params;
}

Geometry geometryOf(const std::string& op, int axes, const PerAxis& stride, const PerAxis& padding,
                    const PerAxis& dilation) {
  Geometry g;
  g.axes = axes;
  g.stride = spatial::spread(stride, axes, 1, op, "stride");
  g.padding = spatial::spread(padding, axes, 0, op, "padding");
  g.dilation = spatial::spread(dilation, axes, 1, op, "dilation");
  return g;
}

void checkOperands(const std::string& op, const Tensor& x, const Tensor& w, const Tensor& b,
                   const Geometry& g) {
  if (!w.defined())
    throw Error(Code::Usage, fmt::format("[{}] w is undefined: it holds no tensor", op));
  if (w.ndim() != x.ndim())
    throw Error(Code::Shape, fmt::format("[{}] w wants {} axes like x, got {} for x {}", op,
                                         x.ndim(), describe(w), describe(x)));
  const bool oneType = w.dtype() == x.dtype() && (!b.defined() || b.dtype() == x.dtype());
  if (!isFloating(x.dtype()) || !oneType)
    throw Error(Code::Type,
                fmt::format("[{}] wants one floating type, got x {}, w {}{}", op, describe(x),
                            describe(w), b.defined() ? ", b " + describe(b) : ""));
  if (g.groups < 1)
    throw Error(Code::Usage, fmt::format("[{}] wants groups >= 1, got {}", op, g.groups));
}

void checkBias(const std::string& op, const Tensor& b, int64_t channels) {
  if (b.defined() && !(b.shape() == Shape{channels}))
    throw Error(Code::Shape,
                fmt::format("[{}] b wants shape [{}] (one value an output channel), got {}", op,
                            channels, toString(b.shape())));
}

}  // namespace tenon::conv_parts
