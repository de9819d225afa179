// SPDX-License-Identifier: Apache-2.0
// Modules that run some of their parts.
#include "engine/modules/flow.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon::nn {
namespace {

const ModulePtr& needed(const ModulePtr& module, const char* what) {
  if (!module) throw Error(Code::Usage, fmt::format("{} wants a module", what));
  return module;
}

const Tensor& onlyInput(std::span<const Tensor> inputs, const char* what) {
  if (inputs.size() != 1)
    throw Error(Code::Usage, fmt::format("{} wants one input, got {}", what, inputs.size()));
  return inputs[0];
}

}  // namespace

Residual::Residual(const ModulePtr& body, const ModulePtr& shortcut)
    : body_(addChild("body", needed(body, "Residual"))) {
  if (shortcut) shortcut_ = addChild("shortcut", shortcut);
}

Tensors Residual::forward(std::span<const Tensor> inputs) {
  const Tensor& x = onlyInput(inputs, "Residual");
  const Tensor y = (*body_)(x);
  return {add(y, shortcut_ ? (*shortcut_)(x) : x)};
}

ModulePtr residual(const ModulePtr& body, const ModulePtr& shortcut) {
  return std::make_shared<Residual>(body, shortcut);
}

Repeat::Repeat(const ModulePtr& body, int64_t times)
    : Repeat(body, [times](const Tensor&, bool) { return times; }) {}

Repeat::Repeat(const ModulePtr& body, Turns turns)
    : bodies_({addChild("body", needed(body, "Repeat"))}), turns_(std::move(turns)) {
  if (!turns_) throw Error(Code::Usage, "Repeat wants a function that says how many turns");
}

Repeat::Repeat(const std::vector<ModulePtr>& bodies)
    : shared_(false),
      turns_([count = static_cast<int64_t>(bodies.size())](const Tensor&, bool) { return count; }) {
  bodies_.reserve(bodies.size());
  for (const ModulePtr& body : bodies)
    bodies_.push_back(addChild(std::to_string(bodies_.size()), needed(body, "Repeat")));
}

Tensors Repeat::forward(std::span<const Tensor> inputs) {
  Tensor x = onlyInput(inputs, "Repeat");
  const auto quietly = [](const auto& ask) {
    const gate::NoGradGuard noGrad;
    return ask();
  };
  const int64_t turns = quietly([&] { return turns_(x, training()); });
  for (int64_t turn = 0; turn < turns; ++turn) {
    const Tensor y = (*bodies_[shared_ ? 0 : static_cast<size_t>(turn)])(x);
    const bool last = settled_ && quietly([&] { return settled_(x, y); });
    x = y;
    if (last) break;
  }
  return {x};
}

Condition::Condition(Holds holds, const ModulePtr& then, const ModulePtr& otherwise)
    : holds_(std::move(holds)), then_(addChild("then", needed(then, "Condition"))) {
  if (!holds_) throw Error(Code::Usage, "Condition wants a function that decides");
  if (otherwise) else_ = addChild("else", otherwise);
}

Tensors Condition::forward(std::span<const Tensor> inputs) {
  const Tensor& x = onlyInput(inputs, "Condition");
  bool holds = false;
  {
    const gate::NoGradGuard noGrad;
    holds = holds_(x, training());
  }
  if (holds) return {(*then_)(x)};
  return {else_ ? (*else_)(x) : x};
}

}  // namespace tenon::nn
