// SPDX-License-Identifier: Apache-2.0
// Batch normalization as a layer, over zero to three spatial axes (Ioffe and Szegedy 2015,
// arXiv:1502.03167).
#pragma once

#include "engine/layers/planning.h"

namespace tenon {

/// momentum, cumulative, eps, affine.
ParamSchema batchNormSchema();
/// Over [N, C, ...] with `axes` spatial axes; with one axis also over [N, C].
LayerPlan planBatchNorm(const PlanRequest& request, int axes);
std::unique_ptr<Layer> makeBatchNorm(const PlanRequest& request, int axes);

/// How much of a new batch enters running statistics.
ParamSpec momentumParam();
/// Whether a normalization has learned numbers to scale and shift its channels.
ParamSpec affineParam(bool value);
/// Adds "running_mean" and "running_var" of a layer's channels and "num_batches_tracked" (i64, no
/// axes), which are not trained.
void addRunningStatistics(int64_t channels, LayerPlan& plan);

}  // namespace tenon
