// SPDX-License-Identifier: Apache-2.0
// Operator "logsumexp" along an axis; several axes are first made one.
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/axes.h"
#include "engine/ops/reduce/families.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void logsumexpMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  const auto& params = call.as<ReduceAxisParams>();
  out[0] = {reducedShape(call.input(0).shape(), 1u << params.axis, params.keepdim),
            call.input(0).dtype()};
}

// dx = dy exp(x - y)
void logsumexpGrad(GradCall& call) {
  Shape kept = call.inputMetas[0].shape;
  if (kept.ndim() > 0) kept[call.as<ReduceAxisParams>().axis] = 1;
  const Tensor y = reshape(call.outputs[0], kept);
  call.gradInputs[0] = mul(exp(sub(call.inputs[0], y)), reshape(call.gradOutputs[0], kept));
}

void describeLogsumexp(const void* params, ParamMap& out) {
  const auto* p = static_cast<const ReduceAxisParams*>(params);
  out.set("axis", int64_t{p->axis});
  out.set("keepdim", p->keepdim != 0);
}

std::vector<OpSample> logsumexpSamples() {
  const auto along = [](int axis, int keepdim = 0) {
    return sampleParams(ReduceAxisParams{axis, keepdim});
  };
  constexpr auto kUniform = SampleInput::Values::Uniform;
  return {{"rows", {{{3, 17}, kUniform, -4, 4}}, along(1), {}},
          {"columns", {{{17, 3}, kUniform, -4, 4}}, along(0, 1), {}},
          {"middle", {{{2, 5, 3}, kUniform, -4, 4}}, along(1), {}},
          {"one element", {{{3, 1}}}, along(1), {}},
          {"a scalar", {{{}}}, along(0), {}},
          {"nothing", {{{3, 0}}}, along(1), {}},
          {"integers", {{{2, 3}, SampleInput::Values::Index, 0, 5}}, along(1), {}}};
}

const OpDef kLogsumexp = {.id = "logsumexp",
                          .help = "Logarithm of the sum of exponentials along an axis.",
                          .inputNames = {"x"},
                          .paramBytes = sizeof(ReduceAxisParams),
                          .meta = &logsumexpMeta,
                          .promotes = 1,
                          .promotesToFloating = true,
                          .savesInputs = 1,
                          .savesOutputs = 1,
                          .grad = &logsumexpGrad,
                          .autocast = AutocastClass::Float32,
                          .describe = &describeLogsumexp,
                          .samples = &logsumexpSamples};

}  // namespace

Tensor logsumexp(const Tensor& x, const Axes& axes, bool keepdim) {
  const ReduceParams over = reduceParams(x, axes, keepdim, "logsumexp");
  const Tensor rows = axesLast(x, over.axes);
  const ReduceAxisParams params{rows.ndim() - 1, 0};
  return reshape(gate::run(kLogsumexp, {&rows}, &params),
                 reducedShape(x.shape(), over.axes, keepdim));
}

void appendLogsumexp(OpDefs& ops) { ops.push_back(&kLogsumexp); }

}  // namespace tenon
