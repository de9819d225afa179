// SPDX-License-Identifier: Apache-2.0
// Test samples of the linear operators.
#pragma once

#include <vector>

#include "engine/ops/op_def.h"

namespace tenon {

std::vector<OpSample> linearSamples();
std::vector<OpSample> linearReluSamples();
std::vector<OpSample> linearBackwardInputSamples();
std::vector<OpSample> linearBackwardWeightSamples();

}  // namespace tenon
