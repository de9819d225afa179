// SPDX-License-Identifier: Apache-2.0
// Hooks on tensors saved for backward: what a node keeps instead of a tensor, and how the tensor
// comes back (compression, moving elsewhere, recomputation).
#pragma once

#include <any>
#include <functional>
#include <memory>

#include "engine/ops/op_def.h"

namespace tenon::autograd {

/// A pair of functions. Both run without recording gradients.
struct SavedTensorHooks {
  /// Gets a tensor, without history, as it is saved; what it returns is kept. It must not change
  /// the tensor.
  std::function<std::any(const Tensor& tensor)> pack;
  /// Gives the tensor back, of the same shape and type, when a backward pass needs it. Runs once a
  /// pass. That the elements are the same is not checked: a packed tensor has no version.
  std::function<Tensor(const std::any& packed)> unpack;
};

/// What a pack hook made of a tensor.
struct PackedTensor {
  std::any content;
  std::shared_ptr<const SavedTensorHooks> hooks;
  TensorMeta meta;
};

/// Hooks for everything that the calling thread saves while this lives. The innermost pair alone
/// counts. Tensors saved so are unpacked by the same pair, whenever that is.
class SavedTensorHooksGuard {
 public:
  /// @throws Error(Usage) if one of the two is missing.
  TENON_API explicit SavedTensorHooksGuard(SavedTensorHooks hooks);
  TENON_API ~SavedTensorHooksGuard();
  SavedTensorHooksGuard(const SavedTensorHooksGuard&) = delete;
  SavedTensorHooksGuard& operator=(const SavedTensorHooksGuard&) = delete;

 private:
  std::shared_ptr<const SavedTensorHooks> hooks_;
  const std::shared_ptr<const SavedTensorHooks>* outer_;
};

}  // namespace tenon::autograd
