// SPDX-License-Identifier: Apache-2.0
// A length of time in words.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/export.h"

namespace tenon {

/// "42 s", "4 min 05 s", "1 h 02 min" of microseconds: rounded to whole seconds first, and from an
/// hour on the seconds left over are dropped, so that no unit ever reaches 60.
TENON_API std::string durationText(int64_t us);

}  // namespace tenon
