// SPDX-License-Identifier: Apache-2.0
// Losses of distances between numbers, and what all losses share.
#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/losses/loss_parts.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon {
namespace losses {

Tensor reduced(const Tensor& losses, Reduction reduction) {
  if (reduction == Reduction::None) return losses;
  return reduction == Reduction::Mean ? mean(losses) : sum(losses);
}

void needFloatingInput(const char* loss, const Tensor& x) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] an input is undefined: it holds no tensor", loss));
  if (!isFloating(x.dtype()))
    throw Error(Code::Type, fmt::format("[{}] wants a floating type, got {}", loss, describe(x)));
}

void needAlike(const char* loss, const Tensor& x, const Tensor& target) {
  needFloatingInput(loss, x);
  needFloatingInput(loss, target);
  if (x.dtype() != target.dtype())
    throw Error(Code::Type, fmt::format("[{}] wants one type, got {} and {}", loss, describe(x),
                                        describe(target)));
  if (!(x.shape() == target.shape()))
    throw Error(Code::Shape, fmt::format("[{}] wants one shape, got {} and {}", loss, describe(x),
                                         describe(target)));
}

Tensor positivePart(const Tensor& x) { return clamp(x, 0, HUGE_VAL); }

}  // namespace losses

using losses::needAlike;
using losses::reduced;

namespace {

/// Half squares of differences below `limit`, lines beyond; the slope of the lines is `limit`.
Tensor halfSquares(const Tensor& difference, double limit) {
  // One formula for both, with c the difference up to the limit: no side overflows that is not
  // taken, and the gradient of NaN is NaN.
  const Tensor c = clamp(difference, -limit, limit);
  return mul(c, sub(difference, mulScalar(c, 0.5)));
}

}  // namespace

Tensor mseLoss(const Tensor& x, const Tensor& target, Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return mseLoss(cast(x), cast(target), reduction);
  needAlike("mse_loss", x, target);
  return reduced(square(sub(x, target)), reduction);
}

Tensor l1Loss(const Tensor& x, const Tensor& target, Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return l1Loss(cast(x), cast(target), reduction);
  needAlike("l1_loss", x, target);
  return reduced(abs(sub(x, target)), reduction);
}

Tensor smoothL1Loss(const Tensor& x, const Tensor& target, double beta, Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return smoothL1Loss(cast(x), cast(target), beta, reduction);
  needAlike("smooth_l1_loss", x, target);
  if (!(beta >= 0))
    throw Error(Code::Usage, fmt::format("[smooth_l1_loss] beta must not be negative: {}", beta));
  const Tensor difference = sub(x, target);
  // Below this the squares are no part of what f32 tells apart, and 1 / beta would be infinite.
  constexpr double kOnlyLines = 1e-30;
  if (beta < kOnlyLines) return reduced(abs(difference), reduction);
  return reduced(mulScalar(halfSquares(difference, beta), 1 / beta), reduction);
}

Tensor huberLoss(const Tensor& x, const Tensor& target, double delta, Reduction reduction) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return huberLoss(cast(x), cast(target), delta, reduction);
  needAlike("huber_loss", x, target);
  if (!(delta > 0))
    throw Error(Code::Usage, fmt::format("[huber_loss] delta must be positive: {}", delta));
  return reduced(halfSquares(sub(x, target), delta), reduction);
}

}  // namespace tenon
