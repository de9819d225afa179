// SPDX-License-Identifier: Apache-2.0
// Dropout of whole channels and whole samples: the dropout of ones, one for each part, times x.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

/// x times the dropout of as many ones as its first `axes` axes have elements.
Tensor dropParts(const char* op, const Tensor& x, double p, int axes, bool oneForAll) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] x is undefined: it holds no tensor", op));
  if (x.ndim() < axes)
    throw Error(Code::Shape,
                fmt::format("[{}] wants at least {} axes, got {}", op, axes, describe(x)));
  if (!(p >= 0 && p <= 1))
    throw Error(Code::Usage, fmt::format("[{}] p must be 0 .. 1, got {}", op, p));
  if (!isFloating(x.dtype()))
    throw Error(Code::Type, fmt::format("[{}] x must be floating, got {}", op, describe(x)));
  Shape parts;
  for (int axis = 0; axis < x.ndim(); ++axis)
    parts.push(axis < axes && !oneForAll ? x.size(axis) : 1);
  return mul(x, dropoutWithMask(Tensor::full(parts, 1, x.dtype()), p).y);
}

}  // namespace

Tensor channelDropout(const Tensor& x, double p, bool training) {
  if (!training || p == 0) return x;
  return dropParts("channel_dropout", x, p, 2, false);
}

Tensor stochasticDepth(const Tensor& x, double p, bool training, bool perSample) {
  if (!training || p == 0) return x;
  return dropParts("stochastic_depth", x, p, 1, !perSample);
}

}  // namespace tenon
