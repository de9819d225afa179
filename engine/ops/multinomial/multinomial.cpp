// SPDX-License-Identifier: Apache-2.0
// Operators "multinomial" (with replacement) and "multinomial_race" (arrival times, of which the
// first are the draw without replacement).
#include "engine/ops/multinomial/multinomial.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/sort/sort.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void checkWeights(const OpCall& call) {
  needInputs(call, 1);
  needFloating(call, 0);
  const Tensor& weights = call.input(0);
  if (weights.ndim() < 1 || weights.ndim() > 2 || weights.size(-1) < 1)
    throw Error(Code::Shape, fmt::format("[{}] weights must be [C] or [N, C] with C >= 1, got {}",
                                         call.op.id, describe(weights)));
  const int64_t samples = call.as<MultinomialParams>().samples;
  if (samples < 1)
    throw Error(Code::Usage,
                fmt::format("[{}] samples must be 1 or more, got {}", call.op.id, samples));
}

void drawMeta(const OpCall& call, std::span<TensorMeta> out) {
  checkWeights(call);
  out[0] = {call.input(0).shape(), DType::I64};
  out[0].shape[out[0].shape.ndim() - 1] = call.as<MultinomialParams>().samples;
}

void raceMeta(const OpCall& call, std::span<TensorMeta> out) {
  checkWeights(call);
  const int64_t samples = call.as<MultinomialParams>().samples;
  if (samples > call.input(0).size(-1))
    throw Error(Code::Usage, fmt::format("[{}] {} samples without replacement of {} categories",
                                         call.op.id, samples, call.input(0).size(-1)));
  out[0] = {call.input(0).shape(), DType::F64};
}

void describeParams(const void* params, ParamMap& out) {
  out.set("samples", static_cast<const MultinomialParams*>(params)->samples);
}

SampleInput weightsOf(const Shape& shape, double low = 0.1, double high = 2) {
  return {shape, SampleInput::Values::Uniform, low, high, false};
}

std::vector<OpSample> commonSamples() {
  const auto some = sampleParams(MultinomialParams{3});
  return {{"one row", {weightsOf({7})}, some, {}},
          {"rows", {weightsOf({5, 9})}, some, {}},
          {"no rows", {weightsOf({0, 4})}, some, {}},
          {"negative weights", {weightsOf({2, 4}, -2, -1)}, some, {"row 0", "weight"}},
          {"nothing to choose", {weightsOf({4}, 0, 0)}, some, {"row 0", "above 0"}},
          {"no samples", {weightsOf({4})}, sampleParams(MultinomialParams{0}), {"samples", "0"}},
          {"a scalar", {weightsOf({})}, some, {"[N, C]"}},
          {"integers", {{{4}, SampleInput::Values::Index, 0, 3}}, some, {"floating"}}};
}

std::vector<OpSample> drawSamples() {
  auto all = commonSamples();
  all.push_back({"many", {weightsOf({2, 3})}, sampleParams(MultinomialParams{50}), {}});
  return all;
}

std::vector<OpSample> raceSamples() {
  auto all = commonSamples();
  all.push_back({"too many",
                 {weightsOf({2})},
                 sampleParams(MultinomialParams{3}),
                 {"3 samples", "2 categories"}});
  return all;
}

const OpDef kDraw = {.id = "multinomial",
                     .help = "Categories drawn by weight, each put back.",
                     .inputNames = {"weights"},
                     .paramBytes = sizeof(MultinomialParams),
                     .meta = &drawMeta,
                     .random = philox::Purpose::Operator,
                     .nonDifferentiable = 1,
                     .describe = &describeParams,
                     .samples = &drawSamples};
const OpDef kRace = {.id = "multinomial_race",
                     .help = "When categories arrive whose rates are the weights.",
                     .inputNames = {"weights"},
                     .paramBytes = sizeof(MultinomialParams),
                     .meta = &raceMeta,
                     .random = philox::Purpose::Operator,
                     .nonDifferentiable = 1,
                     .describe = &describeParams,
                     .samples = &raceSamples};
const OpDef* const kOps[] = {&kDraw, &kRace};

}  // namespace

OpDefList opDefs_multinomial();
OpDefList opDefs_multinomial() { return {kOps, 2}; }

Tensor multinomial(const Tensor& weights, int64_t samples, bool replacement) {
  const MultinomialParams params{samples};
  if (replacement) return gate::run(kDraw, {&weights}, &params);
  return topk(gate::run(kRace, {&weights}, &params), samples, -1, false).indices;
}

}  // namespace tenon
