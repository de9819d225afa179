// SPDX-License-Identifier: Apache-2.0
// The one spelling of a setting's path.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/export.h"

namespace tenon {

/// A path as it may be written, "data.transforms[0].mean", in the one spelling that places of
/// issues, positions and settings have: "data.transforms.0.mean".
TENON_API std::string normalPath(std::string_view path);
/// True if both lead to one setting, however they are written; "train.optimizer" is
/// "train.optimizer.type".
TENON_API bool sameSetting(std::string_view a, std::string_view b);

}  // namespace tenon
