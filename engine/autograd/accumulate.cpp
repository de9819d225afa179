// SPDX-License-Identifier: Apache-2.0
// Gradients are summed in the order they arrive; a leaf's first gradient is taken over without a
// copy when it can be. While a graph of the gradients is recorded nothing is added in place, and
// what a leaf keeps is a copy of its own: the graph may hold what came in.
#include "engine/autograd/accumulate.h"

#include <fmt/format.h>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon::autograd {
namespace {

bool expandsFrom(const Shape& small, const Shape& large) {
  if (small.ndim() > large.ndim()) return false;
  for (int i = 1; i <= small.ndim(); ++i)
    if (small.at(-i) != large.at(-i) && small.at(-i) != 1) return false;
  return true;
}

Tensor fit(Tensor grad, const TensorMeta& wanted, const Node& node) {
  if (grad.shape() != wanted.shape) {
    if (!expandsFrom(wanted.shape, grad.shape()))
      throw Error(Code::Shape, fmt::format("gradient for '{}' has shape {}, wanted {}", node.name(),
                                           toString(grad.shape()), toString(wanted.shape)));
    grad = sumTo(grad, wanted.shape);
  }
  if (grad.dtype() != wanted.dtype) grad = cast(grad, wanted.dtype);
  return grad;
}

/// True if nothing else can see the elements, so that they may be changed or kept.
bool soleOwner(const Tensor& tensor) {
  return tensor.impl()->useCount() == 1 && tensor.impl()->storage.useCount() == 1;
}

void writeFirst(GradMeta& meta, Tensor grad, bool createGraph) {
  Tensor dense = contiguous(grad);
  const bool same = dense.impl() == grad.impl();
  const bool seen =
      same ? grad.impl()->useCount() > 2 || grad.impl()->storage.useCount() > 1 : !soleOwner(dense);
  meta.grad = seen || (createGraph && same) ? clone(dense) : dense;
  if (!createGraph && meta.grad.requiresGrad()) meta.grad = detach(meta.grad);
  meta.grad.retag(memory::Category::Gradient);
}

}  // namespace

void receive(Node& node, uint32_t slot, Tensor grad, bool createGraph) {
  Tensor& sum = node.incoming[slot];
  grad = fit(std::move(grad), node.outputMetas[slot], node);
  if (!sum) {
    sum = std::move(grad);
  } else if (!createGraph && soleOwner(sum) && sum.layout() == grad.layout() &&
             (sum.layout().blocked() || sum.isContiguous())) {
    addInPlace(sum, grad);
  } else {
    sum = add(sum, grad);
  }
}

void accumulateLeaf(const Node& node, Tensor grad, bool createGraph) {
  GradMeta& meta = metaOf(node.leafHandle);
  if (meta.leafHooks) {
    for (const SlotHook& hook : meta.leafHooks->before)
      if (Tensor replaced = hook.hook(grad)) grad = replaced;
  }
  if (!meta.grad) {
    writeFirst(meta, std::move(grad), createGraph);
  } else if (createGraph) {
    meta.grad = add(meta.grad, grad);
  } else {
    addInPlace(meta.grad, grad);
  }
  if (meta.leafHooks)
    for (const PostAccumulateHook& hook : meta.leafHooks->accumulated) hook(node.leafHandle);
}

}  // namespace tenon::autograd
