// SPDX-License-Identifier: Apache-2.0
// Calls while autocast is on.
#include "engine/ops/gate/autocast.h"

namespace tenon::gate {

constinit thread_local AutocastPolicy* activeAutocast = nullptr;

Tensor AutocastCall::operator()(const Tensor& x) const {
  const Tensor* const inputs[] = {&x};
  const std::optional<DType> type = policy_->wanted(kind_, inputs);
  return type && x.defined() ? policy_->inType(x, *type) : x;
}

Outputs callAutocast(const OpDef& op, TensorList inputs, const void* params) {
  AutocastPolicy& policy = *activeAutocast;
  const AutocastSwitch off(nullptr);
  const bool writes = (op.mutates | op.groupMutates) != 0;
  const std::optional<DType> type = writes ? std::nullopt : policy.wanted(op.autocast, inputs);
  if (!type) return call(op, inputs, params);
  SmallVector<Tensor, 4> casts;
  casts.reserve(inputs.size());  // so that nothing moves
  SmallVector<const Tensor*, 8> list;
  for (const Tensor* input : inputs) {
    if (input != nullptr && input->defined()) {
      casts.push_back(policy.inType(*input, *type));
      input = &casts.back();
    }
    list.push_back(input);
  }
  return call(op, {list.data(), list.size()}, params);
}

}  // namespace tenon::gate
