// SPDX-License-Identifier: Apache-2.0
// Recording and running custom functions.
#include "engine/autograd/custom_function.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/autograd/custom_call.h"
#include "engine/autograd/record.h"
#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"

namespace tenon::autograd {
namespace {

using Tensors = std::vector<Tensor>;

/// Which inputs want a gradient; none while gradients are not recorded.
uint64_t neededBy(const CustomFunction& function, std::span<const Tensor> inputs) {
  if (inputs.size() > 64)
    throw Error(Code::Usage,
                fmt::format("[{}] takes at most 64 inputs, got {}", function.name, inputs.size()));
  uint64_t needs = 0;
  if (!gate::threadState().gradMode) return needs;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].defined() && inputs[i].requiresGrad()) needs |= uint64_t{1} << i;
  return needs;
}

Tensors runForward(const CustomFunction& function, FunctionContext& context,
                   std::span<const Tensor> inputs) {
  const auto versionOf = [](const Tensor& tensor) {
    return tensor.defined() ? tensor.version() : 0;
  };
  std::vector<uint32_t> versions;
  for (const Tensor& input : inputs) versions.push_back(versionOf(input));
  const gate::NoGradGuard noGrad;
  Tensors outputs = function.forward(context, inputs);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (versionOf(inputs[i]) != versions[i])
      throw Error(Code::Usage, fmt::format("[{}] the forward rule changed its input {} in place: "
                                           "{}; change a clone",
                                           function.name, i, describe(inputs[i])));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].defined())
      throw Error(Code::Usage, fmt::format("[{}] the forward rule left output {} of {} undefined",
                                           function.name, i, outputs.size()));
  return outputs;
}

/// Position of a saved tensor among the inputs or the outputs.
Saved savedPlace(const Node& node, const Tensor& tensor, std::span<const Tensor> inputs,
                 const Tensors& outputs) {
  const auto same = [&](const Tensor& other) { return other.impl() == tensor.impl(); };
  const auto at = [&](const auto& list) {
    return static_cast<size_t>(std::find_if(list.begin(), list.end(), same) - list.begin());
  };
  Saved saved;
  saved.position = Saved::kOther;
  if (const size_t i = at(inputs); i < inputs.size()) {
    saved.position = static_cast<uint8_t>(i);
    saved.edge = node.next[i];
  } else if (const size_t k = at(outputs); k < outputs.size() && k < Saved::kOther) {
    saved.position = static_cast<uint8_t>(k);
    saved.isOutput = true;
  }
  return saved;
}

void saveTensors(Node& node, std::span<const Tensor> inputs, const Tensors& outputs) {
  for (const Tensor& tensor : node.custom->toSave()) {
    if (!tensor.defined())
      throw Error(Code::Usage, fmt::format("[{}] an undefined tensor can't be saved", node.name()));
    Saved saved = savedPlace(node, tensor, inputs, outputs);
    const bool input = saved.position != Saved::kOther && !saved.isOutput;
    keep(saved, tensor, input && isLeaf(tensor));
    node.saved.push_back(std::move(saved));
  }
  node.custom->forgetSaved();
}

/// The output in a body to which a history can be given. What is a view, or shares with an input,
/// stays a view.
Tensor fresh(const Tensor& output, std::span<const Tensor> inputs) {
  Tensor out = output.aliasWith(output.shape(), output.strides(), output.impl()->offset);
  const bool given = std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& input) {
    return input.impl() == output.impl();
  });
  out.impl()->isView = given || output.impl()->isView || output.requiresGrad();
  return out;
}

/// A call whose backward refuses in the name of `function`.
std::unique_ptr<CustomCall> refusal(const CustomFunction& function) {
  CustomFunction refusing;
  refusing.name = function.name + "_backward";
  refusing.backward = [name = function.name](FunctionContext&, std::span<const Tensor>) -> Tensors {
    throw Error(Code::Usage, fmt::format("[{}] has no second derivative: its backward rule is not "
                                         "differentiable",
                                         name));
  };
  return std::make_unique<CustomCall>(std::make_shared<const CustomFunction>(std::move(refusing)),
                                      FunctionContext());
}

/// Gives the gradients a history that refuses and leads to everything they depend on, so that no
/// pass can miss it.
void refuseSecondDerivative(const Node& node, const Tensors& incoming, Tensors& gradients) {
  auto call = refusal(*node.custom->function);
  const Ref<Node> refuser = newNode(call->op);
  refuser->custom = std::move(call);
  const auto leadTo = [&](const Edge& edge) {
    if (!edge.node || refuser->next.size() == 64) return;
    refuser->needsMask |= uint64_t{1} << refuser->next.size();
    refuser->next.push_back(edge);
    refuser->inputMetas.push_back(edge.node->outputMetas[edge.slot]);
  };
  for (const Edge& edge : node.next) leadTo(edge);
  for (const Tensor& gradient : incoming) leadTo(edgeOf(gradient));
  for (Tensor& gradient : gradients) {
    if (!gradient) continue;
    gradient = gradient.aliasWith(gradient.shape(), gradient.strides(), gradient.impl()->offset);
    connectOutput(refuser, gradient, true);
  }
}

/// Recordings would lose their way from the inputs to the outputs, which have bodies of their own.
void tellListeners(const Node& node, std::span<const Tensor> inputs, const Tensors& outputs,
                   int64_t startNs) {
  if (gate::threadState().listeners.empty()) return;
  std::vector<const Tensor*> given;
  for (const Tensor& input : inputs) given.push_back(&input);
  const gate::CallInfo info{*node.op, given, outputs, nullptr,      nullptr,
                            {},       &node, startNs, monotonicNs()};
  for (gate::Listener* listener : gate::threadState().listeners) listener->onCall(info);
}

}  // namespace

CustomCall::CustomCall(std::shared_ptr<const CustomFunction> of, FunctionContext made)
    : function(std::move(of)), context(std::move(made)) {
  op.id = function->name.c_str();
  op.help = "A function with a gradient rule of the user's own.";
}

FunctionContext CustomCall::contextFor(uint64_t needs) {
  FunctionContext context;
  context.needs_ = needs;
  return context;
}

bool CustomCall::isConstant(size_t output) const {
  return std::find(context.constant_.begin(), context.constant_.end(), output) !=
         context.constant_.end();
}

void CustomCall::backward(const Node& node, uint64_t needs, bool createGraph,
                          std::span<Tensor> gradients) {
  FunctionContext now = context;
  now.needs_ = needs;
  for (const Saved& saved : node.saved) now.saved_.push_back(unpack(node, saved, createGraph));
  Tensors incoming(node.incoming.begin(), node.incoming.end());
  for (size_t i = 0; context.materialize_ && i < incoming.size(); ++i)
    if (!incoming[i])
      incoming[i] = Tensor::zeros(node.outputMetas[i].shape, node.outputMetas[i].dtype);
  const bool refuses = createGraph && !function->backwardDifferentiable;
  Tensors given;
  {
    const gate::GradModeGuard mode(createGraph && !refuses);
    given = function->backward(now, incoming);
  }
  if (given.size() != gradients.size())
    throw Error(Code::Usage, fmt::format("[{}] the backward rule gave {} gradients for {} inputs",
                                         node.name(), given.size(), gradients.size()));
  if (refuses) refuseSecondDerivative(node, incoming, given);
  std::move(given.begin(), given.end(), gradients.begin());
}

std::vector<Tensor> apply(std::shared_ptr<const CustomFunction> function,
                          std::span<const Tensor> inputs) {
  const uint64_t needs = neededBy(*function, inputs);
  FunctionContext context = CustomCall::contextFor(needs);
  const int64_t start = monotonicNs();
  Tensors made = runForward(*function, context, inputs);
  if (needs == 0) return made;
  auto call = std::make_unique<CustomCall>(std::move(function), std::move(context));
  const Ref<Node> node = newNode(call->op);
  node->custom = std::move(call);
  for (const Tensor& input : inputs) connectInput(*node, &input);
  Tensors outputs;
  for (size_t i = 0; i < made.size(); ++i) {
    outputs.push_back(fresh(made[i], inputs));
    connectOutput(node, outputs[i], !node->custom->isConstant(i));
  }
  saveTensors(*node, inputs, made);
  tellListeners(*node, inputs, outputs, start);
  return outputs;
}

}  // namespace tenon::autograd
