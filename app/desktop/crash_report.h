// SPDX-License-Identifier: GPL-3.0-or-later
// A crash leaves a file with the backtrace; the next start offers it.
#pragma once

#include <QString>

namespace tenon {

/// Installs handlers for the signals of a crash; a report goes to a new file in `folder`. The
/// program then dies of the signal as it would have.
void watchForCrashes(const QString& folder);

/// The newest report in `folder` that was not given out yet; empty if there is none.
QString newestCrashReport(const QString& folder);

}  // namespace tenon
