// SPDX-License-Identifier: Apache-2.0
// Operators "sgd_step", "adam_step", ...: what one rule needs is a row of a table, the rest is
// common.
#include "engine/ops/optimizer/optimizer.h"

#include <fmt/format.h>

#include <vector>

#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/optimizer/tensor_lists.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

/// What tells one step from another before its kernel runs.
struct StepRow {
  const char* id;
  const char* help;
  const char* groupNames;
  std::vector<const char*> states;
  int scalars;
  SampleRule samples;
};

constexpr const char* kMoments = "parameter, gradient, moments";

template <StepKind kind>
std::vector<OpSample> samplesOf();

const std::vector<StepRow>& rows() {
  static const std::vector<StepRow> kRows = {
      {"sgd_step",
       "One step of stochastic gradient descent, in place.",
       "parameter, gradient, momentum",
       {"momentum buffer"},
       kStepScalars,
       &samplesOf<StepKind::Sgd>},
      {"adam_step",
       "One step of Adam or AdamW, in place.",
       kMoments,
       {"first moment", "second moment"},
       kStepScalars,
       &samplesOf<StepKind::Adam>},
      {"amsgrad_step",
       "One step of the AMSGrad form of Adam or AdamW, in place.",
       kMoments,
       {"first moment", "second moment", "largest second moment"},
       kStepScalars,
       &samplesOf<StepKind::AmsGrad>},
      {"adamax_step",
       "One step of Adamax, in place.",
       kMoments,
       {"first moment", "largest size"},
       kRuleScalars,
       &samplesOf<StepKind::Adamax>},
      {"nadam_step",
       "One step of NAdam, in place.",
       kMoments,
       {"first moment", "second moment"},
       kRuleScalars,
       &samplesOf<StepKind::NAdam>},
      {"radam_step",
       "One step of RAdam, in place.",
       kMoments,
       {"first moment", "second moment"},
       kRuleScalars,
       &samplesOf<StepKind::RAdam>},
      {"rmsprop_step",
       "One step of RMSprop, in place.",
       "parameter, gradient, mean of squares, mean, momentum",
       {"mean of squares", "mean gradient", "momentum buffer"},
       kRuleScalars,
       &samplesOf<StepKind::RmsProp>},
      {"adagrad_step",
       "One step of Adagrad, in place.",
       "parameter, gradient, sum of squares",
       {"sum of squares"},
       kRuleScalars,
       &samplesOf<StepKind::Adagrad>},
      {"adadelta_step",
       "One step of Adadelta, in place.",
       "parameter, gradient, means of squares",
       {"mean of squares", "mean of squared steps"},
       kRuleScalars,
       &samplesOf<StepKind::Adadelta>},
      {"lion_step",
       "One step of Lion, in place.",
       "parameter, gradient, moment",
       {"first moment"},
       kRuleScalars,
       &samplesOf<StepKind::Lion>},
      {"lamb_step",
       "One step of LAMB, in place.",
       kMoments,
       {"first moment", "second moment"},
       kRuleScalars,
       &samplesOf<StepKind::Lamb>}};
  return kRows;
}

/// Whether a rule with these flags uses its state `k`.
bool uses(StepKind kind, const StepFlags& flags, size_t k) {
  if (kind == StepKind::Sgd) return flags.momentum != 0;
  if (kind == StepKind::RmsProp) return k == 0 || (k == 1 ? flags.centered : flags.momentum) != 0;
  return true;
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

std::span<const OpDef> stepOps();

void stepMeta(const OpCall& call, std::span<TensorMeta>) {
  const auto place = static_cast<size_t>(&call.op - stepOps().data());
  const StepRow& row = rows()[place];
  needInputs(call, 1);
  needFloating(call, 0);
  needShape(call, 0, {row.scalars});
  const size_t group = call.op.groupSize;
  const auto& flags = call.as<StepFlags>();
  for (size_t i = 1; i + group <= call.inputs.size(); i += group) {
    const size_t slot = (i - 1) / group;
    if (!call.has(i))
      throw Error(Code::Usage, fmt::format("[{}] slot {} has no parameter", call.op.id, slot));
    needSameType(call, 0, i);
    needLike(call, slot, i + 1, call.input(i), "gradient");
    for (size_t k = 0; k < row.states.size(); ++k)
      if (uses(static_cast<StepKind>(place), flags, k))
        needLike(call, slot, i + 2 + k, call.input(i), row.states[k]);
  }
}

void describeStep(const void* params, ParamMap& out) {
  const auto* p = static_cast<const StepFlags*>(params);
  out.set("decoupled", p->decoupled != 0);
  out.set("maximize", p->maximize != 0);
  out.set("momentum", p->momentum != 0);
  out.set("nesterov", p->nesterov != 0);
  out.set("centered", p->centered != 0);
}

std::vector<OpDef> makeStepOps() {
  std::vector<OpDef> ops;
  for (const StepRow& row : rows()) {
    const auto size = static_cast<uint8_t>(2 + row.states.size());
    ops.push_back({.id = row.id,
                   .help = row.help,
                   .inputNames = {"scalars", row.groupNames},
                   .outputs = 0,
                   .variadic = true,
                   .paramBytes = sizeof(StepFlags),
                   .meta = &stepMeta,
                   .groupFirst = 1,
                   .groupSize = size,
                   .groupMutates = ((uint64_t{1} << size) - 1) & ~uint64_t{0b10},
                   .describe = &describeStep,
                   .samples = row.samples});
  }
  return ops;
}

std::span<const OpDef> stepOps() {
  static const std::vector<OpDef> kOps = makeStepOps();
  return kOps;
}

SampleInput values(const Shape& shape, double low = -1, double high = 1) {
  return {shape, SampleInput::Values::Uniform, low, high, false};
}

/// Two parameters of odd sizes with the state the flags ask for; squares outweigh what is
/// subtracted of them.
OpSample stepSample(StepKind kind, const char* name, const StepFlags& flags) {
  const StepRow& row = rows()[static_cast<size_t>(kind)];
  OpSample sample = {name, {values({row.scalars}, 0.3, 0.5)}, sampleParams(flags), {}};
  for (const Shape& shape : {Shape{5, 7}, Shape{3}}) {
    sample.inputs.insert(sample.inputs.end(), {values(shape), values(shape)});
    for (size_t k = 0; k < row.states.size(); ++k) {
      const bool square = k > 0 || row.states.size() == 1;
      sample.inputs.push_back(!uses(kind, flags, k) ? SampleInput{{}, SampleInput::Values::Absent}
                              : kind == StepKind::RmsProp
                                  ? values(shape, k == 0 ? 4 : -0.5, k == 0 ? 5 : 0.5)
                                  : values(shape, square ? 0.1 : -1, 2));
    }
  }
  return sample;
}

std::vector<OpSample> sgdSamples() {
  std::vector<OpSample> all = {stepSample(StepKind::Sgd, "plain", {}),
                               stepSample(StepKind::Sgd, "momentum", {.momentum = 1}),
                               stepSample(StepKind::Sgd, "nesterov, maximize",
                                          {.maximize = 1, .momentum = 1, .nesterov = 1})};
  const auto momentum = sampleParams(StepFlags{.momentum = 1});
  const SampleInput s = values({8});
  const SampleInput a = values({5, 7});
  const SampleInput b = values({3});
  const SampleInput none{{}, SampleInput::Values::Absent};
  all.push_back(
      {"gradient of another shape", {s, a, b, a}, momentum, {"gradient of slot 0", "[3]"}});
  all.push_back({"no momentum buffer", {s, a, a, none}, momentum, {"slot 0", "momentum buffer"}});
  all.push_back({"few scalars", {values({7}), a, a, a}, momentum, {"scalars", "[8]"}});
  return all;
}

template <StepKind kind>
std::vector<OpSample> samplesOf() {
  if (kind == StepKind::Sgd) return sgdSamples();
  std::vector<OpSample> all = {stepSample(kind, "L2, maximize", {.maximize = 1}),
                               stepSample(kind, "decoupled", {.decoupled = 1})};
  if (kind == StepKind::RmsProp) {
    all.push_back(stepSample(kind, "centered", {.centered = 1}));
    all.push_back(stepSample(kind, "momentum", {.momentum = 1}));
    all.push_back(stepSample(kind, "centered, momentum", {.momentum = 1, .centered = 1}));
  }
  OpSample wrong = stepSample(kind, "state of another shape", {});
  wrong.inputs[3] = values({5});
  wrong.refusedWith = {rows()[static_cast<size_t>(kind)].states[0], "slot 0", "[5]"};
  all.push_back(wrong);
  return all;
}

}  // namespace

OpDefList opDefs_optimizer();
OpDefList opDefs_optimizer() {
  static const std::vector<const OpDef*> kAll = [] {
    std::vector<const OpDef*> all;
    for (const OpDef& op : stepOps()) all.push_back(&op);
    all.insert(all.end(), tensorListOps().begin(), tensorListOps().end());
    return all;
  }();
  return {kAll.data(), static_cast<int>(kAll.size())};
}

int scalarsOf(StepKind kind) { return rows()[static_cast<size_t>(kind)].scalars; }

size_t stepWorkspaceBytes(StepKind kind, std::span<const StepSlot> slots) {
  if (kind != StepKind::Lamb) return 0;
  int64_t chunks = 1;
  for (const StepSlot& slot : slots)
    chunks += (slot.parameter.numel() + kLambChunk - 1) / kLambChunk;
  return static_cast<size_t>(chunks) * kLambChunkBytes;
}

void fusedStep(StepKind kind, const Tensor& scalars, std::span<const StepSlot> slots,
               const StepFlags& flags) {
  const OpDef& op = stepOps()[static_cast<size_t>(kind)];
  if (flags.nesterov && !flags.momentum)
    throw Error(Code::Usage, fmt::format("[{}] nesterov needs momentum", op.id));
  if (slots.empty()) return;
  const gate::NoGradGuard noGrad;
  std::vector<const Tensor*> inputs = {&scalars};
  inputs.reserve(1 + slots.size() * op.groupSize);
  for (const StepSlot& slot : slots) {
    inputs.insert(inputs.end(), {&slot.parameter, &slot.gradient});
    for (size_t k = 0; k + 2 < op.groupSize; ++k) inputs.push_back(&slot.state[k]);
  }
  gate::call(op, inputs, &flags);
}

void sgdStep(const Tensor& scalars, std::span<const SgdSlot> slots, const SgdStepParams& params) {
  std::vector<StepSlot> all;
  for (const SgdSlot& slot : slots)
    all.push_back({slot.parameter, slot.gradient, {slot.momentum, {}, {}}});
  fusedStep(
      StepKind::Sgd, scalars, all,
      {.maximize = params.maximize, .momentum = params.momentum, .nesterov = params.nesterov});
}

void adamStep(const Tensor& scalars, std::span<const AdamSlot> slots,
              const AdamStepParams& params) {
  std::vector<StepSlot> all;
  for (const AdamSlot& slot : slots)
    all.push_back({slot.parameter, slot.gradient, {slot.firstMoment, slot.secondMoment, {}}});
  fusedStep(StepKind::Adam, scalars, all,
            {.decoupled = params.decoupled, .maximize = params.maximize});
}

}  // namespace tenon
