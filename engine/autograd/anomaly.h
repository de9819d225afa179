// SPDX-License-Identifier: Apache-2.0
// Anomaly mode: where NaN (or Inf) came from, in the backward and in the forward pass.
#pragma once

#include <memory>

#include "engine/base/export.h"

namespace tenon::autograd {

class AnomalyWatch;

struct AnomalyOptions {
  bool infinite = false;  ///< also fail where a gradient becomes Inf, which PyTorch does not flag
};

/// While this lives, the calling thread looks at every value that operators make and at every
/// gradient. A backward pass in which a NaN arises throws Error(Input), which names the recorded
/// call (operator, layer) whose gradient rule gave it and for which input, and the forward calls
/// that made the first NaN and the first Inf since the last pass: operator, layer, output, element.
/// If the graph has calls of before (a second pass, a pass after one that failed, a guard that came
/// late), the text says that nothing is known of them.
/// An error of another kind during backward gets the name of the call as context. Slow: every value
/// is read once more. Without a guard nothing is looked at.
class TENON_API AnomalyGuard {
 public:
  explicit AnomalyGuard(AnomalyOptions options = {});
  ~AnomalyGuard();
  AnomalyGuard(const AnomalyGuard&) = delete;
  AnomalyGuard& operator=(const AnomalyGuard&) = delete;

 private:
  std::unique_ptr<AnomalyWatch> watch_;
};

}  // namespace tenon::autograd
