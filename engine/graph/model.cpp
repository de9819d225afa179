// SPDX-License-Identifier: Apache-2.0
// Building a model's weights, and running its layers with them.
#include "engine/graph/model.h"

#include <fmt/format.h>

#include "engine/autograd/autograd.h"
#include "engine/base/philox.h"
#include "engine/graph/runner.h"
#include "engine/layers/initial_values.h"
#include "engine/memory/scope.h"

namespace tenon {

struct Model::Impl {
  explicit Impl(CheckedGraph graph) : runner(std::move(graph), "") {}

  Runner runner;
  std::vector<NamedTensor> tensors;
  std::vector<Tensor> weights;  // the same, as the runner takes them
  uint64_t drawn = 0;           // of them, those with random numbers of their own

  void makeWeights(uint64_t seed);
  void makeWeight(const std::string& node, const WeightPlan& plan, uint64_t seed);
};

void Model::Impl::makeWeight(const std::string& node, const WeightPlan& plan, uint64_t seed) {
  const std::string layer = plan.layer.empty() ? node : node + "." + plan.layer;
  memory::Scope scope;
  scope.layer = memory::internName(layer);
  scope.op = memory::internName("initialize");
  const memory::ScopeGuard scoped(scope);
  const memory::Category category =
      plan.trainable ? memory::Category::Parameter : memory::Category::Buffer;
  Tensor tensor = Tensor::empty(plan.shape, plan.dtype, {}, category);
  initialize(tensor, plan.init, {philox::makeKey(seed, philox::Purpose::Init), drawn});
  // Counters take no numbers: what is drawn after them does not depend on them.
  if (isFloating(plan.dtype)) ++drawn;
  if (plan.trainable) autograd::setRequiresGrad(tensor);
  tensors.push_back(
      {node + "." + plan.name, layer, tensor, plan.trainable, plan.decays, plan.optional});
  weights.push_back(tensor);
}

void Model::Impl::makeWeights(uint64_t seed) {
  for (const CheckedNode& node : runner.graph().nodes) {
    if (!node.reaches) continue;
    for (const WeightPlan& plan : node.plan.weights) makeWeight(node.spec->id, plan, seed);
  }
}

Model::Model(CheckedGraph graph, uint64_t seed, Device device) {
  throwIfErrors(graph.issues);
  if (device.kind != DeviceKind::Cpu)
    throw Error(Code::Device, "models run on the cpu in this version, wanted " + toString(device));
  impl_ = std::make_unique<Impl>(std::move(graph));
  impl_->makeWeights(seed);
}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

Tensor Model::forward(const Tensor& x, bool training, const OutputWatcher& watcher) const {
  const CheckedGraph& graph = impl_->runner.graph();
  const PortShape& wanted = graph.nodes[static_cast<size_t>(graph.inputNode)].plan.outputs[0];
  bool fits = x.ndim() == static_cast<int>(wanted.sizes.size()) && x.dtype() == wanted.dtype;
  for (int i = 1; fits && i < x.ndim(); ++i)
    fits = x.shape()[i] == wanted.sizes[static_cast<size_t>(i)];
  if (!fits)
    throw Error(Code::Shape, fmt::format("the model wants {} {}, got {}", dtypeName(wanted.dtype),
                                         toString(wanted), describe(x)));
  return impl_->runner.run(x, impl_->weights, training, watcher);
}

const std::vector<NamedTensor>& Model::tensors() const { return impl_->tensors; }

std::vector<NamedTensor> Model::parameters() const {
  std::vector<NamedTensor> out;
  for (const NamedTensor& named : impl_->tensors)
    if (named.trainable) out.push_back(named);
  return out;
}

const CheckedGraph& Model::graph() const { return impl_->runner.graph(); }

}  // namespace tenon
