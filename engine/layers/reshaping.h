// SPDX-License-Identifier: Apache-2.0
// What layers share that give values another shape.
#pragma once

#include "engine/layers/planning.h"

namespace tenon {

/// A list of sizes of which one may be -1: whatever is left.
ParamSpec sizesParam(std::string name, std::vector<int64_t> value);
/// The sizes of parameter `name` for so many elements, -1 filled in; empty, with an issue, if they
/// do not fit.
std::vector<int64_t> sizesFor(const PlanRequest& request, std::string_view name, int64_t elements,
                              LayerPlan& plan);

}  // namespace tenon
