// SPDX-License-Identifier: Apache-2.0
// Hears the gate, reads autograd's graph and the allocator's history, and turns them into plain
// values.
#include "engine/observe/step_recorder.h"

#include <map>
#include <unordered_map>
#include <utility>

#include "engine/autograd/autograd.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/clock.h"
#include "engine/ops/gate/gate.h"
#include "engine/schema/param_map.h"

namespace tenon {
namespace {

uint64_t blockOf(const Tensor& tensor) { return tensor.impl()->storage->block().id; }

/// A tensor is known by its storage and its body: views of one storage differ in the body.
using TensorKey = std::pair<uint64_t, const void*>;
TensorKey keyOf(const Tensor& tensor) { return {blockOf(tensor), tensor.impl()}; }

struct Producer {
  int32_t node;
  int32_t port;
};

RecordedKind kindOfPhase(memory::Phase phase) {
  return phase == memory::Phase::Optimizer ? RecordedKind::Optimizer : RecordedKind::Forward;
}

}  // namespace

struct StepRecorder::Impl final : gate::Listener {
  explicit Impl(memory::CachingAllocator& from) : allocator(from) {}

  memory::CachingAllocator& allocator;
  StepRecording recording;
  std::map<uint64_t, std::string> names;  // by block
  std::map<TensorKey, Producer> producers;
  std::unordered_map<const void*, int32_t> forwardOf;   // autograd node -> its forward record
  std::unordered_map<const void*, int32_t> backwardOf;  // autograd node -> its own record
  int64_t startNs = 0;
  uint64_t launchesBefore = 0;
  bool done = false;
  std::unique_ptr<gate::ListenerGuard> guard;

  void onCall(const gate::CallInfo& info) override;
  int32_t addNode(RecordedKind kind, std::string op, const memory::Scope& scope);
  RecordedTensor describe(const Tensor& tensor) const;
  void addInputs(int32_t id, const gate::CallInfo& info);
  void addKernel(RecordedNode& node, const gate::CallInfo& info) const;
  void addBackward(const autograd::Node& node);
  void addBackwardEdges(const autograd::Node& node);
  void takeMemory();
};

RecordedTensor StepRecorder::Impl::describe(const Tensor& tensor) const {
  RecordedTensor out;
  const auto named = names.find(blockOf(tensor));
  if (named != names.end()) out.name = named->second;
  out.dtype = dtypeName(tensor.dtype());
  out.shape.assign(tensor.shape().begin(), tensor.shape().end());
  out.bytes = tensor.bytes();
  out.block = blockOf(tensor);
  out.blockedLayout = tensor.layout().blocked();
  return out;
}

int32_t StepRecorder::Impl::addNode(RecordedKind kind, std::string op, const memory::Scope& scope) {
  RecordedNode node;
  node.id = static_cast<int32_t>(recording.graph.nodes.size());
  node.kind = kind;
  node.op = std::move(op);
  node.layer = memory::nameText(scope.layer);
  node.phase = memory::phaseName(scope.phase);
  recording.graph.nodes.push_back(std::move(node));
  return recording.graph.nodes.back().id;
}

void StepRecorder::Impl::addInputs(int32_t id, const gate::CallInfo& info) {
  for (size_t i = 0; i < info.inputs.size(); ++i) {
    const Tensor* input = info.inputs[i];
    if (!input || !input->defined()) continue;
    RecordedNode& node = recording.graph.nodes[static_cast<size_t>(id)];
    RecordedTensor tensor = describe(*input);
    const auto& ports = info.op.inputNames;
    if (tensor.name.empty() && i < ports.size()) tensor.name = ports[i];
    const auto from = producers.find(keyOf(*input));
    if (from != producers.end())
      recording.graph.edges.push_back(
          {from->second.node, from->second.port, id, static_cast<int32_t>(node.inputs.size())});
    node.inputs.push_back(std::move(tensor));
  }
}

void StepRecorder::Impl::addKernel(RecordedNode& node, const gate::CallInfo& info) const {
  for (const gate::Launch& launch : info.launches)
    node.kernels.push_back(
        {launch.kernel->op, launch.kernel->name, launch.startNs - startNs, launch.endNs - startNs});
}

void StepRecorder::Impl::onCall(const gate::CallInfo& info) {
  const autograd::Node* executing = autograd::executingNode();
  if (executing) {
    const auto known = backwardOf.find(executing);
    if (known != backwardOf.end())
      return addKernel(recording.graph.nodes[static_cast<size_t>(known->second)], info);
  }
  const memory::Scope& scope = memory::currentScope();
  const int32_t id =
      addNode(executing ? RecordedKind::Backward : kindOfPhase(scope.phase), info.op.id, scope);
  addInputs(id, info);
  RecordedNode& node = recording.graph.nodes[static_cast<size_t>(id)];
  for (size_t i = 0; i < info.outputs.size(); ++i) {
    node.outputs.push_back(describe(info.outputs[i]));
    producers[keyOf(info.outputs[i])] = {id, static_cast<int32_t>(i)};
  }
  if (info.op.describe && info.params) {
    ParamMap params;
    info.op.describe(info.params, params);
    node.parameters = canonicalJson(params);
  }
  addKernel(node, info);
  if (info.node) forwardOf[info.node] = id;
}

void StepRecorder::Impl::addBackward(const autograd::Node& from) {
  memory::Scope scope = from.scope;
  scope.phase = memory::Phase::Backward;
  const int32_t id =
      addNode(from.isLeaf() ? RecordedKind::Leaf : RecordedKind::Backward, from.name(), scope);
  backwardOf[&from] = id;
  RecordedNode& node = recording.graph.nodes[static_cast<size_t>(id)];
  if (from.isLeaf()) {
    node.inputs.push_back(describe(from.leafHandle));
    node.layer = node.inputs[0].name.substr(0, node.inputs[0].name.find('.'));
  }
  for (size_t i = 0; i < from.next.size(); ++i) {
    if (!from.next[i].node) continue;
    const TensorMeta& meta = from.inputMetas[i];
    RecordedTensor gradient;
    if (i < from.op->inputNames.size()) gradient.name = std::string("d ") + from.op->inputNames[i];
    gradient.dtype = dtypeName(meta.dtype);
    gradient.shape.assign(meta.shape.begin(), meta.shape.end());
    gradient.bytes = meta.shape.numel() * dtypeBytes(meta.dtype);
    node.outputs.push_back(std::move(gradient));
  }
  for (const autograd::Saved& saved : from.saved) {
    if (!saved.tensor) continue;  // a hook has packed it
    RecordedTensor tensor = describe(saved.tensor);
    if (tensor.name.empty())
      tensor.name = saved.isOutput ? "output " + std::to_string(saved.position)
                    : saved.position < from.op->inputNames.size()
                        ? std::string(from.op->inputNames[saved.position])
                        : "input " + std::to_string(saved.position);
    node.saved.push_back(std::move(tensor));
  }
  const auto forward = forwardOf.find(&from);
  if (forward == forwardOf.end()) return;
  node.partner = forward->second;
  recording.graph.nodes[static_cast<size_t>(forward->second)].partner = id;
}

void StepRecorder::Impl::addBackwardEdges(const autograd::Node& from) {
  int32_t port = 0;
  for (const autograd::Edge& edge : from.next) {
    if (!edge.node) continue;
    recording.graph.edges.push_back({backwardOf.at(&from), port++, backwardOf.at(edge.node.get()),
                                     static_cast<int32_t>(edge.slot)});
  }
}

/// Names in the process become positions in the recording's own list.
void StepRecorder::Impl::takeMemory() {
  MemoryRecording& out = recording.memory;
  out.trace = memory::stopHistory(allocator);
  out.names = {""};
  std::unordered_map<memory::NameId, memory::NameId> local = {{0, 0}};
  const auto localName = [&](memory::NameId id) {
    const auto [found, fresh] =
        local.try_emplace(id, static_cast<memory::NameId>(out.names.size()));
    if (fresh) out.names.emplace_back(memory::nameText(id));
    return found->second;
  };
  for (auto* events : {&out.trace.initial, &out.trace.events})
    for (memory::Event& event : *events) {
      event.layer = localName(event.layer);
      event.op = localName(event.op);
    }
  out.peakBytes = static_cast<uint64_t>(allocator.statistics().allocatedBytes[0].peak);
  out.reservedBytes = allocator.reservedBytes();
}

StepRecorder::StepRecorder(int64_t step, Device device)
    : impl_(std::make_unique<Impl>(
          backend::allocatorOf(static_cast<int>(device.kind), device.index))) {
  impl_->recording.graph.step = step;
  impl_->recording.memory.step = step;
  impl_->launchesBefore = gate::threadState().counters.launches;
  impl_->startNs = monotonicNs();
  impl_->allocator.resetPeaks();  // so that the allocator's own peak is the step's
  memory::startHistory(impl_->allocator);
  impl_->guard = std::make_unique<gate::ListenerGuard>(*impl_);
}

StepRecorder::~StepRecorder() {
  impl_->guard.reset();
  if (!impl_->done) memory::stopHistory(impl_->allocator);
}

void StepRecorder::name(const Tensor& tensor, std::string name) {
  impl_->names[blockOf(tensor)] = std::move(name);
}

void StepRecorder::captureGraph(const Tensor& loss) {
  const autograd::Node* root = autograd::nodeOf(loss);
  if (!root) return;
  std::vector<const autograd::Node*> stack = {root};
  std::vector<const autograd::Node*> seen;
  impl_->addBackward(*root);
  while (!stack.empty()) {
    const autograd::Node* node = stack.back();
    stack.pop_back();
    seen.push_back(node);
    for (const autograd::Edge& edge : node->next) {
      if (!edge.node || impl_->backwardOf.contains(edge.node.get())) continue;
      impl_->addBackward(*edge.node);
      stack.push_back(edge.node.get());
    }
  }
  for (const autograd::Node* node : seen) impl_->addBackwardEdges(*node);
}

StepRecording StepRecorder::finish() {
  impl_->guard.reset();
  impl_->done = true;
  impl_->takeMemory();
  impl_->recording.graph.kernelsLaunched =
      static_cast<int64_t>(gate::threadState().counters.launches - impl_->launchesBefore);
  impl_->recording.graph.durationNs = monotonicNs() - impl_->startNs;
  return std::move(impl_->recording);
}

}  // namespace tenon
