// SPDX-License-Identifier: Apache-2.0
// Operator "dropout" and its gradient, which applies the same mask.
#include "engine/ops/dropout/dropout.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

void checkChance(const OpCall& call) {
  const double p = call.as<DropoutParams>().p;
  if (!(p >= 0 && p <= 1))
    throw Error(Code::Usage, fmt::format("[{}] p must be 0 .. 1, got {}", call.op.id, p));
}

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 1);
  needFloating(call, 0);
  checkChance(call);
  out[0] = {call.input(0).shape(), call.input(0).dtype()};
  out[1] = {call.input(0).shape(), DType::Bool};
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  needInputs(call, 2);
  needFloating(call, 0);
  needType(call, 1, DType::Bool);
  needShape(call, 1, call.input(0).shape());
  likeFirst(call, out);
}

void describeParams(const void* params, ParamMap& out) {
  out.set("p", static_cast<const DropoutParams*>(params)->p);
}

std::vector<OpSample> forwardSamples() {
  const auto chance = [](double p) { return sampleParams(DropoutParams{p}); };
  return {{"half", {{{5, 13}}}, chance(0.5), {}},
          {"blocks", {{{2, 16, 3, 3}}}, chance(0.2), {}},
          {"padded blocks", {{{2, 5, 3, 3}}}, chance(0.2), {}},
          {"nothing dropped", {{{3, 3}}}, chance(0), {}},
          {"all dropped", {{{3, 3}}}, chance(1), {}},
          {"impossible", {{{3}}}, chance(1.5), {"0 .. 1", "1.5"}},
          {"integers", {{{3}, SampleInput::Values::Index, 0, 3}}, chance(0.5), {"floating"}}};
}

std::vector<OpSample> backwardSamples() {
  const SampleInput mask{{5, 13}, SampleInput::Values::Bool, 0, 1, false};
  const SampleInput other{{5, 12}, SampleInput::Values::Bool, 0, 1, false};
  const auto params = sampleParams(DropoutParams{0.5});
  return {{"half", {{{5, 13}}, mask}, params, {}},
          {"other mask", {{{5, 13}}, other}, params, {"mask", "[5, 13]"}}};
}

const OpDef& backwardOp();

Tensor applyMask(const Tensor& dy, const Tensor& mask, const void* params) {
  return gate::run(backwardOp(), {&dy, &mask}, params);
}

void forwardGrad(GradCall& call) {
  call.gradInputs[0] = applyMask(call.gradOutputs[0], call.outputs[1], call.params);
}
void backwardGrad(GradCall& call) {
  call.gradInputs[0] = applyMask(call.gradOutputs[0], call.inputs[1], call.params);
}

const OpDef kDropout = {.id = "dropout",
                        .help = "Zeroes elements at random and scales the rest up.",
                        .inputNames = {"x"},
                        .outputs = 2,
                        .paramBytes = sizeof(DropoutParams),
                        .meta = &forwardMeta,
                        .random = philox::Purpose::Dropout,
                        .savesOutputs = 2,
                        .nonDifferentiable = 2,
                        .grad = &forwardGrad,
                        .describe = &describeParams,
                        .samples = &forwardSamples};
const OpDef kDropoutBackward = {.id = "dropout_backward",
                                .help = "Gradient of dropout.",
                                .inputNames = {"dy", "mask"},
                                .paramBytes = sizeof(DropoutParams),
                                .meta = &backwardMeta,
                                .savesInputs = 2,
                                .grad = &backwardGrad,
                                .describe = &describeParams,
                                .samples = &backwardSamples};
const OpDef* const kOps[] = {&kDropout, &kDropoutBackward};
const OpDef& backwardOp() { return kDropoutBackward; }

}  // namespace

OpDefList opDefs_dropout();
OpDefList opDefs_dropout() { return {kOps, 2}; }

DropoutResult dropoutWithMask(const Tensor& x, double p) {
  const DropoutParams params{p};
  gate::Outputs out = gate::runAll(kDropout, {&x}, &params);
  return {out[0], out[1]};
}

Tensor dropout(const Tensor& x, double p, bool training) {
  if (!training || p == 0) return x;
  return dropoutWithMask(x, p).y;
}

}  // namespace tenon
