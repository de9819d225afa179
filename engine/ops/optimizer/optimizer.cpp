// SPDX-License-Identifier: Apache-2.0
// Operators "sgd_step", "adam_step" and "scale_": whole lists of tensors in one call of the gate.
#include "engine/ops/optimizer/optimizer.h"

#include <fmt/format.h>

#include <vector>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

constexpr size_t kSgdGroup = 3;   // parameter, gradient, momentum
constexpr size_t kAdamGroup = 4;  // parameter, gradient, two moments

void needScalars(const OpCall& call) {
  needInputs(call, 1);
  needFloating(call, 0);
  needShape(call, 0, {kStepScalars});
}

/// Tensor `i` of a slot, with what it must be like: the slot's parameter.
void needLike(const OpCall& call, size_t slot, size_t i, const Tensor& parameter,
              const char* name) {
  if (!call.has(i))
    throw Error(Code::Usage, fmt::format("[{}] slot {} has no {}", call.op.id, slot, name));
  const Tensor& t = call.input(i);
  if (!(t.shape() == parameter.shape()) || t.dtype() != parameter.dtype())
    throw Error(Code::Shape, fmt::format("[{}] {} of slot {} must be like the parameter {}, got {}",
                                         call.op.id, name, slot, describe(parameter), describe(t)));
}

void checkSlots(const OpCall& call, size_t group, std::span<const char* const> names,
                size_t wanted) {
  needScalars(call);
  for (size_t i = 1; i + group <= call.inputs.size(); i += group) {
    const size_t slot = (i - 1) / group;
    if (!call.has(i))
      throw Error(Code::Usage, fmt::format("[{}] slot {} has no parameter", call.op.id, slot));
    needSameType(call, 0, i);
    for (size_t k = 1; k < wanted; ++k) needLike(call, slot, i + k, call.input(i), names[k - 1]);
  }
}

void sgdMeta(const OpCall& call, std::span<TensorMeta>) {
  static constexpr const char* kNames[] = {"gradient", "momentum buffer"};
  checkSlots(call, kSgdGroup, kNames, call.as<SgdStepParams>().momentum ? 3 : 2);
}

void adamMeta(const OpCall& call, std::span<TensorMeta>) {
  static constexpr const char* kNames[] = {"gradient", "first moment", "second moment"};
  checkSlots(call, kAdamGroup, kNames, 4);
}

void scaleMeta(const OpCall& call, std::span<TensorMeta>) {
  needInputs(call, 1);
  needFloating(call, 0);
  needShape(call, 0, {});
  for (size_t i = 1; i < call.inputs.size(); ++i) {
    needInputs(call, i + 1);
    needSameType(call, 0, i);
  }
}

void describeSgd(const void* params, ParamMap& out) {
  const auto* p = static_cast<const SgdStepParams*>(params);
  out.set("momentum", p->momentum != 0);
  out.set("nesterov", p->nesterov != 0);
  out.set("maximize", p->maximize != 0);
}
void describeAdam(const void* params, ParamMap& out) {
  const auto* p = static_cast<const AdamStepParams*>(params);
  out.set("decoupled", p->decoupled != 0);
  out.set("maximize", p->maximize != 0);
}

SampleInput values(const Shape& shape, double low = -1, double high = 1) {
  return {shape, SampleInput::Values::Uniform, low, high, false};
}

std::vector<OpSample> sgdSamples() {
  const auto with = [](int momentum, int nesterov, int maximize) {
    return sampleParams(SgdStepParams{momentum, nesterov, maximize});
  };
  const SampleInput s = values({8}, 0.01, 0.5);
  const SampleInput a = values({5, 7});
  const SampleInput b = values({3});
  const SampleInput none{{}, SampleInput::Values::Absent};
  return {{"plain", {s, a, a, none, b, b, none}, with(0, 0, 0), {}},
          {"momentum", {s, a, a, a, b, b, b}, with(1, 0, 0), {}},
          {"nesterov, maximize", {s, a, a, a}, with(1, 1, 1), {}},
          {"gradient of another shape", {s, a, b, a}, with(1, 0, 0), {"gradient of slot 0", "[3]"}},
          {"no momentum buffer", {s, a, a, none}, with(1, 0, 0), {"slot 0", "momentum buffer"}},
          {"few scalars", {values({7}), a, a, a}, with(1, 0, 0), {"scalars", "[8]"}}};
}

std::vector<OpSample> adamSamples() {
  const auto with = [](int decoupled, int maximize) {
    return sampleParams(AdamStepParams{decoupled, maximize});
  };
  const SampleInput s = values({8}, 0.01, 0.5);
  const SampleInput a = values({5, 7});
  const SampleInput b = values({3});
  const SampleInput positive = values({5, 7}, 0, 2);
  return {{"decoupled", {s, a, a, a, positive, b, b, b, values({3}, 0, 2)}, with(1, 0), {}},
          {"L2, maximize", {s, a, a, a, positive}, with(0, 1), {}},
          {"moment of another shape", {s, a, a, a, b}, with(1, 0), {"second moment of slot 0"}}};
}

std::vector<OpSample> scaleSamples() {
  return {{"list", {values({}), values({5, 7}), values({3})}, {}, {}},
          {"vector of factors", {values({2}), values({3})}, {}, {"factor", "[]"}}};
}

const OpDef kSgdStep = {.id = "sgd_step",
                        .help = "One step of stochastic gradient descent, in place.",
                        .inputNames = {"scalars", "parameter, gradient, momentum"},
                        .outputs = 0,
                        .variadic = true,
                        .paramBytes = sizeof(SgdStepParams),
                        .meta = &sgdMeta,
                        .groupFirst = 1,
                        .groupSize = kSgdGroup,
                        .groupMutates = 0b101,
                        .describe = &describeSgd,
                        .samples = &sgdSamples};
const OpDef kAdamStep = {.id = "adam_step",
                         .help = "One step of Adam or AdamW, in place.",
                         .inputNames = {"scalars", "parameter, gradient, moments"},
                         .outputs = 0,
                         .variadic = true,
                         .paramBytes = sizeof(AdamStepParams),
                         .meta = &adamMeta,
                         .groupFirst = 1,
                         .groupSize = kAdamGroup,
                         .groupMutates = 0b1101,
                         .describe = &describeAdam,
                         .samples = &adamSamples};
const OpDef kScale = {.id = "scale_",
                      .help = "Every tensor of a list is multiplied by a factor, in place.",
                      .inputNames = {"factor", "tensors"},
                      .outputs = 0,
                      .variadic = true,
                      .meta = &scaleMeta,
                      .groupFirst = 1,
                      .groupSize = 1,
                      .groupMutates = 1,
                      .samples = &scaleSamples};
const OpDef* const kOps[] = {&kSgdStep, &kAdamStep, &kScale};

using Inputs = std::vector<const Tensor*>;

}  // namespace

OpDefList opDefs_optimizer();
OpDefList opDefs_optimizer() { return {kOps, 3}; }

void sgdStep(const Tensor& scalars, std::span<const SgdSlot> slots, const SgdStepParams& params) {
  if (params.nesterov && !params.momentum)
    throw Error(Code::Usage, "[sgd_step] nesterov needs momentum");
  if (slots.empty()) return;
  const gate::NoGradGuard noGrad;
  Inputs inputs = {&scalars};
  for (const SgdSlot& slot : slots)
    inputs.insert(inputs.end(), {&slot.parameter, &slot.gradient, &slot.momentum});
  gate::call(kSgdStep, inputs, &params);
}

void adamStep(const Tensor& scalars, std::span<const AdamSlot> slots,
              const AdamStepParams& params) {
  if (slots.empty()) return;
  const gate::NoGradGuard noGrad;
  Inputs inputs = {&scalars};
  for (const AdamSlot& slot : slots)
    inputs.insert(inputs.end(),
                  {&slot.parameter, &slot.gradient, &slot.firstMoment, &slot.secondMoment});
  gate::call(kAdamStep, inputs, &params);
}

void scaleInPlace(std::span<const Tensor> tensors, const Tensor& factor) {
  if (tensors.empty()) return;
  const gate::NoGradGuard noGrad;
  Inputs inputs = {&factor};
  for (const Tensor& tensor : tensors) inputs.push_back(&tensor);
  gate::call(kScale, inputs);
}

}  // namespace tenon
