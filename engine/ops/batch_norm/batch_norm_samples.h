// SPDX-License-Identifier: Apache-2.0
// Test samples of the batch norm operators.
#pragma once

#include <vector>

#include "engine/ops/op_def.h"

namespace tenon {

std::vector<OpSample> batchNormSamples();
std::vector<OpSample> batchNormEvalSamples();
std::vector<OpSample> batchNormBackwardSamples();
std::vector<OpSample> batchNormUpdateSamples();

}  // namespace tenon
