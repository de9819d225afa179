// SPDX-License-Identifier: Apache-2.0
// Operators "gather", "scatter" and "scatter_add": an index for each element.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/index/families.h"
#include "engine/ops/index/index.h"
#include "engine/ops/meta.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

/// Index has as many axes as x, and none longer but along `axis`.
void needIndexInside(const OpCall& call) {
  needType(call, 1, DType::I64);
  const Tensor& x = call.input(0);
  const Tensor& index = call.input(1);
  const int axis = call.as<GatherParams>().axis;
  bool fits = index.ndim() == x.ndim();
  for (int i = 0; fits && i < x.ndim(); ++i) fits = i == axis || index.size(i) <= x.size(i);
  if (!fits)
    throw Error(Code::Shape,
                fmt::format("[{}] index must have the axes of x and lie inside it but along axis "
                            "{}: {} in {}",
                            call.op.id, axis, describe(index), describe(x)));
}

void gatherMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needIndexInside(call);
  out[0] = {call.input(1).shape(), call.input(0).dtype()};
}

void scatterMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 3);
  needIndexInside(call);
  needSameType(call, 0, 2);
  needShape(call, 2, call.input(1).shape());
  likeFirst(call, out);
}

void gatherGrad(GradCall& call) {
  const TensorMeta& x = call.inputMetas[0];
  const Tensor& dy = call.gradOutputs[0];
  call.gradInputs[0] = scatterAdd(Tensor::zeros(x.shape, dy.dtype(), dy.device()),
                                  call.as<GatherParams>().axis, call.inputs[1], dy);
}

void scatterGrad(GradCall& call) {
  const int axis = call.as<GatherParams>().axis;
  const Tensor& dy = call.gradOutputs[0];
  if (call.needs(0)) call.gradInputs[0] = scatter(dy, axis, call.inputs[1], 0.0);
  if (call.needs(2)) call.gradInputs[2] = gather(dy, axis, call.inputs[1]);
}

void scatterAddGrad(GradCall& call) {
  const Tensor& dy = call.gradOutputs[0];
  if (call.needs(0)) call.gradInputs[0] = dy;
  if (call.needs(2)) call.gradInputs[2] = gather(dy, call.as<GatherParams>().axis, call.inputs[1]);
}

void describeGather(const void* params, ParamMap& out) {
  out.set("axis", int64_t{static_cast<const GatherParams*>(params)->axis});
}

std::vector<OpSample> gatherSamples() {
  const auto along = [](int axis) { return sampleParams(GatherParams{axis}); };
  const auto index = [](const Shape& shape, double size) {
    return SampleInput{shape, Values::Index, 0, size};
  };
  return {{"rows", {{{4, 5}}, index({4, 7}, 5)}, along(1), {}},
          {"columns", {{{4, 5}}, index({2, 5}, 4)}, along(0), {}},
          {"a corner", {{{3, 4, 5}}, index({2, 6, 3}, 4)}, along(1), {}},
          {"nothing", {{{3, 4}}, index({3, 0}, 4)}, along(1), {}},
          {"an index too large", {{{4, 5}}, index({4, 7}, 90)}, along(1), {"outside 0 .. 4"}},
          {"more rows", {{{4, 5}}, index({5, 5}, 5)}, along(1), {"axis 1", "[5, 5]"}},
          {"other axes", {{{4, 5}}, index({4}, 5)}, along(1), {"the axes of x"}},
          {"numbers", {{{4, 5}}, {{4, 5}}}, along(1), {"index must be i64"}}};
}

/// With distinct places where `each` says so: writes to one place have no difference quotient.
std::vector<OpSample> scatterSamples(bool adds) {
  const auto along = [](int axis) { return sampleParams(GatherParams{axis}); };
  const auto index = [](const Shape& shape, double size) {
    return SampleInput{shape, Values::Index, 0, size};
  };
  const int64_t rows = adds ? 7 : 1;  // of several writes to one place only the last counts
  return {
      {"rows", {{{4, 5}}, index({4, rows}, 5), {{4, rows}}}, along(1), {}},
      {"columns", {{{4, 5}}, index({1, 3}, 4), {{1, 3}}}, along(0), {}},
      {"a corner", {{{3, 4, 5}}, index({2, 1, 3}, 4), {{2, 1, 3}}}, along(1), {}},
      {"an index too large", {{{4, 5}}, index({4, 7}, 90), {{4, 7}}}, along(1), {"outside 0 .. 4"}},
      {"another shape of src",
       {{{4, 5}}, index({4, 2}, 5), {{4, 3}}},
       along(1),
       {"src must have shape [4, 2]"}},
      {"more rows", {{{4, 5}}, index({5, 5}, 5), {{5, 5}}}, along(1), {"axis 1", "[5, 5]"}}};
}

const OpDef kGather = {.id = "gather",
                       .help = "The elements at given places along an axis.",
                       .inputNames = {"x", "index"},
                       .paramBytes = sizeof(GatherParams),
                       .meta = &gatherMeta,
                       .savesInputs = 2,
                       .grad = &gatherGrad,
                       .describe = &describeGather,
                       .samples = &gatherSamples};
const OpDef kScatter = {.id = "scatter",
                        .help = "x with elements put at given places along an axis.",
                        .inputNames = {"x", "index", "src"},
                        .paramBytes = sizeof(GatherParams),
                        .meta = &scatterMeta,
                        .savesInputs = 2,
                        .grad = &scatterGrad,
                        .describe = &describeGather,
                        .samples = [] { return scatterSamples(false); }};
const OpDef kScatterAdd = {.id = "scatter_add",
                           .help = "x with elements added at given places along an axis.",
                           .inputNames = {"x", "index", "src"},
                           .paramBytes = sizeof(GatherParams),
                           .meta = &scatterMeta,
                           .savesInputs = 2,
                           .grad = &scatterAddGrad,
                           .autocast = AutocastClass::Widest,
                           .describe = &describeGather,
                           .samples = [] { return scatterSamples(true); }};

GatherParams paramsFor(const Tensor& x, int axis, const char* op) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] x is undefined: it holds no tensor", op));
  if (x.ndim() == 0)
    throw Error(Code::Shape, fmt::format("[{}] a scalar has no axis to index", op));
  return {normalizeAxis(axis, x.ndim(), op)};
}

}  // namespace

Tensor gather(const Tensor& x, int axis, const Tensor& index) {
  const GatherParams params = paramsFor(x, axis, "gather");
  return gate::run(kGather, {&x, &index}, &params);
}
Tensor scatter(const Tensor& x, int axis, const Tensor& index, const Tensor& src) {
  const GatherParams params = paramsFor(x, axis, "scatter");
  return gate::run(kScatter, {&x, &index, &src}, &params);
}
Tensor scatterAdd(const Tensor& x, int axis, const Tensor& index, const Tensor& src) {
  const GatherParams params = paramsFor(x, axis, "scatter_add");
  return gate::run(kScatterAdd, {&x, &index, &src}, &params);
}

void appendGather(OpDefs& ops) {
  for (const OpDef* op : {&kGather, &kScatter, &kScatterAdd}) ops.push_back(op);
}

}  // namespace tenon
