// SPDX-License-Identifier: Apache-2.0
// Define-by-run differentiation: what a user of tensors calls. Recording itself happens in the
// gate.
#pragma once

#include <span>
#include <vector>

#include "engine/autograd/node.h"

namespace tenon::autograd {

struct BackwardOptions {
  bool retainGraph = false;  ///< keep saved tensors for another pass; createGraph implies it
  bool createGraph = false;  ///< record the gradient computation itself, for higher derivatives
};

/// Computes gradients of `root` for all leaves it depends on and adds them to their `grad`.
/// @param grad gradient of root, same shape; may be undefined if root has one element (then 1).
/// @throws Error(Usage) if root needs no gradient or its graph was freed; Error(Shape) if grad does
/// not fit.
TENON_API void backward(const Tensor& root, const Tensor& grad = {}, BackwardOptions options = {});
TENON_API void backward(std::span<const Tensor> roots, std::span<const Tensor> grads,
                        BackwardOptions options = {});

struct GradOptions {
  bool retainGraph = false;
  bool createGraph = false;
  bool allowUnused =
      false;  ///< undefined tensors instead of an error for inputs the outputs do not depend on
};
/// Gradients of the outputs with respect to the inputs only; nobody's `grad` is touched.
/// @throws Error(Usage) naming the input that is unused or needs no gradient.
TENON_API std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                                   std::span<const Tensor> gradOutputs = {},
                                   GradOptions options = {});

/// Switches whether a leaf collects a gradient. @throws Error(Usage) for non-leaves (detach first),
/// Error(Type) for non-floating tensors, Error(Usage) for tensors made in inference mode.
TENON_API void setRequiresGrad(const Tensor& tensor, bool on = true);
/// True if no recorded operator made the tensor.
TENON_API bool isLeaf(const Tensor& tensor);
/// The collected gradient; undefined if there is none.
TENON_API Tensor gradOf(const Tensor& tensor);
/// Sets or (undefined) drops the collected gradient. @throws Error if shape, type or device differ.
TENON_API void setGrad(const Tensor& tensor, const Tensor& grad);
/// Keeps the gradient of a non-leaf after backward; it is what all hooks left of it.
TENON_API void retainGrad(const Tensor& tensor);
/// The same elements without history; shares storage and version counter.
TENON_API Tensor detach(const Tensor& tensor);
/// Runs when the tensor's gradient is complete; for leaves before it is added.
TENON_API void addHook(const Tensor& tensor, TensorHook hook);
/// Runs after a leaf's gradient was written.
TENON_API void addPostAccumulateHook(const Tensor& leaf, PostAccumulateHook hook);
/// The node that made the tensor; null for leaves.
TENON_API const Node* nodeOf(const Tensor& tensor);
/// For tests that look for leaks: nodes that the calling thread made and that were not freed (by
/// it).
TENON_API int64_t liveNodes();
/// The node whose gradient rule the calling thread is running, or the leaf it collects for; null
/// outside backward.
TENON_API const Node* executingNode();
/// A number of the backward pass that the calling thread runs a node for; 0 outside backward.
TENON_API uint64_t executingPass();

}  // namespace tenon::autograd
