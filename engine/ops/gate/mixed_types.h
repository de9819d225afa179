// SPDX-License-Identifier: Apache-2.0
// What the gate does for calls whose inputs differ in type, or have a type that no kernel takes:
// promotion before the shape rule, and conversion at the kernel's edge after it.
#pragma once

#include <optional>

#include "engine/ops/gate/launch.h"
#include "engine/ops/op_def.h"

namespace tenon::gate {

/// Calls whose inputs all have one of these types need none of this.
inline constexpr uint32_t kPlainTypes = dtypeBit(DType::F32) | dtypeBit(DType::F64);
inline constexpr uint32_t kHalfTypes = dtypeBit(DType::F16) | dtypeBit(DType::BF16);

/// The inputs of a call, those that `op.promotes` names brought to their common type by recorded
/// casts, so that each gets a gradient of its own type.
class Promotion {
 public:
  /// @throws Error(Type) if a tensor written in place cannot hold the common type.
  Promotion(const OpDef& op, TensorList inputs);
  Promotion(const Promotion&) = delete;
  Promotion& operator=(const Promotion&) = delete;

  TensorList inputs() const { return inputs_; }
  /// The common type, if a tensor that is written in place has another: the kernel then works in
  /// the common type, and the results are converted.
  std::optional<DType> written() const { return written_; }

 private:
  TensorList inputs_;
  std::optional<DType> written_;
  SmallVector<const Tensor*, 8> list_;
  SmallVector<Tensor, 4> casts_;
};

/// Conversion around one kernel: types that it does not take become one that it does (16-bit
/// floating types f32), its results are rounded back. The memory is temporary; the record and
/// listeners see the tensors of the caller, and listeners the kernels that convert.
class Edge {
 public:
  /// @param written as `Promotion::written`
  Edge(const OpDef& op, TensorList inputs, DeviceKind device, std::optional<DType> written);
  Edge(const Edge&) = delete;
  Edge& operator=(const Edge&) = delete;

  bool needed() const { return from_ != 0; }
  /// The type in which the kernel sees tensors of `type`.
  DType inside(DType type) const { return from_ & dtypeBit(type) ? to_ : type; }
  /// The input as the kernel reads it; valid while this lives. A conversion is noted in `launches`,
  /// unless that is null.
  const Tensor* enter(const Tensor& input, Launches* launches);

 private:
  uint32_t from_ = 0;  // types that are converted
  DType to_ = DType::F32;
  SmallVector<Tensor, 4> converted_;
};

}  // namespace tenon::gate
