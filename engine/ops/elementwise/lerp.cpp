// SPDX-License-Identifier: Apache-2.0
// Operators "lerp" and "lerp_scalar", and the pointwise functions that are made of other operators.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/elementwise/families.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void lerpMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 3);
  needFloating(call, 0);
  needSameType(call, 0, 1);
  needSameType(call, 0, 2);
  const Shape ends = broadcastShapes(call.input(0).shape(), call.input(1).shape(), call.op.id);
  out[0] = {broadcastShapes(ends, call.input(2).shape(), call.op.id), call.input(0).dtype()};
}

void lerpGrad(GradCall& call) {
  const Tensor& dy = call.gradOutputs[0];
  const Tensor& weight = call.inputs[2];
  const auto give = [&call](size_t i, const Tensor& dx) {
    call.gradInputs[i] = sumTo(dx, call.inputMetas[i].shape);
  };
  if (call.needs(0)) give(0, mul(dy, addScalar(neg(weight), 1)));
  if (call.needs(1)) give(1, mul(dy, weight));
  if (call.needs(2)) give(2, mul(dy, sub(call.inputs[1], call.inputs[0])));
}

std::vector<OpSample> lerpSamples() {
  return {{"same shape", {{{2, 3, 5}}, {{2, 3, 5}}, {{2, 3, 5}}}, {}, {}},
          {"blocks", {{{2, 16, 3, 3}}, {{2, 16, 3, 3}}, {{2, 16, 3, 3}}}, {}, {}},
          {"one weight", {{{2, 3}}, {{3}}, {{}}}, {}, {}},
          {"weights of a column", {{{4}}, {{2, 1}}, {{3, 1, 1}}}, {}, {}},
          {"weights that do not broadcast", {{{2, 3}}, {{3}}, {{4}}}, {}, {"axis -1", "[4]"}},
          {"flags as weights", {{{2}}, {{2}}, {{2}, SampleInput::Values::Bool}}, {}, {"weight"}}};
}

const OpDef kLerp = {.id = "lerp",
                     .help = "a + weight (b - a).",
                     .inputNames = {"a", "b", "weight"},
                     .meta = &lerpMeta,
                     .savesInputs = 7,
                     .grad = &lerpGrad,
                     .samples = &lerpSamples};

void lerpScalarMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needFloating(call, 0);
  broadcastPair(call, out);
}

void lerpScalarGrad(GradCall& call) {
  const double weight = call.as<ScalarParams>().value;
  const auto give = [&call](size_t i, double share) {
    call.gradInputs[i] = sumTo(mulScalar(call.gradOutputs[0], share), call.inputMetas[i].shape);
  };
  if (call.needs(0)) give(0, 1 - weight);
  if (call.needs(1)) give(1, weight);
}

std::vector<OpSample> lerpScalarSamples() {
  const auto near = sampleParams(ScalarParams{0.3}), far = sampleParams(ScalarParams{1.25});
  return {{"same shape", {{{2, 3, 5}}, {{2, 3, 5}}}, near, {}},
          {"blocks", {{{2, 16, 3, 3}}, {{2, 16, 3, 3}}}, far, {}},
          {"padded blocks", {{{2, 5, 3, 3}}, {{2, 5, 3, 3}}}, near, {}},
          {"broadcast", {{{3, 1}}, {{2, 1, 4}}}, far, {}},
          {"shapes that do not broadcast", {{{2, 3}}, {{4}}}, near, {"axis -1", "[4]"}},
          {"flags", {{{2}, SampleInput::Values::Bool}, {{2}}}, near, {"floating"}}};
}

// The number stays f64 up to the kernel: beside 16-bit tensors it is never rounded to their type.
const OpDef kLerpScalar = {.id = "lerp_scalar",
                           .help = "a + value (b - a), with one value for all elements.",
                           .inputNames = {"a", "b"},
                           .paramBytes = sizeof(ScalarParams),
                           .meta = &lerpScalarMeta,
                           .grad = &lerpScalarGrad,
                           .describe =
                               [](const void* params, ParamMap& out) {
                                 out.set("value", static_cast<const ScalarParams*>(params)->value);
                               },
                           .samples = &lerpScalarSamples};

void needDefined(const Tensor& x, const char* op, const char* name) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] {} is undefined: it holds no tensor", op, name));
}

}  // namespace

Tensor lerp(const Tensor& a, const Tensor& b, const Tensor& weight) {
  return gate::run(kLerp, {&a, &b, &weight});
}

Tensor lerp(const Tensor& a, const Tensor& b, double weight) {
  const ScalarParams params{weight};
  return gate::run(kLerpScalar, {&a, &b}, &params);
}

Tensor logicalNot(const Tensor& x) {
  needDefined(x, "logical_not", "x");
  return equal(x, Tensor::zeros({}, x.dtype(), x.device()));
}

Tensor prelu(const Tensor& x, const Tensor& weight) {
  needDefined(x, "prelu", "x");
  needDefined(weight, "prelu", "weight");
  const int64_t channels = x.ndim() > 1 ? x.size(1) : 1;
  const bool fits = weight.ndim() == 1 && (weight.size(0) == 1 || weight.size(0) == channels);
  if (!fits)
    throw Error(Code::Shape, fmt::format("[prelu] weight must be [1] or [{}], one a channel of {}; "
                                         "got {}",
                                         channels, describe(x), describe(weight)));
  if (x.ndim() < 3) return leakyReluBy(x, x.ndim() ? weight : reshape(weight, {}));
  Shape shape{weight.size(0)};
  shape.resize(x.ndim() - 1, 1);
  return leakyReluBy(x, reshape(weight, shape));
}

void appendLerp(OpDefs& ops) {
  ops.push_back(&kLerp);
  ops.push_back(&kLerpScalar);
}

}  // namespace tenon
