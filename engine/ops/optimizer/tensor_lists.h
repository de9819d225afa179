// SPDX-License-Identifier: Apache-2.0
// Operators over plain lists of tensors, defined apart from the optimizer steps.
#pragma once

#include "engine/ops/op_def.h"

namespace tenon {

/// "scale_", "unscale_", "clip_", "average_".
std::span<const OpDef* const> tensorListOps();

}  // namespace tenon
