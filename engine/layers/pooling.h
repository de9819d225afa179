// SPDX-License-Identifier: Apache-2.0
// What the pooling layers share: window parameters and their plan.
#pragma once

#include "engine/layers/planning.h"
#include "engine/ops/pool2d/pool2d.h"

namespace tenon {

/// kernel_size, stride (0: as the kernel), padding, ceil_mode.
ParamSchema poolSchema();
Pool2dParams poolParams(const ParamMap& params);
/// Output shape and cost of a window over [N, C, H, W].
LayerPlan poolPlan(const PlanRequest& request);

}  // namespace tenon
