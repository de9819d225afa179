// SPDX-License-Identifier: Apache-2.0
// The operators of this folder's files; only for them.
#pragma once

#include "engine/ops/op_def.h"

namespace tenon::arrange {

const OpDef& catOp();
const OpDef& flipOp();
const OpDef& triangleOp();

}  // namespace tenon::arrange
