// SPDX-License-Identifier: GPL-3.0-or-later
// The program's log: a rotating file and the newest lines in memory; Qt's messages go there too.
#pragma once

#include <QString>

#include "ui/shell/diagnostics.h"

namespace tenon {

/// Attaches the sinks to the process's log. Files are kept in `folder`.
ui::LogPlace startLogging(const QString& folder);

}  // namespace tenon
