// SPDX-License-Identifier: Apache-2.0
// What Adam and AdamW share: everything but how weights decay.
#pragma once

#include "engine/optim/optimizer_def.h"

namespace tenon {

/// lr, beta1, beta2, eps, weight_decay, decay_norm_and_bias.
ParamSchema adamSchema(double weightDecay);
/// @param decoupled true: AdamW (weights shrink apart from the gradient); false: Adam with L2.
std::unique_ptr<Optimizer> makeAdam(const ParamMap& params,
                                    std::vector<OptimizedParameter> parameters, bool decoupled);

}  // namespace tenon
