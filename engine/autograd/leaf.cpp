// SPDX-License-Identifier: Apache-2.0
// Flags, gradients and hooks of single tensors.
#include <fmt/format.h>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"

namespace tenon::autograd {

bool isLeaf(const Tensor& tensor) {
  const GradMeta* meta = findMeta(tensor);
  return !meta || !meta->node;
}

const Node* nodeOf(const Tensor& tensor) {
  const GradMeta* meta = findMeta(tensor);
  return meta ? meta->node.get() : nullptr;
}

void setRequiresGrad(const Tensor& tensor, bool on) {
  if (!isLeaf(tensor))
    throw Error(Code::Usage, "whether a gradient is wanted can only be set for leaves, " +
                                 describe(tensor) + " was made by '" + nodeOf(tensor)->name() +
                                 "': detach it first");
  if (on && !isFloating(tensor.dtype()))
    throw Error(Code::Type, "only floating tensors can want a gradient, got " + describe(tensor));
  if (on && tensor.inference())
    throw Error(Code::Usage, "a tensor made in inference mode can't want a gradient: " +
                                 describe(tensor) + "; clone it outside of inference mode");
  tensor.impl()->requiresGrad = on;
}

Tensor gradOf(const Tensor& tensor) {
  const GradMeta* meta = findMeta(tensor);
  if (!meta) return {};
  return meta->retained ? *meta->retained : meta->grad;
}

void setGrad(const Tensor& tensor, const Tensor& grad) {
  if (grad.defined() && (grad.shape() != tensor.shape() || grad.dtype() != tensor.dtype() ||
                         grad.device() != tensor.device()))
    throw Error(Code::Shape, fmt::format("gradient {} does not fit tensor {}", describe(grad),
                                         describe(tensor)));
  metaOf(tensor).grad = grad;
}

Tensor detach(const Tensor& tensor) {
  Tensor out = tensor.aliasWith(tensor.shape(), tensor.strides(), tensor.impl()->offset);
  out.impl()->isView = tensor.impl()->isView;
  return out;
}

namespace {
void checkWantsGrad(const Tensor& tensor, const char* what) {
  if (!tensor.defined() || !tensor.requiresGrad())
    throw Error(Code::Usage,
                fmt::format("{} on a tensor that wants no gradient: {}", what, describe(tensor)));
}

Hooks& leafHooks(GradMeta& meta) {
  if (!meta.leafHooks) meta.leafHooks = std::make_unique<Hooks>();
  return *meta.leafHooks;
}
}  // namespace

void addHook(const Tensor& tensor, TensorHook hook) {
  checkWantsGrad(tensor, "hook");
  GradMeta& meta = metaOf(tensor);
  if (meta.node) {
    meta.node->makeHooks().before.push_back({meta.slot, std::move(hook)});
  } else {
    leafHooks(meta).before.push_back({0, std::move(hook)});
  }
}

void addPostAccumulateHook(const Tensor& leaf, PostAccumulateHook hook) {
  checkWantsGrad(leaf, "post-accumulate hook");
  if (!isLeaf(leaf))
    throw Error(Code::Usage, "post-accumulate hooks belong to leaves, got " + describe(leaf));
  leafHooks(metaOf(leaf)).accumulated.push_back(std::move(hook));
}

void retainGrad(const Tensor& tensor) {
  checkWantsGrad(tensor, "retainGrad");
  GradMeta& meta = metaOf(tensor);
  if (!meta.node || meta.retained) return;
  // The cell outlives the tensor if need be; the hook must not keep the tensor alive through its
  // own node.
  meta.retained = std::make_shared<Tensor>();
  meta.node->makeHooks().retain.push_back({meta.slot, [cell = meta.retained](const Tensor& grad) {
                                             *cell = grad;
                                             return Tensor();
                                           }});
}

}  // namespace tenon::autograd
