// SPDX-License-Identifier: Apache-2.0
// The parts of the table of reductions; only for the files of this folder.
#pragma once

#include <vector>

#include "engine/ops/op_def.h"

namespace tenon {

using OpDefs = std::vector<const OpDef*>;
void appendExtremes(OpDefs& ops);
void appendCounts(OpDefs& ops);
void appendAmax(OpDefs& ops);
void appendMoments(OpDefs& ops);
void appendNorm(OpDefs& ops);
void appendLogsumexp(OpDefs& ops);
void appendCumsum(OpDefs& ops);

}  // namespace tenon
