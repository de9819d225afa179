// SPDX-License-Identifier: Apache-2.0
// The operators behind view.h; only for the files of this folder.
#pragma once

#include "engine/ops/op_def.h"

namespace tenon::view {

const OpDef& reshapeOp();
const OpDef& permuteOp();
const OpDef& sliceOp();
const OpDef& expandOp();
const OpDef& unfoldOp();
const OpDef& unfoldBackwardOp();

/// Strides with which `x`'s memory reads as `shape` (of as many elements) in row-major order.
/// False if there are none.
bool stridesOfReshape(const Tensor& x, const Shape& shape, Shape& strides);

}  // namespace tenon::view
