// SPDX-License-Identifier: Apache-2.0
// What Adam and AdamW share: everything but how weights decay.
#pragma once

#include "engine/optim/optimizer_def.h"

namespace tenon {

/// lr, weight_decay, beta1, beta2, eps, amsgrad and what every optimizer has.
ParamSchema adamSchema(double weightDecay);
/// @param decoupled true: AdamW (weights shrink apart from the gradient); false: Adam with L2.
std::unique_ptr<Optimizer> makeAdam(const ParamMap& params,
                                    std::vector<OptimizedParameter> parameters, bool decoupled);

}  // namespace tenon
