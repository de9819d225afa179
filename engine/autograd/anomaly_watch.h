// SPDX-License-Identifier: Apache-2.0
// What anomaly mode remembers of the forward pass and checks in the backward pass.
#pragma once

#include <string>

#include "engine/autograd/anomaly.h"
#include "engine/autograd/node.h"
#include "engine/base/error.h"
#include "engine/ops/gate/gate.h"

namespace tenon::autograd {

class AnomalyWatch final : public gate::Listener {
 public:
  explicit AnomalyWatch(AnomalyOptions options);
  ~AnomalyWatch() override;

  void onCall(const gate::CallInfo& info) override;
  /// @throws Error(Input) if a gradient that `needs` names is not what it may be.
  void checkGradients(const Node& node, std::span<const Tensor> gradients, uint64_t needs);
  /// Adds the call to an error that its gradient rule threw.
  static void explain(const Node& node, Error& error);
  /// The outermost backward pass begins; `oldest`: the number of the first call it walks.
  void passBegins(uint64_t oldest) { sawAll_ = oldest >= since_; }
  /// A new forward pass begins.
  void forget();

 private:
  std::string forwardText() const;

  AnomalyOptions options_;
  AnomalyWatch* outer_;
  std::string firstNan_;  // "output 0 of 'log' (layer 'norm'), f32 [3] cpu, element 1"
  std::string firstInf_;
  uint64_t since_;       // number of the first node whose call is remembered
  bool sawAll_ = false;  // every call of the graph that is walked
  gate::ListenerGuard listening_{*this};
};

/// Of the innermost guard of the calling thread, or null.
AnomalyWatch* activeAnomalyWatch();

}  // namespace tenon::autograd
