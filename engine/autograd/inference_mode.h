// SPDX-License-Identifier: Apache-2.0
// Inference mode: no gradients, and tensors that can have no part in any later.
#pragma once

#include "engine/ops/gate/thread_state.h"
#include "engine/tensor/tensor.h"

namespace tenon::autograd {

/// While this lives, the calling thread records nothing, and the tensors it makes count no changes
/// in place and track no views. Outside of the mode such a tensor can be read, but not changed in
/// place, saved for backward or made to want a gradient (Error(Usage)): clone it first. Tensors
/// from outside keep their versions and may be changed in place.
class InferenceModeGuard {
 public:
  /// @param on false: leaves inference mode for a block, with gradients on
  explicit InferenceModeGuard(bool on = true) : gradMode_(!on), outer_(threadInfers) {
    threadInfers = on;
  }
  ~InferenceModeGuard() { threadInfers = outer_; }
  InferenceModeGuard(const InferenceModeGuard&) = delete;
  InferenceModeGuard& operator=(const InferenceModeGuard&) = delete;

 private:
  gate::GradModeGuard gradMode_;
  bool outer_;
};

}  // namespace tenon::autograd
