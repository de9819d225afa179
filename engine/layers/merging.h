// SPDX-License-Identifier: Apache-2.0
// What layers with several inputs of one kind share.
#pragma once

#include "engine/layers/planning.h"

namespace tenon {

/// The common shape of all inputs, of equally many axes; sizes of 1 repeat as far as the others
/// reach. One operation an element and further input.
LayerPlan planBroadcast(const PlanRequest& request);

}  // namespace tenon
