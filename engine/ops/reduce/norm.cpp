// SPDX-License-Identifier: Apache-2.0
// Operator "norm" over axes, of any order.
#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/axes.h"
#include "engine/ops/reduce/families.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void normMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  needFloating(call, 0);
  const Tensor& x = call.input(0);
  const auto& params = call.as<NormParams>();
  out[0] = {reducedShape(x.shape(), params.over.axes, params.over.keepdim), x.dtype()};
  const bool empty = reducedCount(x.shape(), params.over.axes) == 0 && out[0].shape.numel() > 0;
  if (std::isnan(params.order) || (empty && std::isinf(params.order)))
    throw Error(Code::Shape, fmt::format("[norm] there is no norm of order {} of {}", params.order,
                                         describe(x)));
}

/// value where `mask` is not set, 0 where it is.
Tensor zeroWhere(const Tensor& mask, const Tensor& value) {
  return where(mask, Tensor::zeros({}, value.dtype(), value.device()), value);
}

// dy d/dx (sum |x|^p)^(1/p) = dy sign(x) |x|^(p-1) / y^(p-1), and 0 where y is 0
void normGrad(GradCall& call) {
  const auto& params = call.as<NormParams>();
  const double p = params.order;
  const Tensor& x = call.inputs[0];
  const Tensor y = keptAxes(call.outputs[0], call);
  const Tensor dy = keptAxes(call.gradOutputs[0], call);
  const Tensor zero = Tensor::zeros({}, x.dtype(), x.device());
  if (p == 0) {
    call.gradInputs[0] = Tensor::zeros(x.shape(), x.dtype(), x.device());
  } else if (std::isinf(p)) {
    const Tensor chosen = counted(equal(abs(x), y), x.dtype());
    call.gradInputs[0] = mul(sign(x), shared(dy, chosen, params.over));
  } else if (p == 1) {
    call.gradInputs[0] = mul(sign(x), dy);
  } else if (p == 2) {
    call.gradInputs[0] = mul(x, zeroWhere(equal(y, zero), div(dy, y)));
  } else {
    const Tensor slope = mul(sign(x), powScalar(abs(x), p - 1));
    const Tensor scale = zeroWhere(equal(y, zero), div(dy, powScalar(y, p - 1)));
    call.gradInputs[0] = mul(p < 1 ? zeroWhere(equal(x, zero), slope) : slope, scale);
  }
}

void describeNorm(const void* params, ParamMap& out) {
  describeReduce(params, out);
  out.set("order", static_cast<const NormParams*>(params)->order);
}

std::vector<OpSample> normSamples() {
  std::vector<OpSample> samples;
  for (double order : {2.0, 1.0, 3.0, 1.5, 0.5, 0.0, HUGE_VAL, -HUGE_VAL}) {
    const auto over = [order](uint32_t axes, int keepdim = 0) {
      return sampleParams(NormParams{{axes, keepdim}, order});
    };
    const std::string name = fmt::format("order {}: ", order);
    samples.push_back({name + "rows", {{{3, 17}}}, over(2), {}});
    samples.push_back({name + "outer and inner", {{{2, 3, 5}}}, over(5, 1), {}});
  }
  const auto with = [](double order) { return sampleParams(NormParams{{3, 0}, order}); };
  samples.push_back({"no elements", {{{2, 0}}}, with(2), {}});
  samples.push_back({"largest of none", {{{2, 0}}}, with(HUGE_VAL), {"no norm of order inf"}});
  samples.push_back({"order NaN", {{{2, 2}}}, with(NAN), {"no norm of order nan"}});
  samples.push_back(
      {"integers", {{{2, 3}, SampleInput::Values::Index, 0, 5}}, with(2), {"floating"}});
  return samples;
}

const OpDef kNorm = {.id = "norm",
                     .help = "Norm over axes: (sum |x|^order)^(1 / order).",
                     .inputNames = {"x"},
                     .paramBytes = sizeof(NormParams),
                     .meta = &normMeta,
                     .savesInputs = 1,
                     .savesOutputs = 1,
                     .grad = &normGrad,
                     .autocast = AutocastClass::Float32,
                     .describe = &describeNorm,
                     .samples = &normSamples};

}  // namespace

Tensor norm(const Tensor& x, double order, const Axes& axes, bool keepdim) {
  const NormParams params{reduceParams(x, axes, keepdim, "norm"), order};
  return gate::run(kNorm, {&x}, &params);
}

void appendNorm(OpDefs& ops) { ops.push_back(&kNorm); }

}  // namespace tenon
