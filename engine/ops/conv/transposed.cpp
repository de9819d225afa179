// SPDX-License-Identifier: Apache-2.0
// Transposed convolution over one to three axes by the data gradient of conv2d.
//
// conv2d_backward_data rounds an output padding below the stride away; a larger one (allowed below
// the dilation) is added to, or left over from, the result without any padding.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/conv/conv.h"
#include "engine/ops/conv/conv_checks.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/view/view.h"

namespace tenon {

using conv_parts::Geometry;

namespace {

struct Transposed : Geometry {
  PerAxis outputPadding;

  /// Size along a spatial axis before padding takes and output padding adds elements.
  int64_t full(int axis, int64_t in, int64_t kernel) const {
    const auto a = static_cast<size_t>(axis);
    return (in - 1) * stride[a] + dilation[a] * (kernel - 1) + 1;
  }
  int64_t size(int axis, int64_t in, int64_t kernel) const {
    const auto a = static_cast<size_t>(axis);
    return full(axis, in, kernel) - 2 * padding[a] + outputPadding[a];
  }
};

Transposed checked(const std::string& op, const Tensor& x, const Tensor& w, const Tensor& b,
                   const ConvTransposeOptions& options) {
  const int axes = x.ndim() - 2;
  Transposed g{conv_parts::geometryOf(op, axes, options.stride, options.padding, options.dilation),
               spatial::spread(options.outputPadding, axes, 0, op, "output padding")};
  g.groups = options.groups;
  conv_parts::checkOperands(op, x, w, b, g);
  if (w.size(0) != x.size(1) || x.size(1) % g.groups != 0)
    throw Error(
        Code::Shape,
        fmt::format("[{}] weight wants {} input channels, x has {}, which must "
                    "divide into {} groups: x {}, w {}",
                    op, w.size(0), x.size(1), g.groups, toString(x.shape()), toString(w.shape())));
  conv_parts::checkBias(op, b, w.size(1) * g.groups);
  for (int axis = 0; axis < axes; ++axis) {
    const auto a = static_cast<size_t>(axis);
    if (g.outputPadding[a] >= g.stride[a] && g.outputPadding[a] >= g.dilation[a])
      throw Error(
          Code::Usage,
          fmt::format("[{}] output padding must be below stride or dilation, got {}, {}, {} "
                      "along axis {}",
                      op, g.outputPadding[a], g.stride[a], g.dilation[a], axis + 2));
    const int64_t size = g.size(axis, x.size(axis + 2), w.size(axis + 2));
    if (x.size(axis + 2) < 1 || w.size(axis + 2) < 1 || size < 1)
      throw Error(Code::Shape,
                  fmt::format("[{}] the result would have size {} along axis {}: x {}, "
                              "w {}",
                              op, size, axis + 2, toString(x.shape()), toString(w.shape())));
  }
  return g;
}

/// x [N, C, H, W], w [C, O/groups, kh, kw]; axes `height` and `width` of g, -1: not there.
Tensor images(const Tensor& x, const Tensor& w, const Transposed& g, int height, int width) {
  Conv2dParams params = g.of(height, width);
  const int axis[2] = {height, width};
  bool direct = true;
  for (int axisOfG : axis)
    if (axisOfG >= 0)
      direct = direct && g.outputPadding[static_cast<size_t>(axisOfG)] <
                             g.stride[static_cast<size_t>(axisOfG)];
  int64_t size[2];
  std::vector<Padding> rest;
  for (int k = 0; k < 2; ++k) {
    size[k] = x.size(k + 2);
    if (axis[k] < 0) continue;
    const auto a = static_cast<size_t>(axis[k]);
    const int64_t kernel = w.size(k + 2);
    size[k] =
        direct ? g.size(axis[k], x.size(k + 2), kernel) : g.full(axis[k], x.size(k + 2), kernel);
    if (direct) continue;
    params.padding[k] = 0;
    rest.push_back({k + 2, -g.padding[a], g.outputPadding[a] - g.padding[a]});
  }
  const Tensor y = conv2dBackwardData(x, w, params, size[0], size[1]);
  return rest.empty() ? y : pad(y, rest);
}

/// The last axis with `dilation` - 1 zeros between its elements.
Tensor spreadApart(const Tensor& x, int64_t dilation) {
  if (dilation == 1 || x.size(-1) == 1) return x;
  Shape shape = x.shape();
  shape[x.ndim() - 1] *= dilation;
  const Tensor wide = reshape(pad(unsqueeze(x, x.ndim()), {{-1, 0, dilation - 1}}), shape);
  return narrow(wide, -1, 0, (x.size(-1) - 1) * dilation + 1);
}

/// x [N, C, D, H, W]: slices first, whose channels are then the taps along the depth.
Tensor volumes(const Tensor& x, const Tensor& w, const Transposed& g) {
  const int64_t n = x.size(0), depth = x.size(2), taps = w.size(2);
  const Tensor slices =
      reshape(permute(x, {0, 2, 1, 3, 4}), {n * depth, x.size(1), x.size(3), x.size(4)});
  const Tensor kernels = reshape(w, {w.size(0), w.size(1) * taps, w.size(3), w.size(4)});
  const Tensor y = images(slices, kernels, g, 1, 2);
  const Tensor split = reshape(y, {n, depth, y.size(1) / taps, taps, y.size(2), y.size(3)});
  const Tensor windows = spreadApart(permute(split, {0, 2, 1, 4, 5, 3}), g.dilation[0]);
  const Tensor whole = fold(windows, 2, g.stride[0], g.full(0, depth, taps));
  return pad(whole, {{2, -g.padding[0], g.outputPadding[0] - g.padding[0]}});
}

}  // namespace

Tensor convTranspose(const Tensor& x, const Tensor& w, const Tensor& b,
                     const ConvTransposeOptions& options) {
  if (const gate::AutocastCall cast{AutocastClass::LowPrecision})
    return convTranspose(cast(x), cast(w), cast(b), options);
  const int axes = spatial::axesOf(x, "conv_transpose", "x");
  const Transposed g = checked(spatial::nameOf("conv_transpose", axes), x, w, b, options);
  Tensor y = axes == 1   ? squeeze(images(unsqueeze(x, 2), unsqueeze(w, 2), g, -1, 0), 2)
             : axes == 2 ? images(x, w, g, 0, 1)
                         : volumes(x, w, g);
  if (!b.defined()) return y;
  Shape shape = {b.size(0)};
  shape.resize(axes + 1);
  return add(y, reshape(b, shape));
}

}  // namespace tenon
