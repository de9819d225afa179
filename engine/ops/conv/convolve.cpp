// SPDX-License-Identifier: Apache-2.0
// Convolution over one to three axes by conv2d; padding that is not zeros is added beforehand.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/conv/conv.h"
#include "engine/ops/conv/conv_checks.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/view/view.h"

namespace tenon {

using conv_parts::Geometry;

namespace {

/// Sizes of the result; each must be at least 1.
void checkRoom(const std::string& op, const Tensor& x, const Tensor& w, const Geometry& g) {
  for (int axis = 0; axis < g.axes; ++axis) {
    const auto a = static_cast<size_t>(axis);
    const int64_t reach = g.dilation[a] * (w.size(axis + 2) - 1) + 1;
    const int64_t room = x.size(axis + 2) + 2 * g.padding[a];
    if (w.size(axis + 2) < 1 || reach > room)
      throw Error(Code::Shape,
                  fmt::format("[{}] kernel reaches over {} elements along axis {}, the "
                              "padded input has {}: x {}, w {}",
                              op, reach, axis + 2, room, toString(x.shape()), toString(w.shape())));
  }
}

std::vector<Padding> paddingsOf(const Geometry& g) {
  std::vector<Padding> all;
  for (int64_t padding : g.padding)
    all.push_back({static_cast<int>(all.size()) + 2, padding, padding});
  return all;
}

Tensor lines(const Tensor& x, const Tensor& w, const Tensor& b, const Geometry& g) {
  return squeeze(conv2d(unsqueeze(x, 2), unsqueeze(w, 2), b, g.ofLines()), 2);
}

/// x [N, C, D, H, W] -> [N * D', C * kd, H, W]: what each place along the depth reads, as channels.
Tensor depthTaps(const Tensor& x, int64_t taps, const Geometry& g) {
  const int64_t reach = g.dilation[0] * (taps - 1) + 1;
  const Tensor padded = pad(x, {{2, g.padding[0], g.padding[0]}});
  const Tensor windows = slice(unfold(padded, 2, reach, g.stride[0]), 5, 0, taps, g.dilation[0]);
  const Tensor turned = permute(windows, {0, 2, 1, 5, 3, 4});  // [N, D', C, kd, H, W]
  return reshape(turned, {turned.size(0) * turned.size(1), turned.size(2) * taps, turned.size(4),
                          turned.size(5)});
}

Tensor volumes(const Tensor& x, const Tensor& w, const Tensor& b, const Geometry& g) {
  const Tensor taps = depthTaps(x, w.size(2), g);
  const Tensor kernels = reshape(w, {w.size(0), w.size(1) * w.size(2), w.size(3), w.size(4)});
  const Tensor y = conv2d(taps, kernels, b, g.ofSlices());
  const int64_t depth = taps.size(0) / (x.size(0) > 0 ? x.size(0) : 1);
  const Tensor split = reshape(y, {x.size(0), depth, y.size(1), y.size(2), y.size(3)});
  return permute(split, {0, 2, 1, 3, 4});
}

}  // namespace

Tensor conv(const Tensor& x, const Tensor& w, const Tensor& b, const ConvOptions& options) {
  if (const gate::AutocastCall cast{AutocastClass::LowPrecision})
    return conv(cast(x), cast(w), cast(b), options);
  const int axes = spatial::axesOf(x, "conv", "x");
  const std::string op = spatial::nameOf("conv", axes);
  Geometry g = conv_parts::geometryOf(op, axes, options.stride, options.padding, options.dilation);
  g.groups = options.groups;
  conv_parts::checkOperands(op, x, w, b, g);
  if (w.size(1) * g.groups != x.size(1) || w.size(0) % g.groups != 0)
    throw Error(Code::Shape,
                fmt::format("[{}] weight wants {} channels in each of {} groups, input has {}; its "
                            "{} output channels must divide into the groups: x {}, w {}",
                            op, w.size(1), g.groups, x.size(1), w.size(0), toString(x.shape()),
                            toString(w.shape())));
  conv_parts::checkBias(op, b, w.size(0));
  checkRoom(op, x, w, g);
  Tensor from = x;
  if (options.paddingMode != PadMode::Constant) {
    from = pad(x, paddingsOf(g), options.paddingMode);
    g.padding = PerAxis(static_cast<size_t>(axes), 0);
  }
  if (axes == 1) return lines(from, w, b, g);
  return axes == 2 ? conv2d(from, w, b, g.ofImages()) : volumes(from, w, b, g);
}

}  // namespace tenon
