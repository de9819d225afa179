// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of the walk, checked: each must find what is wrong on purpose and leave good alone.
#pragma once

namespace tenon::screens {

/// Throws Failed if a check misses a fault or reports one where there is none.
void checkTheChecks();

}  // namespace tenon::screens
