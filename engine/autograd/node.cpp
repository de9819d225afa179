// SPDX-License-Identifier: Apache-2.0
// Life and death of nodes, and what tensors know of them.
#include "engine/autograd/node.h"

#include <fmt/format.h>

#include "engine/autograd/autograd.h"
#include "engine/autograd/custom_call.h"
#include "engine/base/error.h"
#include "engine/base/free_list.h"

namespace tenon::autograd {
namespace {

/// Nodes waiting to be freed by the outermost destroy() of this thread.
struct Graveyard {
  std::vector<Ref<Node>> waiting;
  bool open = false;
};
[[gnu::tls_model("initial-exec")]] thread_local Graveyard graveyard;

/// Moves everything that may hold further nodes into the graveyard.
void bury(Node& node) {
  for (Edge& edge : node.next)
    if (edge.node) graveyard.waiting.push_back(std::move(edge.node));
  for (Saved& saved : node.saved)
    if (saved.edge.node) graveyard.waiting.push_back(std::move(saved.edge.node));
}

/// True if letting go of the node's edges may free a node that holds further ones. A leaf's holds
/// none; what has more references than this node can have itself stays.
bool holdsChain(const Node& node) {
  const auto own = static_cast<int32_t>(node.next.size() + node.saved.size());
  const auto ends = [own](const Ref<Node>& next) {
    return next && !next->isLeaf() && next.useCount() <= own;
  };
  for (const Edge& edge : node.next)
    if (ends(edge.node)) return true;
  for (const Saved& saved : node.saved)
    if (ends(saved.edge.node)) return true;
  return false;
}

[[gnu::tls_model("initial-exec")]] constinit thread_local FreeList freeNodes;
[[gnu::tls_model("initial-exec")]] constinit thread_local int64_t nodesAlive = 0;
[[gnu::tls_model("initial-exec")]] constinit thread_local FreeList freeMetas;

}  // namespace

Node::Node() noexcept {}  // NOLINT: see there
Node::~Node() = default;

int64_t liveNodes() { return nodesAlive; }

void* Node::operator new(size_t bytes) {
  void* const memory = freeNodes.take(bytes);
  ++nodesAlive;
  return memory;
}
void Node::operator delete(void* p) noexcept {
  --nodesAlive;
  freeNodes.give(p);
}
void* GradMeta::operator new(size_t bytes) { return freeMetas.take(bytes); }
void GradMeta::operator delete(void* p) noexcept { freeMetas.give(p); }

void Node::destroy(const Node* dead) {
  auto* node = const_cast<Node*>(dead);
  if (node->leaf) {
    if (GradMeta* meta = findMeta(node->leafHandle)) meta->accumulator = nullptr;
  }
  if (!holdsChain(*node)) {
    delete node;
    return;
  }
  const bool outermost = !graveyard.open;
  graveyard.open = true;
  bury(*node);
  delete node;
  if (!outermost) return;
  while (!graveyard.waiting.empty()) {
    const Ref<Node> next = std::move(graveyard.waiting.back());
    graveyard.waiting.pop_back();
  }
  graveyard.open = false;
}

GradMeta::~GradMeta() = default;

GradMeta* findMeta(const Tensor& tensor) {
  return static_cast<GradMeta*>(tensor.impl()->autograd.get());
}

GradMeta& metaOf(const Tensor& tensor) {
  auto& slot = tensor.impl()->autograd;
  if (!slot) slot = std::make_unique<GradMeta>();
  return static_cast<GradMeta&>(*slot);
}

Edge edgeOf(const Tensor& tensor) {
  if (!tensor.defined() || !tensor.requiresGrad()) return {};
  GradMeta& meta = metaOf(tensor);
  if (meta.node) {
    if (tensor.impl()->isView && meta.viewVersion != tensor.version())
      throw Error(
          Code::Usage,
          fmt::format("{} is a view of a tensor that was changed in place after the view was made: "
                      "its gradient would be wrong; make the view again",
                      describe(tensor)));
    return {meta.node, meta.slot};
  }
  if (meta.accumulator) return {Ref<Node>::share(meta.accumulator), 0};
  Ref<Node> node = make<Node>();
  node->leafHandle = tensor;
  node->leaf = tensor.impl();
  node->sequence = UINT64_MAX;
  node->outputMetas.push_back({tensor.shape(), tensor.dtype()});
  meta.accumulator = node.get();
  return {std::move(node), 0};
}

}  // namespace tenon::autograd
