// SPDX-License-Identifier: Apache-2.0
// Life and death of nodes, and tensors saved in them.
#include "engine/autograd/node.h"

#include <fmt/format.h>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"

namespace tenon::autograd {
namespace {

/// Nodes waiting to be freed by the outermost destroy() of this thread.
struct Graveyard {
  std::vector<Ref<Node>> waiting;
  bool open = false;
};
thread_local Graveyard graveyard;

/// Moves everything that may hold further nodes into the graveyard.
void bury(Node& node) {
  for (Edge& edge : node.next)
    if (edge.node) graveyard.waiting.push_back(std::move(edge.node));
  for (Saved& saved : node.saved)
    if (saved.edge.node) graveyard.waiting.push_back(std::move(saved.edge.node));
}

constexpr size_t kMostCached = 512;
struct NodeCache {
  std::vector<void*> free;
  ~NodeCache() {
    for (void* p : free) ::operator delete(p);
    alive = false;
  }
  static thread_local bool alive;
};
thread_local bool NodeCache::alive = true;
thread_local NodeCache nodeCache;

}  // namespace

void* Node::operator new(size_t bytes) {
  if (NodeCache::alive && !nodeCache.free.empty()) {
    void* p = nodeCache.free.back();
    nodeCache.free.pop_back();
    return p;
  }
  return ::operator new(bytes);
}

void Node::operator delete(void* p) noexcept {
#ifndef __SANITIZE_ADDRESS__
  if (NodeCache::alive && nodeCache.free.size() < kMostCached) {
    nodeCache.free.push_back(p);
    return;
  }
#endif
  ::operator delete(p);
}

void Node::destroy(const Node* dead) {
  auto* node = const_cast<Node*>(dead);
  if (node->leaf) {
    if (GradMeta* meta = findMeta(node->leafHandle)) meta->accumulator = nullptr;
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

Tensor unpack(const Node& node, const Saved& saved, bool connected) {
  if (saved.tensor.version() != saved.version)
    throw Error(Code::Usage,
                fmt::format("{} {} of '{}' was changed in place after it was saved for backward: "
                            "version {}, expected {}: {}",
                            saved.isOutput ? "output" : "input", saved.position, node.name(),
                            saved.tensor.version(), saved.version, describe(saved.tensor)));
  if (!connected || findMeta(saved.tensor)) return saved.tensor;
  const Ref<Node> maker =
      saved.isOutput ? Ref<Node>::share(const_cast<Node*>(&node)) : saved.edge.node;
  if (!maker) return saved.tensor;
  Tensor tensor(make<TensorImpl>());
  TensorImpl& to = *tensor.impl();
  const TensorImpl& from = *saved.tensor.impl();
  to.storage = from.storage;
  to.shape = from.shape;
  to.strides = from.strides;
  to.offset = from.offset;
  to.dtype = from.dtype;
  to.device = from.device;
  to.layout = from.layout;
  to.requiresGrad = true;
  GradMeta& meta = metaOf(tensor);
  meta.node = maker;
  meta.slot = saved.isOutput ? saved.position : saved.edge.slot;
  return tensor;
}

}  // namespace tenon::autograd
