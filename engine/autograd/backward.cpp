// SPDX-License-Identifier: Apache-2.0
// The backward engine: walks recorded nodes on the calling thread, latest call first, without
// recursion.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "engine/autograd/accumulate.h"
#include "engine/autograd/anomaly_watch.h"
#include "engine/autograd/autograd.h"
#include "engine/autograd/custom_call.h"
#include "engine/base/error.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/gate/gate.h"

namespace tenon::autograd {
namespace {

thread_local const Node* gExecuting = nullptr;
thread_local uint64_t gPass = 0;
std::atomic<uint64_t> gNextVisit{1};

/// Names the node a thread works on, and the pass it does so for.
struct Executing {
  const Node* outer = gExecuting;
  uint64_t outerPass = gPass;
  Executing(const Node* node, uint64_t pass) {
    gExecuting = node;
    gPass = pass;
  }
  ~Executing() {
    gExecuting = outer;
    gPass = outerPass;
  }
  Executing(const Executing&) = delete;
  Executing& operator=(const Executing&) = delete;
};

/// Ends what anomaly mode remembers of the forward pass with the outermost pass, however that ends.
struct ForgetForward {
  ForgetForward() = default;
  ~ForgetForward() {
    if (gPass == 0 && activeAnomalyWatch()) activeAnomalyWatch()->forget();
  }
  ForgetForward(const ForgetForward&) = delete;
  ForgetForward& operator=(const ForgetForward&) = delete;
};

/// A tensor whose gradient grad() was asked for.
struct Capture {
  Node* node;
  uint32_t slot;
  Tensor value;
};

/// One walk over the graph.
class Pass {
 public:
  Pass(bool retainGraph, bool createGraph)
      : visit_(gNextVisit++), retainGraph_(retainGraph || createGraph), createGraph_(createGraph) {}
  ~Pass() {
    for (const Ref<Node>& node : order_) {
      node->incoming.clear();
      node->pending = 0;
    }
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  /// With captures, leaves collect nothing and only ways to the captured tensors are walked.
  std::vector<Capture> captures;
  bool capturing = false;

  void run(const std::vector<Edge>& roots, std::vector<Tensor> seeds);

 private:
  struct Ready {
    uint64_t sequence;
    Node* node;
    bool operator<(const Ready& other) const { return sequence < other.sequence; }
  };

  void collect(const Ref<Node>& root);
  void tellWatch() const;
  void enter(const Ref<Node>& node);
  void markNeeded();
  bool wanted(const Node& node) const {
    return !capturing || std::binary_search(needed_.begin(), needed_.end(), &node);
  }
  void execute(Node& node);
  void runRule(Node& node);
  void runOperatorRule(Node& node, uint64_t needs, std::span<Tensor> results) const;
  uint64_t neededOf(const Node& node) const;
  void release(Node& node) const;
  void finished(Node& node);
  void push(Node* node) {
    ready_.push_back({node->sequence, node});
    std::push_heap(ready_.begin(), ready_.end());
  }
  void takeCaptures(const Node& node);
  static void runHooks(Node& node);

  uint64_t visit_;
  bool retainGraph_;
  bool createGraph_;
  std::vector<Ref<Node>> order_;     // every node, each after those it leads to
  std::vector<const Node*> needed_;  // sorted addresses; only when capturing
  std::vector<Ready> ready_;
};

void Pass::enter(const Ref<Node>& node) {
  node->visit = visit_;
  node->pending = 0;
  node->incoming.clear();
  node->incoming.resize(node->outputMetas.size());
}

/// Depth first with a stack of its own; counts for each node how many edges lead to it.
void Pass::collect(const Ref<Node>& root) {
  if (root->visit == visit_) return;
  struct Frame {
    Ref<Node> node;
    size_t at;
  };
  std::vector<Frame> stack;
  enter(root);
  stack.push_back({root, 0});
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.at == top.node->next.size()) {
      order_.push_back(std::move(top.node));
      stack.pop_back();
      continue;
    }
    const Ref<Node>& next = top.node->next[top.at++].node;
    if (!next) continue;
    const bool seen = next->visit == visit_;
    if (!seen) enter(next);
    ++next->pending;
    if (!seen) stack.push_back({next, 0});
  }
}

/// Tells anomaly mode how far back the calls of the graph go.
void Pass::tellWatch() const {
  AnomalyWatch* const watch = activeAnomalyWatch();
  if (!watch || gPass != 0) return;
  uint64_t oldest = UINT64_MAX;
  for (const Ref<Node>& node : order_) oldest = std::min(oldest, node->sequence);
  watch->passBegins(oldest);
}

void Pass::markNeeded() {
  std::vector<const Node*> marked;
  for (const Capture& capture : captures) marked.push_back(capture.node);
  std::sort(marked.begin(), marked.end());
  // order_ lists a node after everything it leads to, so one sweep suffices; `pending` is not
  // touched.
  std::vector<char> flags(order_.size());
  std::vector<std::pair<const Node*, size_t>> position;
  position.reserve(order_.size());
  for (size_t i = 0; i < order_.size(); ++i) position.emplace_back(order_[i].get(), i);
  std::sort(position.begin(), position.end());
  auto flagOf = [&](const Node* node) -> char& {
    const auto at =
        std::lower_bound(position.begin(), position.end(), std::make_pair(node, size_t{0}));
    return flags[at->second];
  };
  for (size_t i = 0; i < order_.size(); ++i) {
    const Node& node = *order_[i];
    bool needed = std::binary_search(marked.begin(), marked.end(), &node);
    for (const Edge& edge : node.next) needed = needed || (edge.node && flagOf(edge.node.get()));
    flags[i] = needed;
    if (needed) needed_.push_back(&node);
  }
  std::sort(needed_.begin(), needed_.end());
}

void Pass::run(const std::vector<Edge>& roots, std::vector<Tensor> seeds) {
  const ForgetForward forgetting;
  const gate::AutocastSwitch off(nullptr);  // gradients take the types that forward chose
  for (const Edge& root : roots) collect(root.node);
  tellWatch();
  if (capturing) markNeeded();
  for (size_t i = 0; i < roots.size(); ++i)
    receive(*roots[i].node, roots[i].slot, std::move(seeds[i]), createGraph_);
  for (const Edge& root : roots) {
    const bool queued = std::any_of(ready_.begin(), ready_.end(),
                                    [&](const Ready& r) { return r.node == root.node.get(); });
    if (root.node->pending == 0 && !queued) push(root.node.get());
  }
  while (!ready_.empty()) {
    std::pop_heap(ready_.begin(), ready_.end());
    Node* node = ready_.back().node;
    ready_.pop_back();
    execute(*node);
    finished(*node);
  }
}

void Pass::runHooks(Node& node) {
  if (!node.hooks) return;
  for (const auto* list : {&node.hooks->before, &node.hooks->retain})
    for (const SlotHook& hook : *list) {
      Tensor& grad = node.incoming[hook.slot];
      if (!grad) continue;
      if (Tensor replaced = hook.hook(grad)) grad = replaced;
    }
}

void Pass::takeCaptures(const Node& node) {
  for (Capture& capture : captures)
    if (capture.node == &node) capture.value = node.incoming[capture.slot];
}

void Pass::execute(Node& node) {
  if (!wanted(node)) return;
  if (std::none_of(node.incoming.begin(), node.incoming.end(),
                   [](const Tensor& t) { return t.defined(); }))
    return;
  memory::Scope scope = node.scope;
  scope.phase = memory::Phase::Backward;
  if (node.isLeaf()) scope = memory::currentScope();
  const memory::ScopeGuard scoped(scope);
  const gate::GradModeGuard mode(createGraph_);
  const Executing executing(&node, visit_);
  runHooks(node);
  if (capturing) takeCaptures(node);
  if (node.isLeaf()) {
    if (!capturing) accumulateLeaf(node, std::move(node.incoming[0]), createGraph_);
    return;
  }
  const bool leadsOn = std::any_of(node.next.begin(), node.next.end(), [&](const Edge& edge) {
    return edge.node && wanted(*edge.node);
  });
  if (leadsOn) runRule(node);
}

void Pass::runRule(Node& node) {
  if (node.released)
    throw Error(
        Code::Usage,
        fmt::format("backward a second time through '{}': its saved tensors were freed; ask for "
                    "retainGraph the first time",
                    node.name()));
  const uint64_t needs = neededOf(node);
  SmallVector<Tensor, 4> results(node.next.size());
  AnomalyWatch* const watch = activeAnomalyWatch();
  try {
    if (node.custom) {
      node.custom->backward(node, needs, createGraph_, results);
    } else {
      runOperatorRule(node, needs, results);
    }
  } catch (Error& error) {
    if (watch) watch->explain(node, error);
    throw;
  }
  node.incoming.clear();
  if (watch) watch->checkGradients(node, results, needs);
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i] && ((needs >> i) & 1u))
      receive(*node.next[i].node, node.next[i].slot, std::move(results[i]), createGraph_);
}

uint64_t Pass::neededOf(const Node& node) const {
  uint64_t needs = node.needsMask;
  for (size_t i = 0; i < node.next.size(); ++i)
    if (node.next[i].node && !wanted(*node.next[i].node)) needs &= ~(uint64_t{1} << i);
  return needs;
}

void Pass::runOperatorRule(Node& node, uint64_t needs, std::span<Tensor> results) const {
  const bool differentiable = createGraph_ && node.op->gradDifferentiable;
  SmallVector<Tensor, 4> inputs(node.next.size());
  SmallVector<Tensor, 2> outputs(node.outputMetas.size());
  for (const Saved& saved : node.saved)
    (saved.isOutput ? outputs[saved.position] : inputs[saved.position]) =
        unpack(node, saved, createGraph_);
  GradCall call{*node.op,
                node.params.data(),
                {inputs.data(), inputs.size()},
                {outputs.data(), outputs.size()},
                {node.inputMetas.data(), node.inputMetas.size()},
                {node.incoming.data(), node.incoming.size()},
                results,
                needs};
  (differentiable ? node.op->gradDifferentiable : node.op->grad)(call);
}

void Pass::release(Node& node) const {
  if (retainGraph_ || node.saved.empty()) return;
  node.released = true;
  for (Saved& saved : node.saved) saved.tensor = Tensor();
  node.saved.clear();
}

void Pass::finished(Node& node) {
  node.incoming.clear();
  release(node);
  for (const Edge& edge : node.next)
    if (edge.node && --edge.node->pending == 0) push(edge.node.get());
}

Tensor seedFor(const Tensor& root, const Tensor& grad) {
  if (!root.defined() || !root.requiresGrad())
    throw Error(Code::Usage, "backward from a tensor that wants no gradient and has no history: " +
                                 describe(root));
  if (!grad.defined()) {
    if (root.numel() != 1)
      throw Error(Code::Usage, "backward from a tensor of several elements needs its gradient: " +
                                   describe(root));
    static const memory::NameId kName = memory::internName("backward");
    memory::Scope scope = memory::currentScope();
    scope.op = kName;
    const memory::ScopeGuard scoped(scope);
    return Tensor::full(root.shape(), 1.0, root.dtype());
  }
  if (grad.shape() != root.shape())
    throw Error(Code::Shape, fmt::format("gradient of shape {} given for a tensor of shape {}",
                                         toString(grad.shape()), toString(root.shape())));
  return grad;
}

void prepare(std::span<const Tensor> roots, std::span<const Tensor> grads, std::vector<Edge>& edges,
             std::vector<Tensor>& seeds) {
  if (!grads.empty() && grads.size() != roots.size())
    throw Error(Code::Usage, fmt::format("{} roots but {} gradients", roots.size(), grads.size()));
  for (size_t i = 0; i < roots.size(); ++i) {
    seeds.push_back(seedFor(roots[i], grads.empty() ? Tensor() : grads[i]));
    edges.push_back(edgeOf(roots[i]));
  }
}

}  // namespace

const Node* executingNode() { return gExecuting; }
uint64_t executingPass() { return gPass; }

void backward(std::span<const Tensor> roots, std::span<const Tensor> grads,
              BackwardOptions options) {
  std::vector<Edge> edges;
  std::vector<Tensor> seeds;
  prepare(roots, grads, edges, seeds);
  Pass pass(options.retainGraph, options.createGraph);
  pass.run(edges, std::move(seeds));
}

void backward(const Tensor& root, const Tensor& grad, BackwardOptions options) {
  backward({&root, 1}, {&grad, grad.defined() ? 1u : 0u}, options);
}

std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                         std::span<const Tensor> gradOutputs, GradOptions options) {
  std::vector<Edge> edges;
  std::vector<Tensor> seeds;
  prepare(outputs, gradOutputs, edges, seeds);
  Pass pass(options.retainGraph, options.createGraph);
  pass.capturing = true;
  std::vector<Edge> targets;  // keeps accumulators alive
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined() || !inputs[i].requiresGrad())
      throw Error(Code::Usage,
                  fmt::format("grad: input {} wants no gradient: {}", i, describe(inputs[i])));
    targets.push_back(edgeOf(inputs[i]));
    pass.captures.push_back({targets.back().node.get(), targets.back().slot, {}});
  }
  pass.run(edges, std::move(seeds));
  std::vector<Tensor> result;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!pass.captures[i].value && !options.allowUnused)
      throw Error(
          Code::Usage,
          fmt::format("grad: the outputs do not depend on input {}: {}; allowUnused gives an "
                      "undefined tensor instead",
                      i, describe(inputs[i])));
    result.push_back(pass.captures[i].value);
  }
  return result;
}

}  // namespace tenon::autograd
