// SPDX-License-Identifier: Apache-2.0
// Operators "max", "min", "argmax" and "argmin" along an axis, and "pick" and "place", which are
// each other's gradient.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/families.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

Shape withoutAxis(const OpCall& call) {
  const auto& params = call.as<ReduceAxisParams>();
  const Shape& shape = call.input(0).shape();
  if (shape.ndim() == 0 || shape[params.axis] == 0)
    throw Error(Code::Shape, fmt::format("[{}] axis {} of {} has no elements", call.op.id,
                                         params.axis, describe(call.input(0))));
  Shape out;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (i != params.axis) out.push(shape[i]);
    if (i == params.axis && params.keepdim) out.push(1);
  }
  return out;
}

void extremeMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  out[0] = {withoutAxis(call), call.input(0).dtype()};
  out[1] = {out[0].shape, DType::I64};
}

void placeOfMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  out[0] = {withoutAxis(call), DType::I64};
}

Shape keptShape(Shape shape, int axis) {
  shape[axis] = 1;
  return shape;
}

const OpDef& placeOp();

Tensor place(const Tensor& dy, const Tensor& indices, const PickParams& params) {
  return gate::run(placeOp(), {&dy, &indices}, &params);
}

void extremeGrad(GradCall& call) {
  const int axis = call.as<ReduceAxisParams>().axis;
  const Shape& shape = call.inputMetas[0].shape;
  const Shape kept = keptShape(shape, axis);
  call.gradInputs[0] = place(reshape(call.gradOutputs[0], kept), reshape(call.outputs[1], kept),
                             {axis, shape[axis]});
}

void pickMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needType(call, 1, DType::I64);
  const auto& params = call.as<PickParams>();
  Shape kept = call.input(0).shape();
  if (params.axis < kept.ndim()) kept[params.axis] = 1;
  needShape(call, 1, kept);
  out[0] = {kept, call.input(0).dtype()};
}

void pickGrad(GradCall& call) {
  call.gradInputs[0] = place(call.gradOutputs[0], call.inputs[1], call.as<PickParams>());
}

void placeMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needType(call, 1, DType::I64);
  needShape(call, 1, call.input(0).shape());
  const auto [axis, size] = call.as<PickParams>();
  const Tensor& values = call.input(0);
  if (axis < 0 || axis >= values.ndim() || values.size(axis) != 1)
    throw Error(Code::Shape, fmt::format("[place] values want size 1 along axis {}, got {}", axis,
                                         describe(values)));
  out[0] = {values.shape(), values.dtype()};
  out[0].shape[axis] = size;
}

void placeGrad(GradCall& call) {
  call.gradInputs[0] = pick(call.gradOutputs[0], call.inputs[1], call.as<PickParams>().axis);
}

void describeAxis(const void* params, ParamMap& out) {
  const auto* p = static_cast<const ReduceAxisParams*>(params);
  out.set("axis", int64_t{p->axis});
  out.set("keepdim", p->keepdim != 0);
}
void describePick(const void* params, ParamMap& out) {
  out.set("axis", int64_t{static_cast<const PickParams*>(params)->axis});
}

std::vector<OpSample> extremeSamples() {
  const auto along = [](int axis, int keepdim = 0) {
    return sampleParams(ReduceAxisParams{axis, keepdim});
  };
  return {{"rows", {{{4, 11}, Values::Distinct}}, along(1), {}},
          {"columns", {{{11, 4}, Values::Distinct}}, along(0), {}},
          {"middle", {{{2, 5, 3}, Values::Distinct}}, along(1, 1), {}},
          {"one element", {{{3, 1}}}, along(1), {}},
          {"nothing", {{{3, 0}}}, along(1), {"no elements"}}};
}
std::vector<OpSample> pickSamples() {
  const auto along = [](int axis, int64_t size) { return sampleParams(PickParams{axis, size}); };
  return {{"rows", {{{4, 5}}, {{4, 1}, Values::Index, 0, 5}}, along(1, 5), {}},
          {"middle", {{{2, 3, 4}}, {{2, 1, 4}, Values::Index, 0, 3}}, along(1, 3), {}},
          {"wrong shape", {{{4, 5}}, {{4, 2}, Values::Index, 0, 5}}, along(1, 5), {"[4, 1]"}}};
}
std::vector<OpSample> placeSamples() {
  const auto along = [](int axis, int64_t size) { return sampleParams(PickParams{axis, size}); };
  return {
      {"rows", {{{4, 1}}, {{4, 1}, Values::Index, 0, 5}}, along(1, 5), {}},
      {"middle", {{{2, 1, 4}}, {{2, 1, 4}, Values::Index, 0, 3}}, along(1, 3), {}},
      {"nothing", {{{4, 0}}, {{4, 0}, Values::Index, 0, 5}}, along(1, 5), {"size 1 along axis 1"}}};
}

const OpDef kMax = {.id = "max",
                    .help = "Largest value along an axis, and its place.",
                    .inputNames = {"x"},
                    .outputs = 2,
                    .paramBytes = sizeof(ReduceAxisParams),
                    .meta = &extremeMeta,
                    .savesOutputs = 2,
                    .nonDifferentiable = 2,
                    .grad = &extremeGrad,
                    .describe = &describeAxis,
                    .samples = &extremeSamples};
const OpDef kMin = {.id = "min",
                    .help = "Smallest value along an axis, and its place.",
                    .inputNames = {"x"},
                    .outputs = 2,
                    .paramBytes = sizeof(ReduceAxisParams),
                    .meta = &extremeMeta,
                    .savesOutputs = 2,
                    .nonDifferentiable = 2,
                    .grad = &extremeGrad,
                    .describe = &describeAxis,
                    .samples = &extremeSamples};
const OpDef kArgmax = {.id = "argmax",
                       .help = "Place of the largest value along an axis.",
                       .inputNames = {"x"},
                       .paramBytes = sizeof(ReduceAxisParams),
                       .meta = &placeOfMeta,
                       .nonDifferentiable = 1,
                       .describe = &describeAxis,
                       .samples = &extremeSamples};
const OpDef kArgmin = {.id = "argmin",
                       .help = "Place of the smallest value along an axis.",
                       .inputNames = {"x"},
                       .paramBytes = sizeof(ReduceAxisParams),
                       .meta = &placeOfMeta,
                       .nonDifferentiable = 1,
                       .describe = &describeAxis,
                       .samples = &extremeSamples};
const OpDef kPick = {.id = "pick",
                     .help = "The elements at given places along an axis.",
                     .inputNames = {"x", "indices"},
                     .paramBytes = sizeof(PickParams),
                     .meta = &pickMeta,
                     .savesInputs = 2,
                     .grad = &pickGrad,
                     .describe = &describePick,
                     .samples = &pickSamples};
const OpDef kPlace = {.id = "place",
                      .help = "Zeros but for the given places along an axis.",
                      .inputNames = {"values", "indices"},
                      .paramBytes = sizeof(PickParams),
                      .meta = &placeMeta,
                      .savesInputs = 2,
                      .grad = &placeGrad,
                      .describe = &describePick,
                      .samples = &placeSamples};
const OpDef& placeOp() { return kPlace; }

ReduceAxisParams axisParams(const Tensor& x, int axis, bool keepdim, const char* op) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] x is undefined: it holds no tensor", op));
  return {normalizeAxis(axis, x.ndim(), op), keepdim ? 1 : 0};
}

/// All elements along one axis, whatever the layout; out of reach of gradients.
Tensor flat(const Tensor& x, const char* op) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] x is undefined: it holds no tensor", op));
  const gate::NoGradGuard noGrad;
  return reshape(x, {x.numel()});
}

ValuesAndIndices extreme(const OpDef& op, const Tensor& x, int axis, bool keepdim) {
  const ReduceAxisParams params = axisParams(x, axis, keepdim, op.id);
  gate::Outputs out = gate::runAll(op, {&x}, &params);
  return {out[0], out[1]};
}

}  // namespace

ValuesAndIndices maxAlong(const Tensor& x, int axis, bool keepdim) {
  return extreme(kMax, x, axis, keepdim);
}
ValuesAndIndices minAlong(const Tensor& x, int axis, bool keepdim) {
  return extreme(kMin, x, axis, keepdim);
}
Tensor argmax(const Tensor& x, int axis, bool keepdim) {
  const ReduceAxisParams params = axisParams(x, axis, keepdim, "argmax");
  return gate::run(kArgmax, {&x}, &params);
}
Tensor argmin(const Tensor& x, int axis, bool keepdim) {
  const ReduceAxisParams params = axisParams(x, axis, keepdim, "argmin");
  return gate::run(kArgmin, {&x}, &params);
}
Tensor argmax(const Tensor& x) { return argmax(flat(x, "argmax"), 0); }
Tensor argmin(const Tensor& x) { return argmin(flat(x, "argmin"), 0); }
Tensor pick(const Tensor& x, const Tensor& indices, int axis) {
  const int at = axisParams(x, axis, false, "pick").axis;
  const PickParams params{at, x.ndim() ? x.size(at) : 0};
  return gate::run(kPick, {&x, &indices}, &params);
}

void appendExtremes(OpDefs& ops) {
  for (const OpDef* op : {&kMax, &kMin, &kArgmax, &kArgmin, &kPick, &kPlace}) ops.push_back(op);
}

}  // namespace tenon
