// SPDX-License-Identifier: Apache-2.0
// Group and instance norm as layer norm of rows: one row a sample and group.
#include "engine/ops/layer_norm/group_norm.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/layer_norm/layer_norm.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

void needChannels(const char* op, const Tensor& x, int least) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] x is undefined: it holds no tensor", op));
  if (x.ndim() < least)
    throw Error(Code::Shape, fmt::format("[{}] x wants at least {} axes [N, C, ...], got {}", op,
                                         least, describe(x)));
}

/// One value a channel, shaped to multiply x; undefined stays undefined.
Tensor alongChannels(const char* op, const char* name, const Tensor& values, const Tensor& x) {
  if (!values.defined()) return values;
  const bool typed = values.dtype() == x.dtype() || values.dtype() == statisticsType(x.dtype());
  if (!(values.shape() == Shape{x.size(1)}) || !typed)
    throw Error(Code::Shape, fmt::format("[{}] {} wants {} [{}] (one value a channel), got {}", op,
                                         name, dtypeName(x.dtype()), x.size(1), describe(values)));
  Shape shape = {x.size(1)};
  shape.resize(x.ndim() - 1);
  return reshape(values, shape);
}

/// y as `input`, statistics one a sample and group. f16 and bf16 are computed in f32 and rounded
/// once.
LayerNormResult normalized(const char* op, const Tensor& input, int64_t groups, const Tensor& gamma,
                           const Tensor& beta, double eps) {
  const Tensor scale = alongChannels(op, "gamma", gamma, input);
  const Tensor shift = alongChannels(op, "beta", beta, input);
  const Tensor x = cast(input, statisticsType(input.dtype()));
  LayerNormParams params;
  params.eps = eps;
  const int64_t rows = x.size(0) * groups;
  const Tensor flat = reshape(x, {rows, rows == 0 ? 1 : x.numel() / rows});
  LayerNormResult result = layerNormWithStatistics(flat, {}, {}, params);
  Tensor y = reshape(result.y, x.shape());
  if (scale.defined()) y = mul(y, scale);
  if (shift.defined()) y = add(y, shift);
  result.y = cast(y, input.dtype());
  return result;
}

void needPlaces(const Tensor& x) {
  needChannels("instance_norm", x, 3);
  const int64_t rows = x.size(0) * x.size(1);
  if (rows > 0 && x.numel() / rows < 2)
    throw Error(
        Code::Shape,
        fmt::format("[instance_norm] wants more than one place a channel, got {}", describe(x)));
}

}  // namespace

Tensor groupNorm(const Tensor& x, int64_t groups, const Tensor& gamma, const Tensor& beta,
                 double eps) {
  if (const gate::AutocastCall cast{AutocastClass::Float32})
    return groupNorm(cast(x), groups, cast(gamma), cast(beta), eps);
  needChannels("group_norm", x, 2);
  if (groups < 1 || x.size(1) % groups != 0)
    throw Error(Code::Shape, fmt::format("[group_norm] {} channels do not divide into {} groups: "
                                         "{}",
                                         x.size(1), groups, describe(x)));
  return normalized("group_norm", x, groups, gamma, beta, eps).y;
}

Tensor instanceNorm(const Tensor& x, const Tensor& gamma, const Tensor& beta, double eps) {
  needPlaces(x);
  return normalized("instance_norm", x, x.size(1), gamma, beta, eps).y;
}

InstanceNormResult instanceNormTraining(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                                        double eps) {
  needPlaces(x);
  const LayerNormResult rows = normalized("instance_norm", x, x.size(1), gamma, beta, eps);
  const gate::NoGradGuard noGrad;
  const Shape samples = {x.size(0), x.size(1)};
  // var + eps back from its root; a variance far below eps may round to less than nothing.
  const Tensor wide = reciprocal(square(rows.rstd));
  const Tensor var = clamp(addScalar(wide, -eps), 0, HUGE_VAL);
  return {rows.y, reshape(rows.mean, samples), reshape(var, samples)};
}

void instanceNormUpdateStats(const Tensor& runningMean, const Tensor& runningVar,
                             const InstanceNormResult& batch, double momentum, int64_t places) {
  const int64_t channels = batch.mean.size(1);
  for (const Tensor* running : {&runningMean, &runningVar})
    if (!running->defined() || !(running->shape() == Shape{channels}))
      throw Error(Code::Shape, fmt::format("[instance_norm] running statistics want [{}] (one "
                                           "value a channel) for {}",
                                           channels, describe(batch.y)));
  if (places < 2)
    throw Error(Code::Usage, fmt::format("[instance_norm] an unbiased variance wants 2 places a "
                                         "channel or more, got {}",
                                         places));
  const gate::NoGradGuard noGrad;
  const auto update = [&](const Tensor& running, const Tensor& perSample, double factor) {
    mulScalarInPlace(running, 1 - momentum);
    axpyInPlace(running, mean(perSample, {0}), momentum * factor);
  };
  const auto n = static_cast<double>(places);
  update(runningMean, batch.mean, 1);
  update(runningVar, batch.var, n / (n - 1));
}

}  // namespace tenon
