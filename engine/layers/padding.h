// SPDX-License-Identifier: Apache-2.0
// What stands outside an image, as layers that pad offer it.
#pragma once

#include "engine/layers/planning.h"
#include "engine/ops/arrange/arrange.h"

namespace tenon {

/// Choice "zeros", "reflect", "replicate" or "circular".
ParamSpec padModeParam(std::string name);
PadMode padMode(const ParamMap& params, std::string_view name);
/// True if so many elements can be added to one side of an axis; else adds an issue at `field`.
bool padFits(PadMode mode, int64_t padding, int64_t size, const std::string& field,
             LayerPlan& plan);

}  // namespace tenon
