// SPDX-License-Identifier: Apache-2.0
// What the pooling layers share, over one to three spatial axes: forms, plans and execution.
#pragma once

#include "engine/layers/planning.h"

namespace tenon {

/// kernel_size, stride (0: as the kernel), padding, ceil_mode; of a mean also count_include_pad.
ParamSchema maxPoolSchema(int axes);
ParamSchema avgPoolSchema(int axes);
/// Output shape and cost of a window over [N, C, ...] with `axes` spatial axes.
LayerPlan planPool(const PlanRequest& request, int axes);
std::unique_ptr<Layer> makeMaxPool(const PlanRequest& request, int axes);
std::unique_ptr<Layer> makeAvgPool(const PlanRequest& request, int axes);

/// output_size.
ParamSchema adaptivePoolSchema(int axes);
LayerPlan planAdaptivePool(const PlanRequest& request, int axes);
std::unique_ptr<Layer> makeAdaptiveMaxPool(const PlanRequest& request, int axes);
std::unique_ptr<Layer> makeAdaptiveAvgPool(const PlanRequest& request, int axes);

}  // namespace tenon
