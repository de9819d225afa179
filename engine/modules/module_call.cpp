// SPDX-License-Identifier: Apache-2.0
// The call of a module: scope, hooks after forward, hooks on the gradients of inputs and outputs.
#include <fmt/format.h>

#include <algorithm>

#include "engine/autograd/custom_function.h"
#include "engine/base/error.h"
#include "engine/modules/module.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon::nn {
namespace {

using autograd::CustomFunction;
using autograd::FunctionContext;

/// Sees gradients on their way (undefined where none came) and gives those that go on.
using GradientRule = std::function<Tensors(std::span<const Tensor> gradients)>;

bool wantsGrad(const Tensor& tensor) { return tensor.defined() && tensor.requiresGrad(); }

/// The tensors, those that want a gradient through one identity, whose gradients `rule` sees all
/// at once, in the places of their tensors.
Tensors watchGradients(std::span<const Tensor> tensors, const char* name,
                       const GradientRule& rule) {
  std::vector<size_t> places;
  Tensors watched;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!wantsGrad(tensors[i])) continue;
    places.push_back(i);
    watched.push_back(tensors[i]);
  }
  CustomFunction identity;
  identity.name = name;
  identity.forward = [](FunctionContext& context, std::span<const Tensor> in) {
    context.keepUndefinedGradients();
    return Tensors(in.begin(), in.end());
  };
  identity.backward = [places, count = tensors.size(), rule](FunctionContext&,
                                                             std::span<const Tensor> gradients) {
    Tensors all(count);
    for (size_t i = 0; i < places.size(); ++i) all[places[i]] = gradients[i];
    all = rule(all);
    Tensors back;
    for (const size_t place : places) back.push_back(all[place]);
    return back;
  };
  watched = autograd::apply(std::make_shared<const CustomFunction>(std::move(identity)), watched);
  Tensors out(tensors.begin(), tensors.end());
  for (size_t i = 0; i < places.size(); ++i) out[places[i]] = watched[i];
  return out;
}

}  // namespace

memory::NameId Module::scopeName() {
  const memory::NameId parent = memory::currentScope().layer;
  if (name_.empty()) return parent;
  if (scope_ == 0 || parentScope_ != parent) {
    const std::string_view above = memory::nameText(parent);
    scope_ = memory::internName(above.empty() ? name_ : fmt::format("{}.{}", above, name_));
    parentScope_ = parent;
  }
  return scope_;
}

Tensors Module::call(std::span<const Tensor> inputs) {
  memory::Scope scope = memory::currentScope();
  scope.layer = scopeName();
  const memory::ScopeGuard scoped(scope);
  try {
    const bool hooked = !backwardHooks_.empty() && gate::threadState().gradMode;
    return hooked ? runWithBackwardHooks(inputs) : run(inputs);
  } catch (Error& error) {
    if (!name_.empty()) error.addContext("module '" + name_ + "'");
    throw;
  }
}

Tensor Module::operator()(const Tensor& x) {
  Tensors outputs = call({&x, 1});
  if (outputs.empty()) throw Error(Code::Usage, "the module has no output");
  return std::move(outputs[0]);
}

Tensors Module::run(std::span<const Tensor> inputs) {
  Tensors outputs = forward(inputs);
  const auto hooks = forwardHooks_;  // one may remove itself
  for (const Hooked<ForwardHook>& each : hooks)
    if (Tensors replaced = each.hook(*this, inputs, outputs); !replaced.empty())
      outputs = std::move(replaced);
  return outputs;
}

Tensors Module::runWithBackwardHooks(std::span<const Tensor> inputs) {
  const auto gradOutputs = std::make_shared<Tensors>();
  const auto runHooks = [this, gradOutputs,
                         hooks = backwardHooks_](std::span<const Tensor> gradients) {
    Tensors gradInputs(gradients.begin(), gradients.end());
    for (const Hooked<BackwardHook>& each : hooks) {
      Tensors replaced = each.hook(*this, gradInputs, *gradOutputs);
      if (replaced.empty()) continue;
      if (replaced.size() != gradInputs.size())
        throw Error(Code::Usage,
                    fmt::format("a backward hook of module '{}' gave {} gradients for {} inputs",
                                name_, replaced.size(), gradInputs.size()));
      gradInputs = std::move(replaced);
    }
    gradOutputs->clear();
    return gradInputs;
  };
  const bool wanted = std::any_of(inputs.begin(), inputs.end(), &wantsGrad);
  const Tensors seen = wanted ? watchGradients(inputs, "module_input", runHooks)
                              : Tensors(inputs.begin(), inputs.end());
  const Tensors outputs = run(seen);
  if (std::none_of(outputs.begin(), outputs.end(), &wantsGrad)) return outputs;
  return watchGradients(
      outputs, "module_output",
      [gradOutputs, wanted, runHooks, count = inputs.size()](std::span<const Tensor> gradients) {
        // Without history: this rule's node holds them, and history would lead back to the node.
        gradOutputs->clear();
        for (const Tensor& each : gradients)
          gradOutputs->push_back(each.defined() ? autograd::detach(each) : each);
        if (!wanted) runHooks(Tensors(count));
        return Tensors(gradients.begin(), gradients.end());
      });
}

HookId Module::addForwardHook(ForwardHook hook) {
  forwardHooks_.push_back({nextHook_, std::move(hook)});
  return nextHook_++;
}

HookId Module::addBackwardHook(BackwardHook hook) {
  backwardHooks_.push_back({nextHook_, std::move(hook)});
  return nextHook_++;
}

void Module::removeHook(HookId id) {
  const auto same = [id](const auto& each) { return each.id == id; };
  std::erase_if(forwardHooks_, same);
  std::erase_if(backwardHooks_, same);
}

}  // namespace tenon::nn
