// SPDX-License-Identifier: Apache-2.0
// The gradient rule of operators that overwrite their first input.
#pragma once

#include "engine/ops/op_def.h"

namespace tenon {

/// What was overwritten gets zeros; new values, if they come from a second input that broadcasts
/// to the first, get what arrives.
void overwriteGrad(GradCall& call);

}  // namespace tenon
