// SPDX-License-Identifier: Apache-2.0
// Settings of optimizers and schedules, given by name.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/schema/param_map.h"

namespace tenon::parity {

/// @throws std::runtime_error naming what is no value of a parameter.
ParamMap paramsIn(const nlohmann::json& json);

}  // namespace tenon::parity
