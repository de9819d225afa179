// SPDX-License-Identifier: Apache-2.0
// Operators "amax" and "amin": the largest or smallest over several axes, whose gradient equals
// share.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/axes.h"
#include "engine/ops/reduce/families.h"

namespace tenon {
namespace {

void amaxMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  const Tensor& x = call.input(0);
  const auto& params = call.as<ReduceParams>();
  out[0] = {reducedShape(x.shape(), params.axes, params.keepdim), x.dtype()};
  if (reducedCount(x.shape(), params.axes) == 0 && out[0].shape.numel() > 0)
    throw Error(Code::Shape,
                fmt::format("[{}] no elements to choose from: {}", call.op.id, describe(x)));
}

void amaxGrad(GradCall& call) {
  const Tensor& x = call.inputs[0];
  const Tensor chosen = counted(equal(x, keptAxes(call.outputs[0], call)), x.dtype());
  call.gradInputs[0] = shared(keptAxes(call.gradOutputs[0], call), chosen, call.as<ReduceParams>());
}

std::vector<OpSample> amaxSamples() {
  const auto over = [](uint32_t axes, int keepdim = 0) {
    return sampleParams(ReduceParams{axes, keepdim});
  };
  constexpr auto kDistinct = SampleInput::Values::Distinct;
  return {{"all", {{{2, 3, 5}, kDistinct}}, over(7), {}},
          {"rows", {{{3, 17}, kDistinct}}, over(2), {}},
          {"columns", {{{17, 3}, kDistinct}}, over(1, 1), {}},
          {"outer and inner", {{{2, 3, 4, 5}, kDistinct}}, over(1 | 8), {}},
          {"a scalar", {{{}}}, over(0), {}},
          {"no results", {{{0, 3}}}, over(2), {}},
          {"nothing to choose", {{{3, 0}}}, over(2), {"no elements", "[3, 0]"}}};
}

const OpDef kAmax = {.id = "amax",
                     .help = "Largest value over axes.",
                     .inputNames = {"x"},
                     .paramBytes = sizeof(ReduceParams),
                     .meta = &amaxMeta,
                     .savesInputs = 1,
                     .savesOutputs = 1,
                     .grad = &amaxGrad,
                     .describe = &describeReduce,
                     .samples = &amaxSamples};
const OpDef kAmin = {.id = "amin",
                     .help = "Smallest value over axes.",
                     .inputNames = {"x"},
                     .paramBytes = sizeof(ReduceParams),
                     .meta = &amaxMeta,
                     .savesInputs = 1,
                     .savesOutputs = 1,
                     .grad = &amaxGrad,
                     .describe = &describeReduce,
                     .samples = &amaxSamples};

}  // namespace

Tensor amax(const Tensor& x, const Axes& axes, bool keepdim) {
  const ReduceParams params = reduceParams(x, axes, keepdim, "amax");
  return gate::run(kAmax, {&x}, &params);
}
Tensor amin(const Tensor& x, const Axes& axes, bool keepdim) {
  const ReduceParams params = reduceParams(x, axes, keepdim, "amin");
  return gate::run(kAmin, {&x}, &params);
}

void appendAmax(OpDefs& ops) {
  ops.push_back(&kAmax);
  ops.push_back(&kAmin);
}

}  // namespace tenon
