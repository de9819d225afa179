// SPDX-License-Identifier: Apache-2.0
// Operators "resample" and "resample_backward": a sparse matrix along one axis, and its transpose.
#include "engine/ops/resize/resize.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/gate/gate.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

/// Checks weights and starts; gives the number of places on the side of the result.
int64_t checkedTable(const OpCall& call) {
  requirePresent(call, {0, 1, 2});
  requireOneFloatingType(call, {0, 1});
  if (call.input(1).ndim() != 2) refuseShapes(call, "weights wants [out, taps]");
  const int64_t out = call.input(1).size(0);
  requireShape(call, 2, {out}, "one start a row of weights");
  if (call.input(2).dtype() != DType::I64)
    throw Error(Code::Type, fmt::format("[{}] starts wants i64, got {}", call.op.id,
                                        dtypeName(call.input(2).dtype())));
  const auto& p = call.as<ResampleParams>();
  if (p.axis >= call.input(0).ndim())
    refuseShapes(call, fmt::format("there is no axis {}", p.axis));
  return out;
}

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<ResampleParams>();
  const int64_t places = checkedTable(call);
  out[0] = {call.input(0).shape(), call.input(0).dtype()};
  if (out[0].shape[p.axis] != p.size)
    refuseShapes(call, fmt::format("axis {} wants {} elements", p.axis, p.size));
  out[0].shape[p.axis] = places;
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const auto& p = call.as<ResampleParams>();
  const int64_t places = checkedTable(call);
  out[0] = {call.input(0).shape(), call.input(0).dtype()};
  if (out[0].shape[p.axis] != places)
    refuseShapes(call, fmt::format("axis {} wants {} elements", p.axis, places));
  out[0].shape[p.axis] = p.size;
}

const OpDef& forwardOp();
const OpDef& backwardOp();

void forwardGrad(GradCall& call) {
  if (call.needs(0))
    call.gradInputs[0] = gate::run(
        backwardOp(), {&call.gradOutputs[0], &call.inputs[1], &call.inputs[2]}, call.params);
}
void backwardGrad(GradCall& call) {
  if (call.needs(0))
    call.gradInputs[0] = gate::run(
        forwardOp(), {&call.gradOutputs[0], &call.inputs[1], &call.inputs[2]}, call.params);
}

void describeParams(const void* params, ParamMap& out) {
  const auto* p = static_cast<const ResampleParams*>(params);
  out.set("axis", int64_t{p->axis});
  out.set("size", p->size);
}

struct Case {
  const char* name;
  Shape x;
  int axis;
  int64_t out, taps;
};

const Case kCases[] = {{"rows", {2, 7}, 1, 5, 3},         {"columns", {7, 3}, 0, 9, 2},
                       {"middle", {2, 5, 9}, 1, 4, 4},    {"wide columns", {1, 6, 19}, 1, 11, 2},
                       {"one tap", {3, 4}, 1, 6, 1},      {"whole axis", {2, 3, 4}, 2, 2, 4},
                       {"many rows", {4, 3, 10}, 2, 7, 3}};

std::vector<OpSample> samples(bool backward) {
  std::vector<OpSample> all;
  for (const Case& c : kCases) {
    const int64_t size = c.x[c.axis];
    Shape given = c.x;
    if (backward) given[c.axis] = c.out;
    const double starts = static_cast<double>(size - c.taps + 1);
    all.push_back({c.name,
                   {{given},
                    {{c.out, c.taps}, Values::Uniform, -1, 1, false},
                    {{c.out}, Values::Index, 0, starts}},
                   sampleParams(ResampleParams{c.axis, size}),
                   {}});
  }
  return all;
}

std::vector<OpSample> forwardSamples() {
  auto all = samples(false);
  const auto params = sampleParams(ResampleParams{1, 7});
  all.push_back({"a start too large",
                 {{{2, 7}}, {{5, 3}}, {{5}, Values::Index, 0, 90}},
                 params,
                 {"3 elements from", "outside 0 .. 6"}});
  all.push_back({"starts",
                 {{{2, 7}}, {{5, 3}}, {{4}, Values::Index, 0, 3}},
                 params,
                 {"starts wants shape [5] (one start a row of weights), got [4]"}});
  all.push_back({"numbers as starts", {{{2, 7}}, {{5, 3}}, {{5}}}, params, {"starts wants i64"}});
  all.push_back({"another axis",
                 {{{2, 6}}, {{5, 3}}, {{5}, Values::Index, 0, 3}},
                 params,
                 {"axis 1 wants 7 elements: x [2, 6]"}});
  all.push_back({"a list of weights",
                 {{{2, 7}}, {{5}}, {{5}, Values::Index, 0, 3}},
                 params,
                 {"weights wants [out, taps]"}});
  return all;
}

std::vector<OpSample> backwardSamples() {
  auto all = samples(true);
  all.push_back({"another gradient",
                 {{{2, 6}}, {{5, 3}}, {{5}, Values::Index, 0, 3}},
                 sampleParams(ResampleParams{1, 7}),
                 {"axis 1 wants 5 elements: dy [2, 6]"}});
  return all;
}

const OpDef kResample = {.id = "resample",
                         .help = "Weighted sums of neighbours along an axis.",
                         .inputNames = {"x", "weights", "starts"},
                         .paramBytes = sizeof(ResampleParams),
                         .meta = &forwardMeta,
                         .savesInputs = 0b110,
                         .grad = &forwardGrad,
                         .autocast = AutocastClass::Float32,
                         .describe = &describeParams,
                         .samples = &forwardSamples};
const OpDef kBackward = {.id = "resample_backward",
                         .help = "Gradient of resample.",
                         .inputNames = {"dy", "weights", "starts"},
                         .paramBytes = sizeof(ResampleParams),
                         .meta = &backwardMeta,
                         .savesInputs = 0b110,
                         .grad = &backwardGrad,
                         .describe = &describeParams,
                         .samples = &backwardSamples};
const OpDef& forwardOp() { return kResample; }
const OpDef& backwardOp() { return kBackward; }
const OpDef* const kOps[] = {&kResample, &kBackward};

}  // namespace

OpDefList opDefs_resize();
OpDefList opDefs_resize() { return {kOps, 2}; }

Tensor resample(const Tensor& x, int axis, const Tensor& weights, const Tensor& starts) {
  if (!x.defined()) throw Error(Code::Usage, "[resample] x is undefined: it holds no tensor");
  const int at = normalizeAxis(axis, x.ndim(), "resample");
  const ResampleParams params{at, x.ndim() ? x.size(at) : 0};
  return gate::run(kResample, {&x, &weights, &starts}, &params);
}

}  // namespace tenon
