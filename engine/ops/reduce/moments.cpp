// SPDX-License-Identifier: Apache-2.0
// Operators "var" and "std" over axes.
#include <algorithm>

#include "engine/ops/checks.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/axes.h"
#include "engine/ops/reduce/families.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void momentMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  needFloating(call, 0);
  const auto& params = call.as<MomentParams>().over;
  out[0] = {reducedShape(call.input(0).shape(), params.axes, params.keepdim),
            call.input(0).dtype()};
}

/// dx = dy 2 (x - mean) / (n - correction)
Tensor varianceGrad(const GradCall& call, const Tensor& dy) {
  const auto& params = call.as<MomentParams>();
  const Tensor& x = call.inputs[0];
  Axes axes;
  for (int i = 0; i < x.ndim(); ++i)
    if ((params.over.axes >> i) & 1u) axes.push_back(i);
  const auto n = static_cast<double>(reducedCount(x.shape(), params.over.axes));
  const double factor = 2.0 / std::max(n - params.correction, 0.0);
  // f16 and bf16 would round the mean before it is taken away: close numbers would have no distance
  const Tensor wide = cast(x, statisticsType(x.dtype()));
  const Tensor centred = axes.empty() ? sub(wide, wide) : sub(wide, mean(wide, axes, true));
  return cast(mul(centred, mulScalar(keptAxes(dy, call), factor)), x.dtype());
}

void varGrad(GradCall& call) { call.gradInputs[0] = varianceGrad(call, call.gradOutputs[0]); }

void stdGrad(GradCall& call) {
  const Tensor& y = call.outputs[0];
  const Tensor zero = Tensor::zeros({}, y.dtype(), y.device());
  const Tensor slope = div(call.gradOutputs[0], mulScalar(y, 2));
  call.gradInputs[0] = varianceGrad(call, where(equal(y, zero), zero, slope));
}

void describeMoment(const void* params, ParamMap& out) {
  describeReduce(params, out);
  out.set("correction", static_cast<const MomentParams*>(params)->correction);
}

std::vector<OpSample> momentSamples() {
  const auto over = [](uint32_t axes, double correction, int keepdim = 0) {
    return sampleParams(MomentParams{{axes, keepdim}, correction});
  };
  return {
      {"all", {{{2, 3, 5}}}, over(7, 1), {}},
      {"rows", {{{3, 17}}}, over(2, 0), {}},
      {"columns", {{{17, 3}}}, over(1, 1, 1), {}},
      {"channels", {{{2, 3, 4, 5}}}, over(1 | 4 | 8, 0.5), {}},
      {"no results", {{{0, 3}}}, over(2, 1), {}},
      {"integers", {{{2, 3}, SampleInput::Values::Index, 0, 5}}, over(3, 1), {"x", "floating"}}};
}

const OpDef kVar = {.id = "var",
                    .help = "Variance over axes.",
                    .inputNames = {"x"},
                    .paramBytes = sizeof(MomentParams),
                    .meta = &momentMeta,
                    .savesInputs = 1,
                    .grad = &varGrad,
                    .describe = &describeMoment,
                    .samples = &momentSamples};
const OpDef kStd = {.id = "std",
                    .help = "Standard deviation over axes; the gradient at 0 is 0.",
                    .inputNames = {"x"},
                    .paramBytes = sizeof(MomentParams),
                    .meta = &momentMeta,
                    .savesInputs = 1,
                    .savesOutputs = 1,
                    .grad = &stdGrad,
                    .describe = &describeMoment,
                    .samples = &momentSamples};

Tensor moment(const OpDef& op, const Tensor& x, const Axes& axes, double correction, bool keepdim) {
  const MomentParams params{reduceParams(x, axes, keepdim, op.id), correction};
  return gate::run(op, {&x}, &params);
}

}  // namespace

Tensor var(const Tensor& x, const Axes& axes, double correction, bool keepdim) {
  return moment(kVar, x, axes, correction, keepdim);
}
Tensor stddev(const Tensor& x, const Axes& axes, double correction, bool keepdim) {
  return moment(kStd, x, axes, correction, keepdim);
}

void appendMoments(OpDefs& ops) {
  ops.push_back(&kVar);
  ops.push_back(&kStd);
}

}  // namespace tenon
