// SPDX-License-Identifier: Apache-2.0
// The refusal to write in place to a tensor whose elements share memory.
#pragma once

#include "engine/ops/op_def.h"

namespace tenon::gate {

/// Threads would write one element at the same time, and what is left would depend on them.
/// @throws Error(Shape) if an input that `op` writes in place has an axis of several elements that
/// are one in memory (`expand` makes such) or that steps into what its inner axes span (overlapping
/// windows of `unfold`), naming the axis. Contiguous tensors cost nothing.
TENON_API void refuseOverlap(const OpDef& op, TensorList inputs);

}  // namespace tenon::gate
