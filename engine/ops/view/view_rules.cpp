// SPDX-License-Identifier: Apache-2.0
// OpDefs of the view operators: how strides change, and how gradients go back.
#include "engine/ops/view/view_rules.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace view {

bool stridesOfReshape(const Tensor& x, const Shape& shape, Shape& strides) {
  strides = contiguousStrides(shape);
  if (x.numel() == 0 || x.isContiguous()) return true;
  // Runs of old axes that lie densely within each other are matched with runs of new axes.
  int axis = shape.ndim() - 1;
  int64_t run = 1;     // elements of the current dense run of old axes
  int64_t filled = 1;  // elements of it that new axes took
  int64_t base = x.ndim() ? x.strides()[x.ndim() - 1] : 1;
  for (int old = x.ndim() - 1; old >= 0; --old) {
    run *= x.shape()[old];
    const bool ends = old == 0 || (x.shape()[old - 1] != 1 && x.strides()[old - 1] != run * base);
    if (!ends) continue;
    while (axis >= 0 && (filled < run || shape[axis] == 1)) {
      strides[axis] = filled * base;
      filled *= shape[axis--];
    }
    if (filled != run) return false;
    if (old > 0) base = x.strides()[old - 1];
    run = filled = 1;
  }
  return axis < 0;
}

}  // namespace view

namespace {

Shape shapeOf(const ShapeParams& params) {
  return Shape(std::span<const int64_t>(params.sizes, static_cast<size_t>(params.ndim)));
}

const Tensor& strided(const OpCall& call) {
  needInputs(call, 1);
  if (call.input(0).layout().blocked())
    throw Error(Code::Internal,
                fmt::format("[{}] is a view operator and takes no blocked tensor", call.op.id));
  return call.input(0);
}

Tensor viewReshape(const OpCall& call) {
  const Tensor& x = strided(call);
  const Shape shape = shapeOf(call.as<ShapeParams>());
  Shape strides;
  if (!view::stridesOfReshape(x, shape, strides))
    throw Error(Code::Shape, fmt::format("[reshape] strides {} of {} cannot be read as {}",
                                         toString(x.strides()), describe(x), toString(shape)));
  return x.aliasWith(shape, strides, x.impl()->offset);
}

Tensor viewPermute(const OpCall& call) {
  const Tensor& x = strided(call);
  Shape shape = x.shape();
  Shape strides = x.strides();
  for (int i = 0; i < x.ndim(); ++i) {
    const int from = call.as<PermuteParams>().order[i];
    shape[i] = x.shape()[from];
    strides[i] = x.strides()[from];
  }
  return x.aliasWith(shape, strides, x.impl()->offset);
}

Tensor viewSlice(const OpCall& call) {
  const Tensor& x = strided(call);
  const auto& params = call.as<SliceParams>();
  Shape shape = x.shape();
  Shape strides = x.strides();
  const int64_t stride = strides[params.axis];
  shape[params.axis] = params.length;
  strides[params.axis] = stride * params.step;
  return x.aliasWith(shape, strides, x.impl()->offset + params.start * stride);
}

Tensor viewExpand(const OpCall& call) {
  const Tensor& x = strided(call);
  const Shape shape = shapeOf(call.as<ShapeParams>());
  Shape strides = shape;
  const int missing = shape.ndim() - x.ndim();
  for (int i = 0; i < shape.ndim(); ++i) {
    const bool repeats = i < missing || x.shape()[i - missing] != shape[i];
    strides[i] = repeats ? 0 : x.strides()[i - missing];
  }
  return x.aliasWith(shape, strides, x.impl()->offset);
}

void reshapeGrad(GradCall& call) {
  call.gradInputs[0] = reshape(call.gradOutputs[0], call.inputMetas[0].shape);
}

void permuteGrad(GradCall& call) {
  const auto& params = call.as<PermuteParams>();
  Axes inverse;
  inverse.resize(static_cast<size_t>(params.ndim));
  for (int i = 0; i < params.ndim; ++i) inverse[static_cast<size_t>(params.order[i])] = i;
  call.gradInputs[0] = permute(call.gradOutputs[0], inverse);
}

void expandGrad(GradCall& call) {
  call.gradInputs[0] = sumTo(call.gradOutputs[0], call.inputMetas[0].shape);
}

const OpDef& sliceBackwardOp();
void sliceGrad(GradCall& call) {
  call.gradInputs[0] = gate::run(sliceBackwardOp(), {&call.gradOutputs[0]}, call.params);
}

void sliceBackwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  likeFirst(call, out);
  const auto& params = call.as<SliceParams>();
  if (out[0].shape.ndim() <= params.axis || out[0].shape[params.axis] != params.length)
    throw Error(Code::Shape, fmt::format("[slice_backward] axis {} must have {} elements: {}",
                                         params.axis, params.length, describe(call.input(0))));
  out[0].shape[params.axis] = params.size;
}

void sliceBackwardGrad(GradCall& call) {
  const auto& p = call.as<SliceParams>();
  call.gradInputs[0] = slice(call.gradOutputs[0], p.axis, p.start, p.length, p.step);
}

void describeShape(const void* params, ParamMap& out) {
  const auto* p = static_cast<const ShapeParams*>(params);
  out.set("shape", std::vector<int64_t>(p->sizes, p->sizes + p->ndim));
}
void describePermute(const void* params, ParamMap& out) {
  const auto* p = static_cast<const PermuteParams*>(params);
  out.set("order", std::vector<int64_t>(p->order, p->order + p->ndim));
}
void describeSlice(const void* params, ParamMap& out) {
  const auto* p = static_cast<const SliceParams*>(params);
  out.set("axis", int64_t{p->axis});
  out.set("start", p->start);
  out.set("length", p->length);
  out.set("step", p->step);
}

std::vector<OpSample> reshapeSamples() {
  return {{"joins axes", {{{2, 3, 5}}}, sampleParams(ShapeParams{2, {6, 5}}), {}},
          {"splits an axis", {{{2, 12}}}, sampleParams(ShapeParams{4, {2, 3, 1, 4}}), {}},
          {"to a scalar", {{{1, 1}}}, sampleParams(ShapeParams{}), {}}};
}
std::vector<OpSample> permuteSamples() {
  return {{"matrix", {{{3, 5}}}, sampleParams(PermuteParams{2, {1, 0}}), {}},
          {"turns", {{{2, 3, 4}}}, sampleParams(PermuteParams{3, {2, 0, 1}}), {}}};
}
std::vector<OpSample> sliceSamples() {
  return {{"head", {{{4, 3}}}, sampleParams(SliceParams{0, 0, 2, 1, 4}), {}},
          {"every other", {{{2, 7}}}, sampleParams(SliceParams{1, 1, 3, 2, 7}), {}},
          {"nothing", {{{2, 7}}}, sampleParams(SliceParams{1, 3, 0, 1, 7}), {}}};
}
std::vector<OpSample> sliceBackwardSamples() {
  return {{"head", {{{2, 3}}}, sampleParams(SliceParams{0, 0, 2, 1, 4}), {}},
          {"every other", {{{2, 3, 2}}}, sampleParams(SliceParams{1, 1, 3, 2, 7}), {}},
          {"other length", {{{2, 3}}}, sampleParams(SliceParams{1, 0, 2, 1, 4}), {"2 elements"}}};
}
std::vector<OpSample> expandSamples() {
  return {{"new axis", {{{3}}}, sampleParams(ShapeParams{2, {4, 3}}), {}},
          {"axes of one", {{{2, 1, 1}}}, sampleParams(ShapeParams{3, {2, 3, 4}}), {}}};
}

const OpDef kReshape = {.id = "reshape",
                        .help = "Another shape with as many elements, in row-major order.",
                        .inputNames = {"x"},
                        .paramBytes = sizeof(ShapeParams),
                        .view = &viewReshape,
                        .grad = &reshapeGrad,
                        .describe = &describeShape,
                        .samples = &reshapeSamples};
const OpDef kPermute = {.id = "permute",
                        .help = "Axes in another order.",
                        .inputNames = {"x"},
                        .paramBytes = sizeof(PermuteParams),
                        .view = &viewPermute,
                        .grad = &permuteGrad,
                        .describe = &describePermute,
                        .samples = &permuteSamples};
const OpDef kSlice = {.id = "slice",
                      .help = "Every step-th element of an axis, from a start.",
                      .inputNames = {"x"},
                      .paramBytes = sizeof(SliceParams),
                      .view = &viewSlice,
                      .grad = &sliceGrad,
                      .describe = &describeSlice,
                      .samples = &sliceSamples};
const OpDef kSliceBackward = {.id = "slice_backward",
                              .help = "Zeros with the values at the places of a slice.",
                              .inputNames = {"dy"},
                              .paramBytes = sizeof(SliceParams),
                              .meta = &sliceBackwardMeta,
                              .grad = &sliceBackwardGrad,
                              .describe = &describeSlice,
                              .samples = &sliceBackwardSamples};
const OpDef kExpand = {.id = "expand",
                       .help = "Axes of size 1 and missing leading axes repeat.",
                       .inputNames = {"x"},
                       .paramBytes = sizeof(ShapeParams),
                       .view = &viewExpand,
                       .grad = &expandGrad,
                       .describe = &describeShape,
                       .samples = &expandSamples};
const OpDef& sliceBackwardOp() { return kSliceBackward; }
const OpDef* const kOps[] = {&kReshape,
                             &kPermute,
                             &kSlice,
                             &kSliceBackward,
                             &kExpand,
                             &view::unfoldOp(),
                             &view::unfoldBackwardOp()};

}  // namespace

namespace view {
const OpDef& reshapeOp() { return kReshape; }
const OpDef& permuteOp() { return kPermute; }
const OpDef& sliceOp() { return kSlice; }
const OpDef& expandOp() { return kExpand; }
}  // namespace view

OpDefList opDefs_view();
OpDefList opDefs_view() { return {kOps, static_cast<int>(std::size(kOps))}; }

}  // namespace tenon
