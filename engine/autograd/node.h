// SPDX-License-Identifier: Apache-2.0
// Nodes and edges of the gradient graph. A node is one recorded operator call, or the place where a
// leaf collects.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engine/autograd/saved_hooks.h"
#include "engine/base/small_vector.h"
#include "engine/memory/scope.h"
#include "engine/ops/op_def.h"

namespace tenon::autograd {

class Node;
struct CustomCall;

/// The way a gradient takes: to input slot `slot` of `node` (slot = number of the output in the
/// forward call).
struct Edge {
  Ref<Node> node;
  uint32_t slot = 0;
};

/// A tensor kept for the backward pass, with the version it had.
struct Saved {
  /// `position` of what is neither input nor output (custom functions).
  static constexpr uint8_t kOther = UINT8_MAX;

  Tensor tensor;  ///< shares the storage; carries no autograd part unless it is a leaf
  Edge edge;      ///< where its gradient goes, for the differentiable rule (own outputs: empty)
  std::unique_ptr<PackedTensor> packed;  ///< instead of `tensor` if hooks were there
  uint32_t version = 0;
  uint8_t position = 0;  ///< number of the input, or of the output
  bool isOutput = false;
};

/// Runs when the gradient of a tensor is complete; a defined return value replaces it.
using TensorHook = std::function<Tensor(const Tensor& grad)>;
/// Runs after a leaf's gradient was written.
using PostAccumulateHook = std::function<void(const Tensor& leaf)>;

struct SlotHook {
  uint32_t slot = 0;
  TensorHook hook;
};

/// Hooks are rare, so a node holds them behind one pointer.
struct Hooks {
  std::vector<SlotHook> before;  ///< in the order they were added
  std::vector<SlotHook> retain;  ///< run last: they capture what the node really gets
  std::vector<PostAccumulateHook> accumulated;
};

class TENON_API Node : public RefCounted {
 public:
  Node() noexcept;  // not "= default", which would fill all of it with zeros first
  ~Node();
  /// Frees whole chains without recursion.
  static void destroy(const Node* node);
  static void* operator new(size_t bytes);
  static void operator delete(void* p) noexcept;

  const OpDef* op = nullptr;  ///< null for a leaf's node
  TensorImpl* leaf =
      nullptr;  ///< the leaf that collects here; the node keeps it alive through `leafHandle`
  Tensor leafHandle;
  SmallVector<Edge, 3> next;  ///< by input of the call; empty edges where no gradient is wanted
  SmallVector<Saved, 2> saved;
  SmallVector<TensorMeta, 3> inputMetas;
  SmallVector<TensorMeta, 1> outputMetas;
  SmallVector<std::byte, 48> params;
  std::unique_ptr<Hooks> hooks;
  std::unique_ptr<CustomCall> custom;  ///< of a custom function, whose name is that of `op`
  memory::Scope scope;                 ///< of the forward call
  uint64_t sequence = 0;               ///< later calls have higher numbers; leaves have the highest
  uint64_t needsMask = 0;              ///< bit i: input i wants a gradient
  bool released = false;               ///< saved tensors were freed by a backward pass

  bool isLeaf() const { return op == nullptr; }
  const char* name() const { return op ? op->id : "accumulate_grad"; }
  Hooks& makeHooks() {
    if (!hooks) hooks = std::make_unique<Hooks>();
    return *hooks;
  }

  // Used by one backward pass at a time.
  uint64_t visit = 0;
  int32_t pending = 0;
  SmallVector<Tensor, 1> incoming;
};

/// Autograd's part of a tensor.
struct GradMeta final : AutogradMeta {
  GradMeta() noexcept {}  // NOLINT: as in Node
  ~GradMeta() override;
  static void* operator new(size_t bytes);
  static void operator delete(void* p) noexcept;

  Ref<Node> node;  ///< that made the tensor; null for leaves
  uint32_t slot = 0;
  uint32_t viewVersion = 0;     ///< storage version when a view was made
  Node* accumulator = nullptr;  ///< the leaf's node while a graph uses it
  Tensor grad;
  std::unique_ptr<Hooks> leafHooks;  ///< hooks of a leaf live here
  std::shared_ptr<Tensor>
      retained;  ///< gradient of a non-leaf that was asked to keep it; its node's hook fills it
};

/// Autograd's part, made if missing.
GradMeta& metaOf(const Tensor& tensor);
/// Autograd's part, or null.
GradMeta* findMeta(const Tensor& tensor);
/// Where gradients of `tensor` go: its node, or its leaf's accumulator. Empty if none is wanted.
Edge edgeOf(const Tensor& tensor);
/// Keeps `tensor` in `saved`, packed if hooks are there; without them the handle itself if
/// `itself`, else the same elements without an autograd part.
/// @throws Error(Usage) if it was made in inference mode, or the pack hook changes it.
void keep(Saved& saved, const Tensor& tensor, bool itself = false);
/// The elements that were kept. @param owner name of the call, for messages
/// @throws Error(Usage) if they were changed in place since, or the unpack hook gives others.
Tensor valueOf(const Saved& saved, const char* owner);
/// The tensor a node saved, connected again if `connected` (for differentiable rules).
/// @throws Error as valueOf.
Tensor unpack(const Node& node, const Saved& saved, bool connected);

}  // namespace tenon::autograd
