// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that a run was trained with, for comparisons.
#pragma once

#include <string>

namespace tenon {
struct RunInfo;
}

namespace tenon::ui {

/// A run's settings as a run of today would keep them: what a definition has got since has its
/// default, so that it is no difference. As they are stored where they cannot be read.
std::string settingsToday(const RunInfo& run);

}  // namespace tenon::ui
