// SPDX-License-Identifier: Apache-2.0
// Building a model's layers and weights, and running them in order.
#include "engine/graph/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/autograd/autograd.h"
#include "engine/base/philox.h"
#include "engine/layers/initial_values.h"
#include "engine/memory/scope.h"

namespace tenon {
namespace {

/// One layer on its way through forward().
struct Step {
  std::unique_ptr<Layer> layer;  // null: absorbed by the one before, passes its input on
  std::vector<Tensor> weights;
  std::vector<GraphSource> inputs;
  memory::NameId name = 0;
  size_t outputs = 1;
};

}  // namespace

struct Model::Impl {
  CheckedGraph graph;
  std::vector<Step> steps;
  std::vector<NamedTensor> tensors;
  std::vector<int> readers;  // how many inputs read each node's output

  void makeWeights(const CheckedNode& node, Step& step, uint64_t seed);
  void makeSteps(uint64_t seed);
  void absorbActivations();
  void run(size_t index, std::vector<std::vector<Tensor>>& values, bool training) const;
};

void Model::Impl::makeWeights(const CheckedNode& node, Step& step, uint64_t seed) {
  for (const WeightPlan& plan : node.plan.weights) {
    const memory::Category category =
        plan.trainable ? memory::Category::Parameter : memory::Category::Buffer;
    Tensor tensor = Tensor::empty(plan.shape, DType::F32, {}, category);
    initialize(tensor, plan.init, {philox::makeKey(seed, philox::Purpose::Init), tensors.size()});
    if (plan.trainable) autograd::setRequiresGrad(tensor);
    tensors.push_back(
        {node.spec->id + "." + plan.name, node.spec->id, tensor, plan.trainable, plan.decays});
    step.weights.push_back(tensor);
  }
}

void Model::Impl::makeSteps(uint64_t seed) {
  readers.assign(graph.nodes.size(), 0);
  for (const CheckedNode& node : graph.nodes) {
    Step step;
    step.name = memory::internName(node.spec->id);
    step.inputs = node.inputs;
    step.outputs = std::max<size_t>(1, node.plan.outputs.size());
    if (node.reaches) {
      memory::Scope scope;
      scope.layer = step.name;
      scope.op = memory::internName("initialize");
      const memory::ScopeGuard scoped(scope);
      step.layer = node.def->make({node.params, node.inputShapes});
      makeWeights(node, step, seed);
      for (const GraphSource& source : node.inputs) ++readers[static_cast<size_t>(source.node)];
    }
    steps.push_back(std::move(step));
  }
}

/// An activation that is its source's only reader runs inside the source where that can do both at
/// once.
void Model::Impl::absorbActivations() {
  for (size_t i = 0; i < steps.size(); ++i) {
    const CheckedNode& node = graph.nodes[i];
    if (!steps[i].layer || node.def->family != LayerFamily::Activation || node.inputs.size() != 1)
      continue;
    const auto source = static_cast<size_t>(node.inputs[0].node);
    if (readers[source] != 1 || !steps[source].layer) continue;
    if (steps[source].layer->absorb(node.def->id)) steps[i].layer.reset();
  }
}

void Model::Impl::run(size_t index, std::vector<std::vector<Tensor>>& values, bool training) const {
  const Step& step = steps[index];
  std::vector<Tensor> inputs;
  for (const GraphSource& source : step.inputs)
    inputs.push_back(values[static_cast<size_t>(source.node)][static_cast<size_t>(source.port)]);
  std::vector<Tensor>& outputs = values[index];
  if (static_cast<int>(index) == graph.inputNode) inputs = {outputs[0]};
  memory::Scope scope = memory::currentScope();
  scope.layer = step.name;
  const memory::ScopeGuard scoped(scope);
  if (!step.layer) {
    outputs = {inputs[0]};
    return;
  }
  outputs.resize(step.outputs);
  LayerCall call{inputs, outputs, step.weights, training};
  try {
    step.layer->forward(call);
  } catch (Error& error) {
    error.addContext("layer '" + graph.nodes[index].spec->id + "'");
    throw;
  }
}

Model::Model(CheckedGraph graph, uint64_t seed, Device device) : impl_(std::make_unique<Impl>()) {
  throwIfErrors(graph.issues);
  if (device.kind != DeviceKind::Cpu)
    throw Error(Code::Device, "models run on the cpu in this version, wanted " + toString(device));
  impl_->graph = std::move(graph);
  impl_->makeSteps(seed);
  impl_->absorbActivations();
}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

Tensor Model::forward(const Tensor& x, bool training, const OutputWatcher& watcher) const {
  const Impl& m = *impl_;
  const PortShape& wanted = m.graph.nodes[static_cast<size_t>(m.graph.inputNode)].plan.outputs[0];
  bool fits = x.ndim() == static_cast<int>(wanted.sizes.size()) && x.dtype() == wanted.dtype;
  for (int i = 1; fits && i < x.ndim(); ++i)
    fits = x.shape()[i] == wanted.sizes[static_cast<size_t>(i)];
  if (!fits)
    throw Error(Code::Shape, fmt::format("the model wants {} {}, got {}", dtypeName(wanted.dtype),
                                         toString(wanted), describe(x)));
  std::vector<std::vector<Tensor>> values(m.steps.size());
  std::vector<int> left = m.readers;
  values[static_cast<size_t>(m.graph.inputNode)] = {x};
  for (size_t i = 0; i < m.steps.size(); ++i) {
    const CheckedNode& node = m.graph.nodes[i];
    if (!node.reaches) continue;
    m.run(i, values, training);
    if (watcher) watcher(node, values[i][0]);
    for (const GraphSource& source : node.inputs)
      if (--left[static_cast<size_t>(source.node)] == 0)
        values[static_cast<size_t>(source.node)].clear();
  }
  return values[static_cast<size_t>(m.graph.outputNode)][0];
}

const std::vector<NamedTensor>& Model::tensors() const { return impl_->tensors; }

std::vector<NamedTensor> Model::parameters() const {
  std::vector<NamedTensor> out;
  for (const NamedTensor& named : impl_->tensors)
    if (named.trainable) out.push_back(named);
  return out;
}

const CheckedGraph& Model::graph() const { return impl_->graph; }

}  // namespace tenon
