// SPDX-License-Identifier: Apache-2.0
// Operator "glu" and its fused gradient.
#include "engine/ops/glu/glu.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/arrange/arrange.h"
#include "engine/ops/checks.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

int axisOf(const OpCall& call, const Tensor& x) {
  return normalizeAxis(call.as<GluParams>().axis, x.ndim(), call.op.id);
}

/// The shape of one half of x.
Shape halfOf(const OpCall& call, const Tensor& x) {
  Shape half = x.shape();
  const int axis = x.ndim() ? axisOf(call, x) : -1;
  if (axis < 0 || half[axis] % 2 != 0)
    throw Error(Code::Shape, fmt::format("[{}] axis {} of {} has no two equal halves", call.op.id,
                                         call.as<GluParams>().axis, describe(x)));
  half[axis] /= 2;
  return half;
}

void gluMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  needFloating(call, 0);
  out[0] = {halfOf(call, call.input(0)), call.input(0).dtype()};
}

/// Inputs: the gradient that arrives, and x.
void gluBackwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needFloating(call, 1);
  needSameType(call, 0, 1);
  needShape(call, 0, halfOf(call, call.input(1)));
  out[0] = {call.input(1).shape(), call.input(1).dtype()};
}

/// In f32 where x has 16 bits, so that 1 - sigmoid keeps its digits.
void gluGradTraced(GradCall& call) {
  const DType type = call.gradOutputs[0].dtype();
  const Tensor dy = cast(call.gradOutputs[0], statisticsType(type));
  const Tensor x = cast(call.inputs[0], statisticsType(type));
  const int axis = normalizeAxis(call.as<GluParams>().axis, x.ndim(), "glu");
  const int64_t half = x.size(axis) / 2;
  const Tensor a = narrow(x, axis, 0, half), b = narrow(x, axis, half, half);
  const Tensor passed = mul(dy, sigmoid(b));
  const Tensor dx = cat({passed, mul(mul(passed, a), sigmoid(neg(b)))}, axis);
  call.gradInputs[0] = cast(dx, type);
}

void describeGlu(const void* params, ParamMap& out) {
  out.set("axis", int64_t{static_cast<const GluParams*>(params)->axis});
}

struct Case {
  const char* name;
  Shape x;
  int axis;
  Shape half;
};
const Case kCases[] = {{"last axis", {2, 3, 10}, -1, {2, 3, 5}},
                       {"channels", {2, 6, 3, 3}, 1, {2, 3, 3, 3}},
                       {"first axis", {4, 3}, 0, {2, 3}},
                       {"whole vectors", {3, 64}, 1, {3, 32}},
                       {"nothing", {2, 0}, 1, {2, 0}}};

std::vector<OpSample> gluSamples() {
  std::vector<OpSample> samples;
  for (const Case& c : kCases)
    samples.push_back({c.name, {{c.x}}, sampleParams(GluParams{c.axis}), {}});
  samples.push_back(
      {"odd", {{{2, 3}}}, sampleParams(GluParams{1}), {"no two equal halves", "[2, 3]"}});
  samples.push_back({"scalar", {{{}}}, sampleParams(GluParams{0}), {"no two equal halves"}});
  return samples;
}
std::vector<OpSample> gluBackwardSamples() {
  std::vector<OpSample> samples;
  for (const Case& c : kCases)
    samples.push_back({c.name, {{c.half}, {c.x}}, sampleParams(GluParams{c.axis}), {}});
  samples.push_back({"another shape",
                     {{{2, 4}}, {{2, 4}}},
                     sampleParams(GluParams{1}),
                     {"dy must have shape", "[2, 2]"}});
  return samples;
}

const OpDef kGluBackward = {.id = "glu_backward",
                            .help = "Gradient of glu.",
                            .inputNames = {"dy", "x"},
                            .paramBytes = sizeof(GluParams),
                            .meta = &gluBackwardMeta,
                            .describe = &describeGlu,
                            .samples = &gluBackwardSamples};

void gluGrad(GradCall& call) {
  call.gradInputs[0] =
      gate::run(kGluBackward, {&call.gradOutputs[0], &call.inputs[0]}, call.params);
}

const OpDef kGlu = {.id = "glu",
                    .help = "a * sigmoid(b) for the halves a and b of an axis.",
                    .inputNames = {"x"},
                    .paramBytes = sizeof(GluParams),
                    .meta = &gluMeta,
                    .savesInputs = 1,
                    .grad = &gluGrad,
                    .gradDifferentiable = &gluGradTraced,
                    .describe = &describeGlu,
                    .samples = &gluSamples};

}  // namespace

Tensor glu(const Tensor& x, int axis) {
  const GluParams params{axis};
  return gate::run(kGlu, {&x}, &params);
}

OpDefList opDefs_glu();
OpDefList opDefs_glu() {
  static const OpDef* const kOps[] = {&kGlu, &kGluBackward};
  return {kOps, 2};
}

}  // namespace tenon
