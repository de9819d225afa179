// SPDX-License-Identifier: Apache-2.0
// Tensors on their way from the forward to the backward pass.
#include <fmt/format.h>

#include "engine/autograd/custom_call.h"
#include "engine/autograd/node.h"
#include "engine/base/error.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon::autograd {
namespace {

/// Of the calling thread: the innermost guard's, or null.
[[gnu::tls_model(
    "initial-exec")]] constinit thread_local const std::shared_ptr<const SavedTensorHooks>*
    activeHooks = nullptr;

/// The same elements in a body without an autograd part, so that a node never holds its own outputs
/// alive.
Tensor bare(const Tensor& tensor) {
  Tensor out = tensor.aliasWith(tensor.shape(), tensor.strides(), tensor.impl()->offset);
  out.impl()->isView = false;
  return out;
}

void pack(Saved& saved, const Tensor& tensor) {
  const gate::NoGradGuard noGrad;
  auto packed = std::make_unique<PackedTensor>();
  packed->hooks = *activeHooks;
  packed->meta = {tensor.shape(), tensor.dtype()};
  const uint32_t before = tensor.version();
  packed->content = packed->hooks->pack(bare(tensor));
  if (tensor.version() != before)
    throw Error(Code::Usage,
                fmt::format("a pack hook changed in place the tensor it got: {}; it may copy it, "
                            "the forward pass still uses it",
                            describe(tensor)));
  saved.packed = std::move(packed);
}

Tensor unpackHooked(const PackedTensor& packed, const char* owner) {
  const gate::NoGradGuard noGrad;
  Tensor tensor = packed.hooks->unpack(packed.content);
  if (!tensor.defined() || tensor.shape() != packed.meta.shape ||
      tensor.dtype() != packed.meta.dtype)
    throw Error(Code::Usage,
                fmt::format("an unpack hook gave {} for a tensor that '{}' saved, wanted {} {}",
                            describe(tensor), owner, dtypeName(packed.meta.dtype),
                            toString(packed.meta.shape)));
  return bare(tensor);
}

/// True if the call connected that output of its own to the graph.
bool carriesGradient(const Node& node, size_t output) {
  if (!isFloating(node.outputMetas[output].dtype)) return false;
  if (node.custom) return !node.custom->isConstant(output);
  return ((node.op->nonDifferentiable >> output) & 1u) == 0;
}

std::string placeOf(const Saved& saved, const char* owner) {
  if (saved.position == Saved::kOther) return fmt::format("a tensor saved by '{}'", owner);
  return fmt::format("{} {} of '{}'", saved.isOutput ? "output" : "input", saved.position, owner);
}

}  // namespace

SavedTensorHooksGuard::SavedTensorHooksGuard(SavedTensorHooks hooks) : outer_(activeHooks) {
  if (!hooks.pack || !hooks.unpack)
    throw Error(Code::Usage, "saved-tensor hooks come in pairs: one of pack and unpack is missing");
  hooks_ = std::make_shared<const SavedTensorHooks>(std::move(hooks));
  activeHooks = &hooks_;
}

SavedTensorHooksGuard::~SavedTensorHooksGuard() { activeHooks = outer_; }

void keep(Saved& saved, const Tensor& tensor, bool itself) {
  if (tensor.inference()) [[unlikely]]
    throw Error(Code::Usage,
                fmt::format("a tensor made in inference mode can't be saved for backward: {}; "
                            "clone it outside of inference mode",
                            describe(tensor)));
  if (activeHooks != nullptr) [[unlikely]]
    return pack(saved, tensor);
  saved.tensor = itself ? tensor : bare(tensor);
  saved.version = tensor.version();
  if (tensor.impl()->storage->block().category == memory::Category::Temporary)
    tensor.retag(memory::Category::Activation);
}

Tensor valueOf(const Saved& saved, const char* owner) {
  if (saved.packed) return unpackHooked(*saved.packed, owner);
  if (saved.tensor.version() != saved.version)
    throw Error(Code::Usage,
                fmt::format("{} was changed in place after it was saved for backward: version {}, "
                            "expected {}: {}",
                            placeOf(saved, owner), saved.tensor.version(), saved.version,
                            describe(saved.tensor)));
  return saved.tensor;
}

Tensor unpack(const Node& node, const Saved& saved, bool connected) {
  Tensor value = valueOf(saved, node.name());
  if (!connected || findMeta(value)) return value;
  if (saved.isOutput && !carriesGradient(node, saved.position)) return value;
  const Ref<Node> maker =
      saved.isOutput ? Ref<Node>::share(const_cast<Node*>(&node)) : saved.edge.node;
  if (!maker) return value;
  Tensor tensor = bare(value);
  tensor.impl()->requiresGrad = true;
  GradMeta& meta = metaOf(tensor);
  meta.node = maker;
  meta.slot = saved.isOutput ? saved.position : saved.edge.slot;
  return tensor;
}

}  // namespace tenon::autograd
