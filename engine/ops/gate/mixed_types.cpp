// SPDX-License-Identifier: Apache-2.0
// Promotion of a call's inputs, and conversion around a kernel.
#include "engine/ops/gate/mixed_types.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/kernel_row.h"
#include "engine/tensor/promotion.h"

namespace tenon::gate {
namespace {

bool present(const Tensor* tensor) { return tensor != nullptr && tensor->defined(); }

[[noreturn]] void refuseToWrite(const OpDef& op, TensorList inputs, size_t i, DType result) {
  std::string operands;
  for (const Tensor* input : inputs)
    if (present(input)) operands += (operands.empty() ? "" : " and ") + describe(*input);
  throw Error(Code::Type, fmt::format("[{}] {} is written in place and keeps its type {}, which "
                                      "the result type {} can't be cast to: {}",
                                      op.id, op.inputNames[i], dtypeName(inputs[i]->dtype()),
                                      dtypeName(result), operands));
}

/// Whether some kernel takes the types as they are. A kernel's types are those of its first input;
/// 16-bit types in other places count as taken where the kernel names them too.
bool taken(const OpDef& op, DeviceKind device, DType first, uint32_t halves) {
  const backend::KernelRow* row = kernelRowOf(op, device);
  if (!row) return true;  // refused for that reason
  const uint32_t wanted = halves | dtypeBit(first);
  for (const TenonKernel* kernel : row->kernels)
    if ((kernel->dtypes & wanted) == wanted) return true;
  return false;
}

}  // namespace

Promotion::Promotion(const OpDef& op, TensorList inputs) : inputs_(inputs) {
  if (!op.promotes) return;
  CommonType types;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (op.promotesInput(i) && present(inputs[i])) types.add(*inputs[i]);
  if (!types.result()) return;
  const DType common = op.promotesToFloating ? floatingOf(*types.result()) : *types.result();
  list_.append(inputs.begin(), inputs.end());
  casts_.reserve(inputs.size());  // so that nothing moves
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!op.promotesInput(i) || !present(inputs[i]) || inputs[i]->dtype() == common) continue;
    if (op.mutatesInput(i)) {
      if (!canCast(common, inputs[i]->dtype())) refuseToWrite(op, inputs, i, common);
      written_ = common;
      continue;
    }
    casts_.push_back(cast(*inputs[i], common));
    list_[i] = &casts_.back();
  }
  inputs_ = {list_.data(), list_.size()};
}

Edge::Edge(const OpDef& op, TensorList inputs, DeviceKind device, std::optional<DType> written) {
  uint32_t types = 0;
  DType first = DType::F32;
  for (size_t i = inputs.size(); i-- > 0;) {
    if (!present(inputs[i])) continue;
    first = inputs[i]->dtype();
    types |= dtypeBit(first);
    if (written && op.mutatesInput(i)) from_ |= dtypeBit(first);
  }
  if (written) {
    to_ = *written;
  } else if ((types & kHalfTypes) && !taken(op, device, first, types & kHalfTypes)) {
    from_ = kHalfTypes;
  }
  if (from_) converted_.reserve(inputs.size());  // so that nothing moves
}

const Tensor* Edge::enter(const Tensor& input, Launches* launches) {
  if (inside(input.dtype()) == input.dtype()) return &input;
  converted_.push_back(convertedCopy(input, to_, launches));
  return &converted_.back();
}

}  // namespace tenon::gate
