// SPDX-License-Identifier: Apache-2.0
// Channels as squares of pixels and back, by views.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/resize/resize.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

void needImages(const char* op, const Tensor& x, int64_t factor) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] x is undefined: it holds no tensor", op));
  if (x.ndim() != 4)
    throw Error(Code::Shape,
                fmt::format("[{}] x wants 4 axes [N, C, H, W], got {}", op, describe(x)));
  if (factor < 1)
    throw Error(Code::Usage, fmt::format("[{}] factor wants at least 1, got {}", op, factor));
}

}  // namespace

Tensor pixelShuffle(const Tensor& x, int64_t factor) {
  needImages("pixel_shuffle", x, factor);
  const int64_t f = factor, n = x.size(0), h = x.size(2), w = x.size(3);
  if (x.size(1) % (f * f) != 0)
    throw Error(Code::Shape, fmt::format("[pixel_shuffle] {} channels do not divide into squares "
                                         "of {} x {}: {}",
                                         x.size(1), f, f, describe(x)));
  const int64_t c = x.size(1) / (f * f);
  const Tensor dealt = permute(reshape(x, {n, c, f, f, h, w}), {0, 1, 4, 2, 5, 3});
  return reshape(dealt, {n, c, h * f, w * f});
}

Tensor pixelUnshuffle(const Tensor& x, int64_t factor) {
  needImages("pixel_unshuffle", x, factor);
  const int64_t f = factor, n = x.size(0), c = x.size(1);
  if (x.size(2) % f != 0 || x.size(3) % f != 0)
    throw Error(Code::Shape, fmt::format("[pixel_unshuffle] height and width do not divide by {}: "
                                         "{}",
                                         f, describe(x)));
  const int64_t h = x.size(2) / f, w = x.size(3) / f;
  const Tensor squares = permute(reshape(x, {n, c, h, f, w, f}), {0, 1, 3, 5, 2, 4});
  return reshape(squares, {n, c * f * f, h, w});
}

}  // namespace tenon
