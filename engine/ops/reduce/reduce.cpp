// SPDX-License-Identifier: Apache-2.0
// Operators "sum" and "mean", and sums back to the shape before broadcasting.
#include "engine/ops/reduce/reduce.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/axes.h"
#include "engine/ops/reduce/families.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

void sumMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  const Tensor& x = call.input(0);
  const auto& params = call.as<ReduceParams>();
  out[0] = {reducedShape(x.shape(), params.axes, params.keepdim), sumType(x.dtype())};
}

/// dy as a tensor of the input's shape, with stride 0 along the reduced axes.
Tensor spread(const GradCall& call) {
  const Shape& shape = call.inputMetas[0].shape;
  const Shape kept = reducedShape(shape, call.as<ReduceParams>().axes, true);
  return expand(reshape(call.gradOutputs[0], kept), shape);
}

void sumGrad(GradCall& call) { call.gradInputs[0] = spread(call); }

void meanGrad(GradCall& call) {
  const int64_t count = reducedCount(call.inputMetas[0].shape, call.as<ReduceParams>().axes);
  const Shape kept = reducedShape(call.inputMetas[0].shape, call.as<ReduceParams>().axes, true);
  const Tensor each = mulScalar(call.gradOutputs[0], 1.0 / static_cast<double>(count));
  call.gradInputs[0] = expand(reshape(each, kept), call.inputMetas[0].shape);
}

std::vector<OpSample> reduceSamples() {
  const auto over = [](uint32_t axes, int keepdim = 0) {
    return sampleParams(ReduceParams{axes, keepdim});
  };
  return {{"all", {{{2, 3, 5}}}, over(7), {}},
          {"rows", {{{3, 17}}}, over(2), {}},
          {"columns", {{{17, 3}}}, over(1), {}},
          {"wide columns", {{{5, 37}}}, over(1, 1), {}},
          {"outer and inner", {{{2, 3, 4, 5}}}, over(1 | 8), {}},
          {"channels", {{{2, 3, 4, 5}}}, over(1 | 4 | 8), {}},
          {"middle", {{{2, 3, 4}}}, over(2, 1), {}},
          {"a scalar", {{{}}}, over(0), {}},
          {"no elements", {{{2, 0, 3}}}, over(2), {}}};
}

std::vector<OpSample> meanSamples() {
  std::vector<OpSample> samples = reduceSamples();
  samples.pop_back();  // the mean of nothing is NaN: tested by itself
  samples.push_back({"integers",
                     {{{2, 3}, SampleInput::Values::Index, 0, 5}},
                     sampleParams(ReduceParams{3, 0}),
                     {}});
  return samples;
}

const OpDef kSum = {.id = "sum",
                    .help = "Sum over axes.",
                    .inputNames = {"x"},
                    .paramBytes = sizeof(ReduceParams),
                    .meta = &sumMeta,
                    .grad = &sumGrad,
                    .autocast = AutocastClass::Float32,
                    .describe = &describeReduce,
                    .samples = &reduceSamples};
const OpDef kMean = {.id = "mean",
                     .help = "Mean over axes.",
                     .inputNames = {"x"},
                     .paramBytes = sizeof(ReduceParams),
                     .meta = &sumMeta,
                     .promotes = 1,
                     .promotesToFloating = true,
                     .grad = &meanGrad,
                     .describe = &describeReduce,
                     .samples = &meanSamples};

}  // namespace

Tensor sum(const Tensor& x, const Axes& axes, bool keepdim) {
  const ReduceParams params = reduceParams(x, axes, keepdim, "sum");
  return gate::run(kSum, {&x}, &params);
}

Tensor mean(const Tensor& x, const Axes& axes, bool keepdim) {
  const ReduceParams params = reduceParams(x, axes, keepdim, "mean");
  return gate::run(kMean, {&x}, &params);
}

Tensor sumTo(const Tensor& x, const Shape& shape) {
  if (!x.defined()) throw Error(Code::Usage, "[sum_to] x is undefined: it holds no tensor");
  if (x.shape() == shape) return x;
  const int missing = x.ndim() - shape.ndim();
  ReduceParams params;
  bool fits = missing >= 0;
  for (int i = 0; fits && i < x.ndim(); ++i) {
    const int64_t wanted = i < missing ? 1 : shape[i - missing];
    if (i < missing || (wanted == 1 && x.size(i) != 1)) params.axes |= 1u << i;
    fits = wanted == 1 || wanted == x.size(i);
  }
  if (!fits)
    throw Error(Code::Shape, fmt::format("[sum_to] shape {} does not broadcast to {}",
                                         toString(shape), describe(x)));
  return reshape(gate::run(kSum, {&x}, &params), shape);
}

static void appendSums(OpDefs& ops) {
  ops.push_back(&kSum);
  ops.push_back(&kMean);
}

OpDefList opDefs_reduce();
OpDefList opDefs_reduce() {
  static const OpDefs kOps = [] {
    OpDefs ops;
    appendSums(ops);
    appendExtremes(ops);
    appendCounts(ops);
    appendAmax(ops);
    appendMoments(ops);
    appendNorm(ops);
    appendLogsumexp(ops);
    appendCumsum(ops);
    return ops;
  }();
  return {kOps.data(), static_cast<int>(kOps.size())};
}

}  // namespace tenon
