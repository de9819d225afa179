// SPDX-License-Identifier: Apache-2.0
// The gate: every operator call passes it. Shape rule -> kernel -> gradient record -> whoever
// listens.
#pragma once

#include <initializer_list>

#include "engine/memory/scope.h"
#include "engine/ops/gate/launch.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/op_def.h"

namespace tenon::gate {

using Outputs = SmallVector<Tensor, 2>;

/// Runs an operator on the device of its inputs.
/// @param params the operator's POD struct (may be null if it has none); copied if a gradient is
/// recorded.
/// @throws Error(Shape | Type) from the shape rule; Error(Device) if inputs are on different
/// devices or no kernel
///   takes these types (the text lists each kernel with its reason); Error(Memory).
TENON_API Outputs call(const OpDef& op, TensorList inputs, const void* params = nullptr);
/// The same for operators with one output.
TENON_API Tensor call1(const OpDef& op, TensorList inputs, const void* params = nullptr);

/// `call1` with the inputs spelled out: run(kAdd, {&a, &b}).
inline Tensor run(const OpDef& op, std::initializer_list<const Tensor*> inputs,
                  const void* params = nullptr) {
  return call1(op, TensorList(inputs.begin(), inputs.size()), params);
}
inline Outputs runAll(const OpDef& op, std::initializer_list<const Tensor*> inputs,
                      const void* params = nullptr) {
  return call(op, TensorList(inputs.begin(), inputs.size()), params);
}

/// What a listener hears of one call, after it ran. A call that the gate makes for this one (a copy
/// in another layout, a cast to the common type) was heard before it.
struct CallInfo {
  const OpDef& op;
  TensorList inputs;
  std::span<const Tensor> outputs;
  const void* params;
  const TenonKernel* kernel;  ///< null for views
  /// Every kernel that ran, in order: `kernel` and around it those that convert 16-bit types; none
  /// for views.
  std::span<const Launch> launches;
  const void* node;  ///< the autograd node that was recorded, or null
  int64_t startNs;   ///< monotonic
  int64_t endNs;
};

/// Hears every call of a thread while installed.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void onCall(const CallInfo& info) = 0;
};

/// Installs a listener on the calling thread for a block of code.
class ListenerGuard {
 public:
  TENON_API explicit ListenerGuard(Listener& listener);
  TENON_API ~ListenerGuard();
  ListenerGuard(const ListenerGuard&) = delete;
  ListenerGuard& operator=(const ListenerGuard&) = delete;

 private:
  Listener* listener_;
};

/// What autograd gets to record a call. `inputs` are as the caller gave them, `used` as the kernel
/// read them (converted layouts): as many, or none if they are the same.
struct RecordRequest {
  const OpDef& op;
  TensorList inputs;
  TensorList used;
  std::span<Tensor> outputs;
  const void* params;
};

/// The part of autograd that the gate calls; installed once when the library is loaded.
struct Recorder {
  /// Before an in-place operator runs. @throws Error for leaves and views that need a gradient.
  void (*checkInPlace)(const RecordRequest& request) = nullptr;
  /// Makes the node; returns it for listeners.
  const void* (*record)(const RecordRequest& request) = nullptr;
};
TENON_API void installRecorder(const Recorder& recorder);

/// Interned name of an operator, for scopes.
TENON_API memory::NameId opName(const OpDef& op);

}  // namespace tenon::gate
