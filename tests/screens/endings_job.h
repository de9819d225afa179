// SPDX-License-Identifier: GPL-3.0-or-later
// How the real program ends when it is made to: by SIGTERM in a training, by a crash; and what its
// next start does.
#pragma once

#include <QString>

class QApplication;

namespace tenon::screens {

/// Starts bin/tenon on the project of `folder`, as often as it takes. Throws Failed at the first
/// thing that is not as it should be.
void endAndBeginAgain(QApplication& app, const QString& folder);

}  // namespace tenon::screens
