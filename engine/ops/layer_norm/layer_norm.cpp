// SPDX-License-Identifier: Apache-2.0
// Operators layer_norm and layer_norm_backward: shape rules, gradients, samples.
#include "engine/ops/layer_norm/layer_norm.h"

#include "engine/ops/checks.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/trailing_axes.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

constexpr const char* kNormalized = "the normalized axes of x";

int checkedAxes(const OpCall& call, size_t x) {
  const auto& p = call.as<LayerNormParams>();
  return checkedTrailingAxes(call, x, p.axes, p.eps);
}

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const int axes = checkedAxes(call, 0);
  const DType statistics = requireParameterTypes(call, 0, {1, 2});
  const Shape& x = call.input(0).shape();
  requireShape(call, 1, lastAxes(x, axes), kNormalized);
  requireShape(call, 2, lastAxes(x, axes), kNormalized);
  out[0] = {x, call.input(0).dtype()};
  out[1] = out[2] = {firstAxes(x, x.ndim() - axes), statistics};
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const int axes = checkedAxes(call, 1);
  requirePresent(call, {0, 3, 4});
  const DType type = requireOneFloatingType(call, {0, 1});
  const DType statistics = requireParameterTypes(call, 1, {2, 3, 4});
  const Shape& x = call.input(1).shape();
  requireShape(call, 0, x, "the shape of x");
  requireShape(call, 2, lastAxes(x, axes), kNormalized);
  requireShape(call, 3, firstAxes(x, x.ndim() - axes), "one value a row");
  requireShape(call, 4, firstAxes(x, x.ndim() - axes), "one value a row");
  out[0] = {x, type};
  out[1] = out[2] = {lastAxes(x, axes), call.has(2) ? call.input(2).dtype() : statistics};
}

extern const OpDef kBackward;

void fusedGrad(GradCall& call) {
  gate::Outputs out = gate::runAll(
      kBackward,
      {&call.gradOutputs[0], &call.inputs[0], &call.inputs[1], &call.outputs[1], &call.outputs[2]},
      call.params);
  for (size_t i = 0; i < 3; ++i)
    if (call.needs(i)) call.gradInputs[i] = cast(out[i], call.inputMetas[i].dtype);
}

/// The rule built from differentiable operators: the statistics are functions of x again.
void spelledGrad(GradCall& call) {
  const auto& p = call.as<LayerNormParams>();
  const DType statistics = statisticsType(call.inputMetas[0].dtype);
  const Tensor x = cast(call.inputs[0], statistics);
  const Tensor dy = cast(call.gradOutputs[0], statistics);
  const auto give = [&](size_t i, const Tensor& t) {
    call.gradInputs[i] = cast(t, call.inputMetas[i].dtype);
  };
  Axes normalized, rows;
  for (int i = 0; i < x.ndim(); ++i)
    (i < x.ndim() - static_cast<int>(p.axes) ? rows : normalized).push_back(i);
  const Tensor centred = sub(x, mean(x, normalized, true));
  const Tensor var = mean(mul(centred, centred), normalized, true);
  const Tensor rstd = rsqrt(addScalar(var, p.eps));
  const Tensor xhat = mul(centred, rstd);
  if (call.needs(0)) {
    const Tensor g = call.inputs[1] ? mul(dy, cast(call.inputs[1], statistics)) : dy;
    const Tensor flat = sub(g, mean(g, normalized, true));
    const Tensor along = mul(xhat, mean(mul(g, xhat), normalized, true));
    give(0, mul(sub(flat, along), rstd));
  }
  // Without leading axes there is nothing to sum over (an empty list would mean all axes).
  const auto overRows = [&](const Tensor& t) { return rows.empty() ? t : sum(t, rows); };
  if (call.needs(1)) give(1, overRows(mul(dy, xhat)));
  if (call.needs(2)) give(2, overRows(dy));
}

using Values = SampleInput::Values;

struct Case {
  const char* name;
  Shape x;
  int64_t axes = 1;
  bool affine = true;
};

const Case kCases[] = {
    {"rows", {4, 7}},
    {"eights", {3, 16}},
    {"one row", {9}},
    {"three axes", {2, 3, 5}},
    {"two axes normalized", {2, 3, 4}, 2},
    {"all axes", {3, 4}, 2},
    {"without gamma and beta", {2, 2, 6}, 1, false},
    {"long rows", {2, 37}},
};

SampleInput affineValues(const Case& c) {
  return {lastAxes(c.x, static_cast<int>(c.axes)), c.affine ? Values::Uniform : Values::Absent};
}

std::vector<OpSample> forwardSamples() {
  std::vector<OpSample> samples;
  for (const Case& c : kCases)
    samples.push_back({c.name,
                       {{c.x, Values::Distinct}, affineValues(c), affineValues(c)},
                       sampleParams(LayerNormParams{1e-3, c.axes}),
                       {}});
  const auto two = sampleParams(LayerNormParams{1e-5, 2});
  samples.push_back({"gamma",
                     {{{2, 3, 4}}, {{4}}, {{3, 4}}},
                     two,
                     {"gamma wants shape [3, 4] (the normalized axes of x), got [4]"}});
  samples.push_back(
      {"too many axes", {{{5}}, {{5}}, {{5}}}, two, {"normalizes 1 to 1 trailing axes, got 2"}});
  samples.push_back({"eps",
                     {{{2, 3}}, {{3}}, {{3}}},
                     sampleParams(LayerNormParams{0.0, 1}),
                     {"wants eps > 0, got 0"}});
  return samples;
}

std::vector<OpSample> backwardSamples() {
  std::vector<OpSample> samples;
  for (const Case& c : kCases) {
    const Shape rows = firstAxes(c.x, c.x.ndim() - static_cast<int>(c.axes));
    samples.push_back({c.name,
                       {{c.x}, {c.x}, affineValues(c), {rows}, {rows, Values::Positive, 0.5, 2.0}},
                       sampleParams(LayerNormParams{1e-3, c.axes}),
                       {}});
  }
  samples.push_back({"rows",
                     {{{2, 3}}, {{2, 3}}, {{3}}, {{3}}, {{2}}},
                     sampleParams(LayerNormParams{}),
                     {"mean wants shape [2] (one value a row), got [3]"}});
  return samples;
}

const OpDef kForward = {.id = "layer_norm",
                        .help =
                            "Each row brought to mean 0 and variance 1, then scaled and "
                            "shifted.",
                        .inputNames = {"x", "gamma", "beta"},
                        .outputs = 3,
                        .paramBytes = sizeof(LayerNormParams),
                        .meta = &forwardMeta,
                        .savesInputs = 0b011,
                        .savesOutputs = 0b110,
                        .nonDifferentiable = 0b110,
                        .grad = &fusedGrad,
                        .gradDifferentiable = &spelledGrad,
                        .autocast = AutocastClass::Float32,
                        .samples = &forwardSamples};
const OpDef kBackward = {.id = "layer_norm_backward",
                         .help = "Gradients of layer norm with respect to x, gamma and beta.",
                         .inputNames = {"dy", "x", "gamma", "mean", "rstd"},
                         .outputs = 3,
                         .paramBytes = sizeof(LayerNormParams),
                         .meta = &backwardMeta,
                         .samples = &backwardSamples};

const OpDef* const kOps[] = {&kForward, &kBackward};

}  // namespace

OpDefList opDefs_layer_norm();
OpDefList opDefs_layer_norm() { return {kOps, 2}; }

Tensor layerNorm(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                 const LayerNormParams& params) {
  return gate::runAll(kForward, {&x, &gamma, &beta}, &params)[0];
}

LayerNormResult layerNormWithStatistics(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                                        const LayerNormParams& params) {
  const gate::Outputs out = gate::runAll(kForward, {&x, &gamma, &beta}, &params);
  return {out[0], out[1], out[2]};
}

}  // namespace tenon
