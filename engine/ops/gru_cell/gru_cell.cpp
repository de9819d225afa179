// SPDX-License-Identifier: Apache-2.0
// Operators gru_cell and gru_cell_backward: shape rules, gradients, samples.
#include "engine/ops/gru_cell/gru_cell.h"

#include "engine/ops/arrange/arrange.h"
#include "engine/ops/checks.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

constexpr const char* kGates = "3 gates of each hidden unit";

/// Shape of the gates beside a state [N, H].
Shape gatesOf(const Shape& state) { return {state[0], 3 * state[1]}; }

void forwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  requirePresent(call, {0, 1});
  requireAxes(call, 2, 2, "[N, H]");
  const DType type = requireOneFloatingType(call, {0, 1, 2});
  const Shape& state = call.input(2).shape();
  requireShape(call, 0, gatesOf(state), kGates);
  requireShape(call, 1, gatesOf(state), kGates);
  out[0] = {state, type};
  out[1] = {gatesOf(state), type};
}

void backwardMeta(const OpCall& call, std::span<TensorMeta> out) {
  requirePresent(call, {0, 1, 3});
  requireAxes(call, 2, 2, "[N, H]");
  const DType type = requireOneFloatingType(call, {0, 1, 2, 3});
  const Shape& state = call.input(2).shape();
  requireShape(call, 0, state, "the state after the step");
  requireShape(call, 1, gatesOf(state), kGates);
  requireShape(call, 3, gatesOf(state), kGates);
  out[0] = out[1] = {gatesOf(state), type};
  out[2] = {state, type};
}

extern const OpDef kBackward;

void fusedGradient(GradCall& call) {
  gate::Outputs out = gate::runAll(
      kBackward, {&call.gradOutputs[0], &call.inputs[1], &call.inputs[2], &call.outputs[1]});
  for (size_t i = 0; i < 3; ++i)
    if (call.needs(i)) call.gradInputs[i] = std::move(out[i]);
}

/// The rule built from differentiable operators: the gates are functions of the inputs again.
void spelledGradient(GradCall& call) {
  const Tensor &projected = call.inputs[0], &carried = call.inputs[1], &hidden = call.inputs[2];
  const Tensor& dy = call.gradOutputs[0];
  const int64_t size = hidden.size(1);
  const auto gate = [&](const Tensor& all, int64_t which) {
    return narrow(all, 1, which * size, size);
  };
  const auto both = [&](int64_t which) {
    return sigmoid(add(gate(projected, which), gate(carried, which)));
  };
  // s (1 - s) dy
  const auto throughSigmoid = [](const Tensor& d, const Tensor& s) {
    return mul(d, sub(s, mul(s, s)));
  };
  const Tensor reset = both(0), update = both(1);
  const Tensor fresh = tanh(add(gate(projected, 2), mul(reset, gate(carried, 2))));
  const Tensor kept = mul(dy, update);
  const Tensor dfresh = sub(dy, kept);
  const Tensor dinner = sub(dfresh, mul(dfresh, mul(fresh, fresh)));
  const Tensor dreset = throughSigmoid(mul(dinner, gate(carried, 2)), reset);
  const Tensor dupdate = throughSigmoid(mul(dy, sub(hidden, fresh)), update);
  if (call.needs(0)) call.gradInputs[0] = cat({dreset, dupdate, dinner}, 1);
  if (call.needs(1)) call.gradInputs[1] = cat({dreset, dupdate, mul(dinner, reset)}, 1);
  if (call.needs(2)) call.gradInputs[2] = kept;
}

std::vector<OpSample> forwardSamples() {
  std::vector<OpSample> samples;
  const auto add = [&](const char* name, int64_t n, int64_t h) {
    samples.push_back({name, {{{n, 3 * h}}, {{n, 3 * h}}, {{n, h}}}, {}, {}});
  };
  add("small", 2, 3);
  add("eights", 3, 8);
  add("rests", 5, 19);
  add("one", 1, 1);
  samples.push_back({"projected",
                     {{{2, 8}}, {{2, 9}}, {{2, 3}}},
                     {},
                     {"projected wants shape [2, 9] (3 gates of each hidden unit), got [2, 8]"}});
  samples.push_back(
      {"hidden", {{{2, 9}}, {{2, 9}}, {{6}}}, {}, {"hidden wants 2 axes [N, H], got 1"}});
  return samples;
}

std::vector<OpSample> backwardSamples() {
  std::vector<OpSample> samples;
  for (OpSample& sample : forwardSamples()) {
    if (!sample.refusedWith.empty()) continue;
    const Shape state = sample.inputs[2].shape, gates = sample.inputs[1].shape;
    samples.push_back({sample.name, {{state}, {gates}, {state}, {gates}}, {}, {}});
  }
  samples.push_back({"gates",
                     {{{2, 3}}, {{2, 9}}, {{2, 3}}, {{2, 3}}},
                     {},
                     {"gates wants shape [2, 9] (3 gates of each hidden unit), got [2, 3]"}});
  return samples;
}

const OpDef kForward = {.id = "gru_cell",
                        .help = "One step of a GRU from the products of input and hidden state.",
                        .inputNames = {"projected", "carried", "hidden"},
                        .outputs = 2,
                        .meta = &forwardMeta,
                        .savesInputs = 0b111,
                        .savesOutputs = 0b10,
                        .nonDifferentiable = 0b10,
                        .grad = &fusedGradient,
                        .gradDifferentiable = &spelledGradient,
                        .autocast = AutocastClass::LowPrecision,
                        .samples = &forwardSamples};
const OpDef kBackward = {.id = "gru_cell_backward",
                         .help = "Gradients of gru_cell with respect to its inputs.",
                         .inputNames = {"dy", "carried", "hidden", "gates"},
                         .outputs = 3,
                         .meta = &backwardMeta,
                         .samples = &backwardSamples};

const OpDef* const kOps[] = {&kForward, &kBackward};

}  // namespace

OpDefList opDefs_gru_cell();
OpDefList opDefs_gru_cell() { return {kOps, 2}; }

Tensor gruCell(const Tensor& projected, const Tensor& carried, const Tensor& hidden) {
  return std::move(gate::runAll(kForward, {&projected, &carried, &hidden})[0]);
}

}  // namespace tenon
