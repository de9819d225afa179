// SPDX-License-Identifier: Apache-2.0
// View operator "unfold", whose windows may overlap, and its gradient; cutting into parts.
#include "engine/ops/view/unfold_params.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/view/view.h"
#include "engine/ops/view/view_rules.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace view {
namespace {

int64_t windowsOf(const UnfoldParams& params) {
  return params.length < params.size ? 0 : (params.length - params.size) / params.step + 1;
}

Tensor viewUnfold(const OpCall& call) {
  needInputs(call, 1);
  const Tensor& x = call.input(0);
  if (x.layout().blocked())
    throw Error(Code::Internal, "[unfold] is a view operator and takes no blocked tensor");
  const auto& params = call.as<UnfoldParams>();
  Shape shape = x.shape();
  Shape strides = x.strides();
  const int64_t stride = strides[params.axis];
  shape[params.axis] = windowsOf(params);
  strides[params.axis] = stride * params.step;
  shape.push(params.size);
  strides.push(stride);
  return x.aliasWith(shape, strides, x.impl()->offset);
}

void unfoldGrad(GradCall& call) {
  call.gradInputs[0] = gate::run(unfoldBackwardOp(), {&call.gradOutputs[0]}, call.params);
}

void unfoldBackwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  needFloating(call, 0);
  const Tensor& dy = call.input(0);
  const auto& params = call.as<UnfoldParams>();
  const int last = dy.ndim() - 1;
  if (params.axis >= last || dy.size(params.axis) != windowsOf(params) ||
      dy.size(last) != params.size)
    throw Error(Code::Shape, fmt::format("[unfold_backward] wants {} windows of {} elements: {}",
                                         windowsOf(params), params.size, describe(dy)));
  Shape shape;
  for (int i = 0; i < last; ++i) shape.push(i == params.axis ? params.length : dy.size(i));
  out[0] = {shape, dy.dtype()};
}

void unfoldBackwardGrad(GradCall& call) {
  const auto& params = call.as<UnfoldParams>();
  call.gradInputs[0] = unfold(call.gradOutputs[0], params.axis, params.size, params.step);
}

void describeUnfold(const void* params, ParamMap& out) {
  const auto* p = static_cast<const UnfoldParams*>(params);
  out.set("axis", int64_t{p->axis});
  out.set("size", p->size);
  out.set("step", p->step);
}

std::vector<OpSample> unfoldSamples() {
  return {{"overlapping", {{{2, 7}}}, sampleParams(UnfoldParams{1, 3, 2, 7}), {}},
          {"apart", {{{7, 2}}}, sampleParams(UnfoldParams{0, 2, 3, 7}), {}},
          {"whole", {{{4}}}, sampleParams(UnfoldParams{0, 4, 1, 4}), {}}};
}
std::vector<OpSample> unfoldBackwardSamples() {
  return {{"overlapping", {{{2, 3, 3}}}, sampleParams(UnfoldParams{1, 3, 2, 7}), {}},
          {"apart", {{{2, 5, 2}}}, sampleParams(UnfoldParams{0, 2, 3, 7}), {}},
          {"other windows",
           {{{2, 4, 3}}},
           sampleParams(UnfoldParams{1, 3, 2, 7}),
           {"3 windows of 3 elements"}}};
}

const OpDef kUnfold = {.id = "unfold",
                       .help = "Windows along an axis.",
                       .inputNames = {"x"},
                       .paramBytes = sizeof(UnfoldParams),
                       .view = &viewUnfold,
                       .grad = &unfoldGrad,
                       .describe = &describeUnfold,
                       .samples = &unfoldSamples};
const OpDef kUnfoldBackward = {.id = "unfold_backward",
                               .help = "Sums of windows at the places they came from.",
                               .inputNames = {"dy"},
                               .paramBytes = sizeof(UnfoldParams),
                               .meta = &unfoldBackwardMeta,
                               .grad = &unfoldBackwardGrad,
                               .describe = &describeUnfold,
                               .samples = &unfoldBackwardSamples};

}  // namespace

const OpDef& unfoldOp() { return kUnfold; }
const OpDef& unfoldBackwardOp() { return kUnfoldBackward; }

}  // namespace view

Tensor unfold(const Tensor& x, int axis, int64_t size, int64_t step) {
  if (!x.defined()) throw Error(Code::Usage, "[unfold] x is undefined: it holds no tensor");
  UnfoldParams params;
  params.axis = normalizeAxis(axis, x.ndim(), "unfold");
  params.size = size;
  params.step = step;
  params.length = x.ndim() ? x.size(params.axis) : 0;
  if (x.ndim() == 0 || size < 1 || step < 1 || size > params.length)
    throw Error(Code::Shape, fmt::format("[unfold] windows of {} by {} do not fit axis {} of {}",
                                         size, step, axis, describe(x)));
  const Tensor from = x.layout().blocked() ? contiguous(x) : x;
  return gate::run(view::unfoldOp(), {&from}, &params);
}

Tensor fold(const Tensor& windows, int axis, int64_t step, int64_t length) {
  if (!windows.defined())
    throw Error(Code::Usage, "[fold] windows is undefined: it holds no tensor");
  if (windows.ndim() < 2 || step < 1)
    throw Error(Code::Shape,
                fmt::format("[fold] wants two axes or more and a step >= 1, got {}, {}",
                            describe(windows), step));
  UnfoldParams params;
  params.axis = normalizeAxis(axis, windows.ndim() - 1, "fold");
  params.size = windows.size(-1);
  params.step = step;
  params.length = length;
  if (view::windowsOf(params) != windows.size(params.axis))
    throw Error(Code::Shape, fmt::format("[fold] {} windows by {} fit {} elements, got {}",
                                         view::windowsOf(params), step, length, describe(windows)));
  return gate::run(view::unfoldBackwardOp(), {&windows}, &params);
}

std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& sizes, int axis) {
  if (!x.defined()) throw Error(Code::Usage, "[split] x is undefined: it holds no tensor");
  const int at = normalizeAxis(axis, x.ndim(), "split");
  int64_t total = 0;
  bool fits = x.ndim() > 0;
  for (int64_t size : sizes) {
    fits = fits && size >= 0;
    total += size;
  }
  if (!fits || total != x.size(at))
    throw Error(Code::Shape,
                fmt::format("[split] {} parts of together {} do not fill axis {} of {}",
                            sizes.size(), total, axis, describe(x)));
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (int64_t size : sizes) {
    parts.push_back(narrow(x, at, start, size));
    start += size;
  }
  return parts;
}

std::vector<Tensor> chunk(const Tensor& x, int64_t count, int axis) {
  if (!x.defined()) throw Error(Code::Usage, "[chunk] x is undefined: it holds no tensor");
  const int at = normalizeAxis(axis, x.ndim(), "chunk");
  if (count < 1 || x.ndim() == 0)
    throw Error(Code::Shape,
                fmt::format("[chunk] {} parts cannot be made of {}", count, describe(x)));
  const int64_t length = x.size(at);
  const int64_t size = (length + count - 1) / count;
  std::vector<int64_t> sizes;
  for (int64_t rest = length; rest > 0; rest -= sizes.back())
    sizes.push_back(rest < size ? rest : size);
  if (length == 0) sizes.assign(static_cast<size_t>(count), 0);
  return split(x, sizes, at);
}

}  // namespace tenon
