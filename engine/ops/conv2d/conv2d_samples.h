// SPDX-License-Identifier: Apache-2.0
// Test samples of the convolution operators.
#pragma once

#include <vector>

#include "engine/ops/op_def.h"

namespace tenon {

std::vector<OpSample> conv2dSamples();
std::vector<OpSample> conv2dBackwardDataSamples();
std::vector<OpSample> conv2dBackwardWeightSamples();

}  // namespace tenon
