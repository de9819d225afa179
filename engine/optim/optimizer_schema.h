// SPDX-License-Identifier: Apache-2.0
// Parameters that many optimizers have, so that they read alike in file, form and help.
#pragma once

#include "engine/schema/param_schema.h"

namespace tenon {

/// "lr", the peak learning rate.
ParamSpec rateParam(double value);
/// "weight_decay" with help for L2 or for decay apart from the gradient.
ParamSpec decayParam(double value);
/// Adam's "beta1", "beta2" and "eps".
ParamSpec beta1Param(double value = 0.9);
ParamSpec beta2Param(double value = 0.999);
ParamSpec epsParam(double value = 1e-8);
/// "decoupled": weight decay apart from the gradient.
ParamSpec decoupledParam();

/// The parameters given, and what every optimizer has: decay_norm_and_bias, groups.
ParamSchema optimizerSchema(std::vector<ParamSpec> own);

}  // namespace tenon
