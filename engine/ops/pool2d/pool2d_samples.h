// SPDX-License-Identifier: Apache-2.0
// Test samples of the pooling operators.
#pragma once

#include <vector>

#include "engine/ops/op_def.h"

namespace tenon {

std::vector<OpSample> maxPool2dSamples();
std::vector<OpSample> avgPool2dSamples();
std::vector<OpSample> avgPool2dBackwardSamples();
std::vector<OpSample> adaptiveAvgPool2dSamples();
std::vector<OpSample> adaptiveAvgPool2dBackwardSamples();

}  // namespace tenon
