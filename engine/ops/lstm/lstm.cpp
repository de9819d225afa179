// SPDX-License-Identifier: Apache-2.0
// Operators lstm and lstm_backward: shape rules, the fused gradient, samples.
#include "engine/ops/lstm/lstm.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/gate/gate.h"

namespace tenon {
namespace {

/// Places of the inputs that both operators have.
struct Places {
  size_t x, inputWeight, hiddenWeight, hidden, cell, lengths;
};
constexpr Places kForwardPlaces = {0, 1, 2, 4, 5, 6};
constexpr Places kBackwardPlaces = {2, 3, 4, 5, 6, 7};

struct Sizes {
  int64_t steps, batch, inputs, hidden;
};

Sizes checkedSizes(const OpCall& call, const Places& at) {
  requireAxes(call, at.x, 3, "[T, N, I]");
  requireAxes(call, at.inputWeight, 2, "[4 H, I]");
  requireAxes(call, at.hiddenWeight, 2, "[4 H, H]");
  requirePresent(call, {at.hidden, at.cell});
  const Shape& x = call.input(at.x).shape();
  const Sizes s = {x[0], x[1], x[2], call.input(at.hiddenWeight).shape()[1]};
  if (s.steps < 1 || s.hidden < 1) refuseShapes(call, "wants at least one step and hidden unit");
  const char* gates = "4 gates of each hidden unit";
  requireShape(call, at.inputWeight, {4 * s.hidden, s.inputs}, gates);
  requireShape(call, at.hiddenWeight, {4 * s.hidden, s.hidden}, gates);
  requireShape(call, at.hidden, {s.batch, s.hidden}, "a state of each sequence");
  requireShape(call, at.cell, {s.batch, s.hidden}, "a state of each sequence");
  requireShape(call, at.lengths, {s.batch}, "one length a sequence");
  if (call.has(at.lengths) && call.input(at.lengths).dtype() != DType::I64)
    throw Error(Code::Type, fmt::format("[{}] lengths wants i64, got {}", call.op.id,
                                        dtypeName(call.input(at.lengths).dtype())));
  return s;
}

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const Sizes s = checkedSizes(call, kForwardPlaces);
  const DType type = requireOneFloatingType(call, {0, 1, 2, 3, 4, 5});
  requireShape(call, 3, {4 * s.hidden}, "4 gates of each hidden unit");
  out[0] = out[1] = {{s.steps, s.batch, s.hidden}, type};
  out[2] = {{s.steps, s.batch, 4 * s.hidden}, type};
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  const Sizes s = checkedSizes(call, kBackwardPlaces);
  requirePresent(call, {8, 9, 10});
  const DType type = requireOneFloatingType(call, {0, 1, 2, 3, 4, 5, 6, 8, 9, 10});
  const Shape states = {s.steps, s.batch, s.hidden};
  for (size_t i : {size_t{0}, size_t{1}, size_t{8}, size_t{9}})
    requireShape(call, i, states, "a state after each step");
  requireShape(call, 10, {s.steps, s.batch, 4 * s.hidden}, "4 gates of each hidden unit");
  const bool input = call.as<LstmGradParams>().inputGradient != 0;
  out[0] = {input ? call.input(2).shape() : Shape{0}, type};
  out[1] = {call.input(3).shape(), type};
  out[2] = {call.input(4).shape(), type};
  out[3] = {{4 * s.hidden}, type};
  out[4] = out[5] = {{s.batch, s.hidden}, type};
}

extern const OpDef kBackward;

void fusedGradient(GradCall& call) {
  const LstmGradParams params{call.as<LstmParams>().backwards, call.needs(0)};
  const auto in = [&](size_t i) { return &call.inputs[i]; };
  gate::Outputs out =
      gate::runAll(kBackward,
                   {&call.gradOutputs[0], &call.gradOutputs[1], in(0), in(1), in(2), in(4), in(5),
                    in(6), &call.outputs[0], &call.outputs[1], &call.outputs[2]},
                   &params);
  for (size_t i = 0; i < 6; ++i)
    if (call.needs(i)) call.gradInputs[i] = std::move(out[i]);
}

using Values = SampleInput::Values;

struct Case {
  const char* name;
  int64_t steps, batch, inputs, hidden;
  bool backwards = false, bias = true, lengths = false;
};

// The shapes reach whole panels and rests of them, and every number of rows of a block.
const Case kCases[] = {
    {"one step", 1, 2, 3, 2},
    {"short", 3, 2, 1, 1, false, false},
    {"lengths", 3, 2, 1, 1, false, true, true},
    {"lengths, backwards", 3, 3, 2, 1, true, true, true},
    {"backwards", 2, 3, 2, 5, true},
    {"eights", 2, 8, 4, 8},
    {"rests", 3, 7, 5, 19, false, true, true},
    {"bands", 2, 53, 3, 9, true, false},
};

SampleInput lengthsOf(const Case& c) {
  return {
      {c.batch}, c.lengths ? Values::Index : Values::Absent, 0, static_cast<double>(c.steps + 1)};
}

std::vector<OpSample> forwardSamples() {
  std::vector<OpSample> samples;
  for (const Case& c : kCases)
    samples.push_back({c.name,
                       {{{c.steps, c.batch, c.inputs}},
                        {{4 * c.hidden, c.inputs}},
                        {{4 * c.hidden, c.hidden}},
                        {{4 * c.hidden}, c.bias ? Values::Uniform : Values::Absent},
                        {{c.batch, c.hidden}},
                        {{c.batch, c.hidden}},
                        lengthsOf(c)},
                       sampleParams(LstmParams{c.backwards}),
                       {}});
  const SampleInput none = {{}, Values::Absent};
  const auto refused = [&](const char* name, std::vector<SampleInput> inputs, const char* why) {
    inputs.push_back(none);
    samples.push_back({name, std::move(inputs), sampleParams(LstmParams{}), {why}});
  };
  refused("no steps", {{{0, 2, 3}}, {{8, 3}}, {{8, 2}}, none, {{2, 2}}, {{2, 2}}},
          "wants at least one step and hidden unit: x [0, 2, 3]");
  refused("input weight", {{{1, 2, 3}}, {{8, 4}}, {{8, 2}}, none, {{2, 2}}, {{2, 2}}},
          "input_weight wants shape [8, 3] (4 gates of each hidden unit), got [8, 4]");
  refused("bias", {{{1, 2, 3}}, {{8, 3}}, {{8, 2}}, {{2}}, {{2, 2}}, {{2, 2}}},
          "bias wants shape [8] (4 gates of each hidden unit), got [2]");
  refused("cell", {{{1, 2, 3}}, {{8, 3}}, {{8, 2}}, none, {{2, 2}}, {{1, 2}}},
          "cell wants shape [2, 2] (a state of each sequence), got [1, 2]");
  return samples;
}

std::vector<OpSample> backwardSamples() {
  std::vector<OpSample> samples;
  for (const Case& c : kCases) {
    const Shape states = {c.steps, c.batch, c.hidden};
    const SampleInput gates = {{c.steps, c.batch, 4 * c.hidden}, Values::Uniform, 0.1, 0.9};
    samples.push_back({c.name,
                       {{states, c.bias ? Values::Uniform : Values::Absent},
                        {states, c.steps == 3 || !c.bias ? Values::Uniform : Values::Absent},
                        {{c.steps, c.batch, c.inputs}},
                        {{4 * c.hidden, c.inputs}},
                        {{4 * c.hidden, c.hidden}},
                        {{c.batch, c.hidden}},
                        {{c.batch, c.hidden}},
                        lengthsOf(c),
                        {states},
                        {states},
                        gates},
                       sampleParams(LstmGradParams{c.backwards, c.steps != 3}),
                       {}});
  }
  OpSample wrong = samples.front();
  wrong.inputs.back().shape = {1, 2, 9};
  wrong.refusedWith = {"gates wants shape [1, 2, 8] (4 gates of each hidden unit), got [1, 2, 9]"};
  samples.push_back(wrong);
  return samples;
}

const OpDef kForward = {
    .id = "lstm",
    .help = "One direction of an LSTM layer over whole sequences.",
    .inputNames = {"x", "input_weight", "hidden_weight", "bias", "hidden", "cell", "lengths"},
    .outputs = 3,
    .paramBytes = sizeof(LstmParams),
    .meta = &forwardMeta,
    .savesInputs = 0b1111111,
    .savesOutputs = 0b111,
    .nonDifferentiable = 0b100,
    .grad = &fusedGradient,
    .gradDifferentiable = &lstm_parts::spelledGradient,
    .autocast = AutocastClass::LowPrecision,
    .samples = &forwardSamples};
const OpDef kBackward = {
    .id = "lstm_backward",
    .help = "Gradients of lstm with respect to x, both weights, the bias and the first state.",
    .inputNames = {"dhidden", "dcell", "x", "input_weight", "hidden_weight", "hidden", "cell",
                   "lengths", "hiddens", "cells", "gates"},
    .outputs = 6,
    .paramBytes = sizeof(LstmGradParams),
    .meta = &backwardMeta,
    .samples = &backwardSamples};

const OpDef* const kOps[] = {&kForward, &kBackward};

}  // namespace

OpDefList opDefs_lstm();
OpDefList opDefs_lstm() { return {kOps, 2}; }

LstmStates lstm(const LstmInputs& in, const LstmParams& params) {
  gate::Outputs out = gate::runAll(
      kForward,
      {&in.x, &in.inputWeight, &in.hiddenWeight, &in.bias, &in.hidden, &in.cell, &in.lengths},
      &params);
  return {std::move(out[0]), std::move(out[1])};
}

}  // namespace tenon
