// SPDX-License-Identifier: Apache-2.0
// Layers and directions over sequences. The inputs of all steps are multiplied by their weights at
// once; only the hidden state's product waits for the step before.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/arrange/arrange.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/lstm/lstm.h"
#include "engine/ops/recurrent/recurrent.h"
#include "engine/ops/recurrent/recurrent_cells.h"
#include "engine/ops/view/view.h"

namespace tenon {

namespace {

/// Hidden state [N, H] and, for LSTM, cell state [N, H].
struct StepState {
  Tensor hidden;
  Tensor cell;
};

/// Sizes of a call, and for sequences of unequal length which are still running at each step.
struct Plan {
  const RecurrentOptions& options;
  int64_t steps = 0, batch = 0, hidden = 0;
  int64_t directions = 1, layers = 0;
  std::vector<Tensor> running = {};  ///< [N, 1] bool at each step; empty: all are
  Tensor lengths = {};               ///< [N] i64 with it
};

void need(bool holds, const std::string& why) {
  if (!holds) throw Error(Code::Shape, "[recurrent] " + why);
}

void checkWeight(const Tensor& weight, const Shape& wanted, const char* name, size_t at,
                 const Tensor& x, bool optional) {
  if (!weight.defined() && optional) return;
  if (!weight.defined())
    throw Error(Code::Usage, fmt::format("[recurrent] {} of weights {} is undefined: it holds no "
                                         "tensor",
                                         name, at));
  if (!(weight.shape() == wanted) || weight.dtype() != x.dtype())
    throw Error(Code::Shape,
                fmt::format("[recurrent] {} of weights {} wants {} {}, got {}", name, at,
                            dtypeName(x.dtype()), toString(wanted), describe(weight)));
}

void checkWeights(const Plan& plan, const Tensor& x, const std::vector<RecurrentWeights>& weights) {
  const int64_t rows = gatesOf(plan.options.kind) * plan.hidden;
  for (size_t i = 0; i < weights.size(); ++i) {
    const bool first = static_cast<int64_t>(i) < plan.directions;
    const int64_t in = first ? x.size(2) : plan.directions * plan.hidden;
    checkWeight(weights[i].input, {rows, in}, "input", i, x, false);
    checkWeight(weights[i].hidden, {rows, plan.hidden}, "hidden", i, x, false);
    checkWeight(weights[i].inputBias, {rows}, "inputBias", i, x, true);
    checkWeight(weights[i].hiddenBias, {rows}, "hiddenBias", i, x, true);
  }
}

void checkState(const Plan& plan, const Tensor& state, const char* name, const Tensor& x) {
  const Shape wanted = {plan.layers * plan.directions, plan.batch, plan.hidden};
  if (state.defined() && (!(state.shape() == wanted) || state.dtype() != x.dtype()))
    throw Error(Code::Shape, fmt::format("[recurrent] {} wants {} {}, got {}", name,
                                         dtypeName(x.dtype()), toString(wanted), describe(state)));
}

/// @param x [T, N, I]
Plan planOf(const Tensor& x, const std::vector<RecurrentWeights>& weights,
            const RecurrentState& start, const RecurrentOptions& options) {
  Plan plan{options};
  plan.steps = x.size(0);
  plan.batch = x.size(1);
  plan.directions = options.bidirectional ? 2 : 1;
  const auto entries = static_cast<int64_t>(weights.size());
  need(plan.steps > 0 && plan.batch > 0, "wants at least one element, got " + describe(x));
  if (entries == 0 || entries % plan.directions != 0)
    throw Error(Code::Usage, fmt::format("[recurrent] wants weights for each of {} directions of a "
                                         "layer, got {}",
                                         plan.directions, entries));
  plan.layers = entries / plan.directions;
  if (!weights[0].hidden.defined() || weights[0].hidden.ndim() != 2)
    throw Error(Code::Usage, "[recurrent] hidden of weights 0 wants 2 axes [gates * H, H]");
  plan.hidden = weights[0].hidden.size(1);
  checkWeights(plan, x, weights);
  checkState(plan, start.hidden, "hidden state", x);
  checkState(plan, start.cell, "cell state", x);
  return plan;
}

void findRunning(Plan& plan) {
  const std::vector<int64_t>& lengths = plan.options.lengths;
  if (lengths.empty()) return;
  need(static_cast<int64_t>(lengths.size()) == plan.batch,
       fmt::format("wants a length for each of {} sequences, got {}", plan.batch, lengths.size()));
  bool equal = true;
  for (int64_t length : lengths) {
    need(length >= 1 && length <= plan.steps,
         fmt::format("lengths must be 1 .. {}, got {}", plan.steps, length));
    equal = equal && length == plan.steps;
  }
  if (!equal) plan.lengths = Tensor::fromValues(lengths, {plan.batch});
  for (int64_t t = 0; !equal && t < plan.steps; ++t) {
    std::vector<std::byte> mask;
    mask.reserve(lengths.size());
    for (int64_t length : lengths) mask.push_back(std::byte{t < length});
    plan.running.push_back(
        Tensor::fromBytes(mask.data(), mask.size(), {plan.batch, 1}, DType::Bool));
  }
}

Tensor layerState(const Tensor& all, int64_t at, const Plan& plan, const Tensor& like) {
  return all.defined() ? select(all, 0, static_cast<int64_t>(at))
                       : Tensor::zeros({plan.batch, plan.hidden}, like.dtype(), like.device());
}

/// What one direction of a layer gives: y [T, N, H] and its last state.
struct Run {
  Tensor y;
  StepState end;
};

/// One operator runs over all steps.
Run runLstm(const Plan& plan, const Tensor& x, const RecurrentWeights& weights,
            const StepState& state, bool backwards) {
  const Tensor &first = weights.inputBias, &second = weights.hiddenBias;
  const Tensor bias = first && second ? add(first, second) : first ? first : second;
  const LstmStates states =
      lstm({x, weights.input, weights.hidden, bias, state.hidden, state.cell, plan.lengths},
           {backwards});
  const int64_t last = backwards ? 0 : plan.steps - 1;
  Tensor y = states.hidden;
  if (!plan.running.empty())
    y = where(stack(plan.running, 0), y, Tensor::zeros({}, x.dtype(), x.device()));
  return {y, {select(states.hidden, 0, last), select(states.cell, 0, last)}};
}

Run runDirection(const Plan& plan, const Tensor& x, const RecurrentWeights& weights,
                 StepState state, bool backwards) {
  if (plan.options.kind == RecurrentKind::Lstm) return runLstm(plan, x, weights, state, backwards);
  const Tensor projected = linear(x, weights.input, weights.inputBias);
  const Tensor zero = Tensor::zeros({}, x.dtype(), x.device());
  std::vector<Tensor> outputs(static_cast<size_t>(plan.steps));
  for (int64_t k = 0; k < plan.steps; ++k) {
    const int64_t t = backwards ? plan.steps - 1 - k : k;
    const auto at = static_cast<size_t>(t);
    const Tensor next =
        recurrent_parts::step(plan.options.kind, select(projected, 0, t), state.hidden, weights);
    if (plan.running.empty()) {
      state.hidden = outputs[at] = next;
      continue;
    }
    outputs[at] = where(plan.running[at], next, zero);
    state.hidden = where(plan.running[at], next, state.hidden);
  }
  return {stack(outputs, 0), state};
}

std::vector<RecurrentWeights> castWeights(const gate::AutocastCall& cast,
                                          const std::vector<RecurrentWeights>& weights) {
  std::vector<RecurrentWeights> out;
  out.reserve(weights.size());
  for (const RecurrentWeights& own : weights)
    out.push_back({cast(own.input), cast(own.hidden), cast(own.inputBias), cast(own.hiddenBias)});
  return out;
}

}  // namespace

RecurrentResult recurrent(const Tensor& x, const std::vector<RecurrentWeights>& weights,
                          const RecurrentState& start, const RecurrentOptions& options) {
  if (const gate::AutocastCall cast{AutocastClass::LowPrecision})
    return recurrent(cast(x), castWeights(cast, weights), {cast(start.hidden), cast(start.cell)},
                     options);
  if (!x.defined()) throw Error(Code::Usage, "[recurrent] x is undefined: it holds no tensor");
  need(x.ndim() == 3, "x wants 3 axes, got " + describe(x));
  if (!isFloating(x.dtype()))
    throw Error(Code::Type, "[recurrent] x must be floating, got " + describe(x));
  Tensor layer = options.batchFirst ? transpose(x, 0, 1) : x;
  Plan plan = planOf(layer, weights, start, options);
  findRunning(plan);
  const bool lstm = options.kind == RecurrentKind::Lstm;
  std::vector<Tensor> hidden, cell;
  for (int64_t l = 0; l < plan.layers; ++l) {
    std::vector<Tensor> sides;
    for (int64_t d = 0; d < plan.directions; ++d) {
      const int64_t at = l * plan.directions + d;
      const StepState state = {layerState(start.hidden, at, plan, x),
                               lstm ? layerState(start.cell, at, plan, x) : Tensor()};
      const Run run = runDirection(plan, layer, weights[static_cast<size_t>(at)], state, d == 1);
      sides.push_back(run.y);
      hidden.push_back(run.end.hidden);
      if (lstm) cell.push_back(run.end.cell);
    }
    layer = sides.size() == 1 ? sides[0] : cat(sides, 2);
    if (l + 1 < plan.layers) layer = dropout(layer, options.dropout, options.dropout > 0);
  }
  return {options.batchFirst ? transpose(layer, 0, 1) : layer,
          {stack(hidden, 0), lstm ? stack(cell, 0) : Tensor()}};
}

}  // namespace tenon
