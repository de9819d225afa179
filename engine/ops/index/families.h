// SPDX-License-Identifier: Apache-2.0
// The parts of the table of indexing operators; only for the files of this folder.
#pragma once

#include <vector>

#include "engine/ops/op_def.h"

namespace tenon {

using OpDefs = std::vector<const OpDef*>;
void appendGather(OpDefs& ops);
void appendIndexRows(OpDefs& ops);

}  // namespace tenon
