// SPDX-License-Identifier: Apache-2.0
// The parts of the pointwise operator table; only for the files of this folder.
#pragma once

#include <vector>

#include "engine/ops/op_def.h"

namespace tenon {

using OpDefs = std::vector<const OpDef*>;

/// Changes a in place by a and b, which is brought to a's full shape where a lies blocked. Where
/// `op` would write into the padding of blocks: by `elsewhere` and a copy, if that is not null.
void changePair(const OpDef& op, const OpDef* elsewhere, const Tensor& a, const Tensor& b,
                const void* params = nullptr);

void appendArithmetic(OpDefs& ops);
void appendActivations(OpDefs& ops);
void appendExponential(OpDefs& ops);
void appendTrigonometric(OpDefs& ops);
void appendRounding(OpDefs& ops);
void appendLerp(OpDefs& ops);
void appendBinary(OpDefs& ops);
void appendInPlace(OpDefs& ops);
void appendBitwise(OpDefs& ops);

}  // namespace tenon
