// SPDX-License-Identifier: Apache-2.0
// What convolutions and transposed convolutions share, over one to three spatial axes.
#pragma once

#include "engine/layers/planning.h"

namespace tenon {

/// out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, bias.
ParamSchema convSchema(int axes);
/// Output, weights and cost over [N, C, ...] with `axes` spatial axes.
LayerPlan planConv(const PlanRequest& request, int axes);
std::unique_ptr<Layer> makeConv(const PlanRequest& request, int axes);

/// The same for its gradient as a layer: output_padding, but no padding_mode.
ParamSchema convTransposeSchema(int axes);
LayerPlan planConvTranspose(const PlanRequest& request, int axes);
std::unique_ptr<Layer> makeConvTranspose(const PlanRequest& request, int axes);

}  // namespace tenon
