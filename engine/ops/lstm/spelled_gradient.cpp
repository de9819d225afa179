// SPDX-License-Identifier: Apache-2.0
// The gradient of lstm from differentiable operators, for gradients of gradients: the steps again,
// as functions of the inputs, and then back through them.
#include "engine/ops/arrange/arrange.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/lstm/lstm.h"
#include "engine/ops/op_def.h"
#include "engine/ops/view/view.h"

namespace tenon::lstm_parts {
namespace {

/// What one step made of the state before it.
struct Step {
  int64_t at = 0;       ///< on the axis T
  Tensor running = {};  ///< [N, 1] bool, or undefined: every sequence is
  Tensor hidden = {}, cell = {};
  Tensor input = {}, forget = {}, fresh = {}, output = {};  ///< the gates
  Tensor squashed = {};                                     ///< tanh of the cell after it
};

struct State {
  Tensor hidden, cell;
};

/// `value` where the sequence runs, else `other`.
Tensor whereRunning(const Step& step, const Tensor& value, const Tensor& other) {
  return step.running ? where(step.running, value, other) : value;
}

State advance(Step& step, const Tensor& gates) {
  const int64_t size = step.hidden.size(1);
  const auto gate = [&](int64_t which) { return narrow(gates, 1, which * size, size); };
  step.input = sigmoid(gate(0));
  step.forget = sigmoid(gate(1));
  step.fresh = tanh(gate(2));
  step.output = sigmoid(gate(3));
  const Tensor cell = add(mul(step.forget, step.cell), mul(step.input, step.fresh));
  step.squashed = tanh(cell);
  return {whereRunning(step, mul(step.output, step.squashed), step.hidden),
          whereRunning(step, cell, step.cell)};
}

std::vector<Step> stepsAgain(const GradCall& call) {
  const auto& in = call.inputs;
  const int64_t count = in[0].size(0);
  const Tensor projected = linear(in[0], in[1], in[3]);
  const Tensor lengths = in[6] ? reshape(in[6], {in[6].numel(), 1}) : Tensor();
  State state = {in[4], in[5]};
  std::vector<Step> steps;
  for (int64_t k = 0; k < count; ++k) {
    Step step{call.as<LstmParams>().backwards ? count - 1 - k : k, {}, state.hidden, state.cell};
    if (lengths)
      step.running = greater(lengths, Tensor::full({}, static_cast<double>(step.at), DType::I64));
    const Tensor carried = linear(state.hidden, in[2], {});
    state = advance(step, add(select(projected, 0, step.at), carried));
    steps.push_back(step);
  }
  return steps;
}

/// s (1 - s) times dy: through a sigmoid whose value is s.
Tensor throughSigmoid(const Tensor& dy, const Tensor& s) { return mul(dy, sub(s, mul(s, s))); }
/// (1 - t^2) dy: through a hyperbolic tangent whose value is t.
Tensor throughTanh(const Tensor& dy, const Tensor& t) { return sub(dy, mul(dy, mul(t, t))); }

/// Gradients of the gates before their functions [N, 4 H]; `later` becomes the state's before the
/// step, but for what the gates hand to the hidden state.
Tensor back(const Step& step, State& later) {
  const Tensor zero = Tensor::zeros({}, later.hidden.dtype(), later.hidden.device());
  const Tensor dh = whereRunning(step, later.hidden, zero);
  const Tensor passing = whereRunning(step, later.cell, zero);
  const Tensor dc = add(passing, throughTanh(mul(dh, step.output), step.squashed));
  Tensor gates = cat({throughSigmoid(mul(dc, step.fresh), step.input),
                      throughSigmoid(mul(dc, step.cell), step.forget),
                      throughTanh(mul(dc, step.input), step.fresh),
                      throughSigmoid(mul(dh, step.squashed), step.output)},
                     1);
  later.hidden = step.running ? where(step.running, zero, later.hidden) : Tensor();
  later.cell = whereRunning(step, mul(dc, step.forget), later.cell);
  return gates;
}

}  // namespace

void spelledGradient(GradCall& call) {
  const std::vector<Step> steps = stepsAgain(call);
  const auto& in = call.inputs;
  const auto outside = [&](size_t output, const Step& step, const Tensor& from) {
    const Tensor& dy = call.gradOutputs[output];
    return dy ? add(from, select(dy, 0, step.at)) : from;
  };
  const Tensor none = Tensor::zeros(in[4].shape(), in[4].dtype(), in[4].device());
  State state = {none, none};
  std::vector<Tensor> gates(steps.size()), hidden(steps.size());
  for (size_t k = steps.size(); k-- > 0;) {
    const Step& step = steps[k];
    state = {outside(0, step, state.hidden), outside(1, step, state.cell)};
    const auto at = static_cast<size_t>(step.at);
    gates[at] = back(step, state);
    hidden[at] = step.hidden;
    const Tensor carried = linearBackwardInput(gates[at], in[2]);
    state.hidden = state.hidden ? add(state.hidden, carried) : carried;
  }
  const Tensor all = stack(gates, 0);
  const auto [dwi, db] = linearBackwardWeight(all, in[0], true);
  if (call.needs(0)) call.gradInputs[0] = linearBackwardInput(all, in[1]);
  if (call.needs(1)) call.gradInputs[1] = dwi;
  if (call.needs(2)) call.gradInputs[2] = linearBackwardWeight(all, stack(hidden, 0), false).first;
  if (call.needs(3)) call.gradInputs[3] = db;
  if (call.needs(4)) call.gradInputs[4] = state.hidden;
  if (call.needs(5)) call.gradInputs[5] = state.cell;
}

}  // namespace tenon::lstm_parts
