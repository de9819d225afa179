// SPDX-License-Identifier: Apache-2.0
// Operators rms_norm and rms_norm_backward: shape rules, gradients, samples.
#include "engine/ops/rms_norm/rms_norm.h"

#include "engine/ops/checks.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/trailing_axes.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

constexpr const char* kNormalized = "the normalized axes of x";

int checkedAxes(const OpCall& call, size_t x) {
  const auto& p = call.as<RmsNormParams>();
  return checkedTrailingAxes(call, x, p.axes, p.eps);
}

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const int axes = checkedAxes(call, 0);
  const DType statistics = requireParameterTypes(call, 0, {1});
  const Shape& x = call.input(0).shape();
  requireShape(call, 1, lastAxes(x, axes), kNormalized);
  out[0] = {x, call.input(0).dtype()};
  out[1] = {firstAxes(x, x.ndim() - axes), statistics};
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const int axes = checkedAxes(call, 1);
  requirePresent(call, {0, 3});
  const DType type = requireOneFloatingType(call, {0, 1});
  const DType statistics = requireParameterTypes(call, 1, {2, 3});
  const Shape& x = call.input(1).shape();
  requireShape(call, 0, x, "the shape of x");
  requireShape(call, 2, lastAxes(x, axes), kNormalized);
  requireShape(call, 3, firstAxes(x, x.ndim() - axes), "one value a row");
  out[0] = {x, type};
  out[1] = {lastAxes(x, axes), call.has(2) ? call.input(2).dtype() : statistics};
}

extern const OpDef kBackward;

void fusedGrad(GradCall& call) {
  gate::Outputs out = gate::runAll(
      kBackward, {&call.gradOutputs[0], &call.inputs[0], &call.inputs[1], &call.outputs[1]},
      call.params);
  for (size_t i = 0; i < 2; ++i)
    if (call.needs(i)) call.gradInputs[i] = cast(out[i], call.inputMetas[i].dtype);
}

/// The rule built from differentiable operators: the root is a function of x again.
void spelledGrad(GradCall& call) {
  const auto& p = call.as<RmsNormParams>();
  const DType statistics = statisticsType(call.inputMetas[0].dtype);
  const Tensor x = cast(call.inputs[0], statistics);
  const Tensor dy = cast(call.gradOutputs[0], statistics);
  Axes normalized, rows;
  for (int i = 0; i < x.ndim(); ++i)
    (i < x.ndim() - static_cast<int>(p.axes) ? rows : normalized).push_back(i);
  const Tensor rstd = rsqrt(addScalar(mean(mul(x, x), normalized, true), p.eps));
  const Tensor xhat = mul(x, rstd);
  if (call.needs(0)) {
    const Tensor g = call.inputs[1] ? mul(dy, cast(call.inputs[1], statistics)) : dy;
    const Tensor along = mul(xhat, mean(mul(g, xhat), normalized, true));
    call.gradInputs[0] = cast(mul(sub(g, along), rstd), call.inputMetas[0].dtype);
  }
  if (!call.needs(1)) return;
  const Tensor each = mul(dy, xhat);  // an empty list of axes would mean all of them
  call.gradInputs[1] = cast(rows.empty() ? each : sum(each, rows), call.inputMetas[1].dtype);
}

using Values = SampleInput::Values;

struct Case {
  const char* name;
  Shape x;
  int64_t axes = 1;
  bool scaled = true;
};

const Case kCases[] = {
    {"rows", {4, 7}},
    {"eights", {3, 16}},
    {"one row", {9}},
    {"three axes", {2, 3, 5}},
    {"two axes normalized", {2, 3, 4}, 2},
    {"all axes", {3, 4}, 2},
    {"without gamma", {2, 2, 6}, 1, false},
    {"long rows", {2, 37}},
};

SampleInput gammaOf(const Case& c) {
  return {lastAxes(c.x, static_cast<int>(c.axes)), c.scaled ? Values::Uniform : Values::Absent};
}

std::vector<OpSample> forwardSamples() {
  std::vector<OpSample> samples;
  for (const Case& c : kCases)
    samples.push_back({c.name, {{c.x}, gammaOf(c)}, sampleParams(RmsNormParams{1e-3, c.axes}), {}});
  const auto params = [](double eps, int64_t axes) {
    return sampleParams(RmsNormParams{eps, axes});
  };
  samples.push_back({"gamma",
                     {{{2, 3}}, {{2}}},
                     params(1e-3, 1),
                     {"[rms_norm] gamma wants shape [3] (the normalized axes of x), got [2]"}});
  samples.push_back({"too many axes",
                     {{{2, 3}}, {{}, Values::Absent}},
                     params(1e-3, 3),
                     {"normalizes 1 to 2 trailing axes, got 3"}});
  samples.push_back({"eps", {{{2, 3}}, {{3}}}, params(0, 1), {"wants eps > 0, got 0"}});
  samples.push_back(
      {"nothing", {{{2, 0}}, {{}, Values::Absent}}, params(1e-3, 1), {"a trailing axis is empty"}});
  samples.push_back({"integers",
                     {{{2, 3}, Values::Index, 0, 5}, {{}, Values::Absent}},
                     params(1e-3, 1),
                     {"x wants a floating type, got i64"}});
  return samples;
}

std::vector<OpSample> backwardSamples() {
  std::vector<OpSample> samples;
  for (const Case& c : kCases) {
    const Shape rows = firstAxes(c.x, c.x.ndim() - static_cast<int>(c.axes));
    samples.push_back({c.name,
                       {{c.x}, {c.x}, gammaOf(c), {rows, Values::Positive, 0.5, 2}},
                       sampleParams(RmsNormParams{1e-3, c.axes}),
                       {}});
  }
  samples.push_back({"other gradient",
                     {{{2, 4}}, {{2, 3}}, {{3}}, {{2}}},
                     sampleParams(RmsNormParams{1e-3, 1}),
                     {"dy wants shape [2, 3] (the shape of x), got [2, 4]"}});
  return samples;
}

void describeParams(const void* params, ParamMap& out) {
  const auto* p = static_cast<const RmsNormParams*>(params);
  out.set("eps", p->eps);
  out.set("axes", p->axes);
}

const OpDef kRmsNorm = {.id = "rms_norm",
                        .help = "Rows divided by the root of their mean square, then scaled.",
                        .inputNames = {"x", "gamma"},
                        .outputs = 2,
                        .paramBytes = sizeof(RmsNormParams),
                        .meta = &forwardMeta,
                        .savesInputs = 0b11,
                        .savesOutputs = 0b10,
                        .nonDifferentiable = 0b10,
                        .grad = &fusedGrad,
                        .gradDifferentiable = &spelledGrad,
                        .autocast = AutocastClass::Float32,
                        .describe = &describeParams,
                        .samples = &forwardSamples};

const OpDef kBackward = {.id = "rms_norm_backward",
                         .help = "Gradients of rms_norm.",
                         .inputNames = {"dy", "x", "gamma", "rstd"},
                         .outputs = 2,
                         .paramBytes = sizeof(RmsNormParams),
                         .meta = &backwardMeta,
                         .describe = &describeParams,
                         .samples = &backwardSamples};

const OpDef* const kOps[] = {&kRmsNorm, &kBackward};

}  // namespace

OpDefList opDefs_rms_norm();
OpDefList opDefs_rms_norm() { return {kOps, 2}; }

Tensor rmsNorm(const Tensor& x, const Tensor& gamma, const RmsNormParams& params) {
  RmsNormParams own = params;
  if (own.eps == kEpsilonOfType && x.defined())
    own.eps = x.dtype() == DType::F64 ? 0x1p-52 : 0x1p-23;
  return gate::runAll(kRmsNorm, {&x, &gamma}, &own)[0];
}

}  // namespace tenon
