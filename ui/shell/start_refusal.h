// SPDX-License-Identifier: GPL-3.0-or-later
// A start that is refused before there is a window: what is wrong, in a box and on the terminal.
#pragma once

#include <QString>

namespace tenon::ui {

/// What is wrong with a variable of the environment; empty if all are well.
[[nodiscard]] QString badEnvironment();

/// Shows `reason` until it is closed; returns the exit code for a wrong use, 2 as with tenon-cli.
int refuseStart(const QString& reason);

}  // namespace tenon::ui
