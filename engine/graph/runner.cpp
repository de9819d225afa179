// SPDX-License-Identifier: Apache-2.0
// Making the layers of a graph, and running them in order.
#include "engine/graph/runner.h"

#include <algorithm>
#include <optional>

#include "engine/ops/gate/autocast.h"
#include "engine/ops/gate/cast.h"

namespace tenon {
namespace {

/// Off while a layer runs that is to work in f32; its 16-bit inputs come in f32 then. Layers inside
/// of it find autocast off.
class LayerPrecision {
 public:
  LayerPrecision(const NodeSpec& node, std::vector<Tensor>& inputs) {
    if (node.precision.empty() || gate::activeAutocast == nullptr) return;
    off_.emplace(nullptr);
    for (Tensor& input : inputs)
      if (input.defined() && (input.dtype() == DType::F16 || input.dtype() == DType::BF16))
        input = cast(input, DType::F32);
  }

 private:
  std::optional<gate::AutocastSwitch> off_;
};

/// What comes from there; undefined without a wire.
Tensor valueOf(const std::vector<std::vector<Tensor>>& values, const GraphSource& source) {
  if (source.node < 0) return {};
  return values[static_cast<size_t>(source.node)][static_cast<size_t>(source.port)];
}

}  // namespace

Runner::Runner(CheckedGraph graph, std::string path)
    : graph_(std::move(graph)), path_(std::move(path)) {
  makeSteps();
  absorbActivations();
}

std::string Runner::pathOf(const CheckedNode& node) const {
  return path_.empty() ? node.spec->id : path_ + "." + node.spec->id;
}

void Runner::makeSteps() {
  readers_.assign(graph_.nodes.size(), 0);
  steps_.reserve(graph_.nodes.size());
  size_t weights = 0;
  for (const CheckedNode& node : graph_.nodes) {
    Step step;
    step.name = memory::internName(pathOf(node));
    step.outputs = std::max<size_t>(1, node.plan.outputs.size());
    if (node.reaches) {
      memory::Scope scope;
      scope.layer = step.name;
      scope.op = memory::internName("initialize");
      const memory::ScopeGuard scoped(scope);
      step.layer = node.def->make(node.request());
      step.firstWeight = weights;
      step.weights = node.plan.weights.size();
      weights += step.weights;
      for (const GraphSource& source : node.inputs)
        if (source.node >= 0) ++readers_[static_cast<size_t>(source.node)];
    }
    steps_.push_back(std::move(step));
  }
}

/// An activation that is its source's only reader runs inside the source where that can do both at
/// once.
void Runner::absorbActivations() {
  for (size_t i = 0; i < steps_.size(); ++i) {
    const CheckedNode& node = graph_.nodes[i];
    if (!steps_[i].layer || node.def->family != LayerFamily::Activation || node.inputs.size() != 1)
      continue;
    const auto source = static_cast<size_t>(node.inputs[0].node);
    if (readers_[source] != 1 || !steps_[source].layer) continue;
    if (graph_.nodes[source].spec->precision != node.spec->precision) continue;
    if (steps_[source].layer->absorb(node.def->id)) steps_[i].layer.reset();
  }
}

void Runner::step(size_t index, Values& values, std::span<const Tensor> weights,
                  bool training) const {
  const Step& step = steps_[index];
  const CheckedNode& node = graph_.nodes[index];
  std::vector<Tensor> inputs;
  for (const GraphSource& source : node.inputs) inputs.push_back(valueOf(values, source));
  std::vector<Tensor>& outputs = values[index];
  if (static_cast<int>(index) == graph_.inputNode) inputs = {outputs[0]};
  memory::Scope scope = memory::currentScope();
  scope.layer = step.name;
  const memory::ScopeGuard scoped(scope);
  if (!step.layer) {
    outputs = {inputs[0]};
    return;
  }
  try {
    const LayerPrecision precision(*node.spec, inputs);
    outputs.resize(step.outputs);
    LayerCall call{inputs, outputs, weights.subspan(step.firstWeight, step.weights), training};
    step.layer->forward(call);
  } catch (Error& error) {
    error.addContext("layer '" + pathOf(node) + "'");
    throw;
  }
}

Tensor Runner::run(const Tensor& x, std::span<const Tensor> weights, bool training,
                   const OutputWatcher& watcher) const {
  Values values(steps_.size());
  std::vector<int> left = readers_;
  values[static_cast<size_t>(graph_.inputNode)] = {x};
  for (size_t i = 0; i < steps_.size(); ++i) {
    const CheckedNode& node = graph_.nodes[i];
    if (!node.reaches) continue;
    step(i, values, weights, training);
    if (watcher) watcher(node, values[i][0]);
    for (const GraphSource& source : node.inputs)
      if (source.node >= 0 && --left[static_cast<size_t>(source.node)] == 0)
        values[static_cast<size_t>(source.node)].clear();
  }
  return values[static_cast<size_t>(graph_.outputNode)][0];
}

}  // namespace tenon
