// SPDX-License-Identifier: Apache-2.0
// Autocast as the gate sees it: before the type rule, an operator's inputs are brought to the type
// that its class wants. engine/amp holds the policy and installs it.
#pragma once

#include <memory>
#include <optional>

#include "engine/base/export.h"
#include "engine/ops/gate/gate.h"

namespace tenon::gate {

/// Which types operators read, and the casts that give them.
class AutocastPolicy {
 public:
  AutocastPolicy() = default;
  AutocastPolicy(const AutocastPolicy&) = delete;
  AutocastPolicy& operator=(const AutocastPolicy&) = delete;
  virtual ~AutocastPolicy() = default;

  /// The type that an operator of that class, or a function made of operators, reads its floating
  /// inputs in; absent: as they are.
  virtual std::optional<DType> wanted(AutocastClass kind, TensorList inputs) const = 0;
  /// x in that type by a recorded cast, which may be one made before; x itself if it is f64, no
  /// floating tensor, or of that type.
  virtual Tensor inType(const Tensor& x, DType type) = 0;
  /// The same policy without casts from before, for work that is done once more later.
  virtual std::unique_ptr<AutocastPolicy> again() const = 0;
};

/// The calling thread's policy; null: autocast is off. Initial-exec and constinit, so that reading
/// it is one instruction.
[[gnu::tls_model(
    "initial-exec")]] TENON_API extern constinit thread_local AutocastPolicy* activeAutocast;

/// Puts another policy (null: none) in place for a block of code.
class AutocastSwitch {
 public:
  explicit AutocastSwitch(AutocastPolicy* policy) : saved_(activeAutocast) {
    activeAutocast = policy;
  }
  ~AutocastSwitch() { activeAutocast = saved_; }
  AutocastSwitch(const AutocastSwitch&) = delete;
  AutocastSwitch& operator=(const AutocastSwitch&) = delete;

 private:
  AutocastPolicy* saved_;
};

/// Autocast of a function that is made of several operators and has a class as a whole. While this
/// lives autocast is off, so that the function decides about its parts:
///
///     if (const gate::AutocastCall cast{AutocastClass::Float32})
///       return mseLoss(cast(x), cast(target), reduction);
class AutocastCall {
 public:
  /// @param kind Float32 or LowPrecision
  explicit AutocastCall(AutocastClass kind) : policy_(activeAutocast), kind_(kind), off_(nullptr) {}

  /// Whether autocast is on.
  explicit operator bool() const { return policy_ != nullptr; }
  /// x in the type that the class wants.
  TENON_API Tensor operator()(const Tensor& x) const;

 private:
  AutocastPolicy* policy_;
  AutocastClass kind_;
  AutocastSwitch off_;
};

/// `call` while autocast is on: with the inputs that the operator's class wants, and autocast off
/// within. Operators that write in place take what arrives, as in PyTorch.
Outputs callAutocast(const OpDef& op, TensorList inputs, const void* params);

}  // namespace tenon::gate
