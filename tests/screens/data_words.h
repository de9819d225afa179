// SPDX-License-Identifier: GPL-3.0-or-later
// Texts in the window that no translator may touch: a person's own names, files, keys.
#pragma once

#include <QStringList>

namespace tenon::screens {

class Stage;

/// By origin: project, classes, layers, runs, files, devices, keys of actions, and names that are
/// the same in every language. Longest first.
[[nodiscard]] QStringList dataWords(const Stage& stage);

}  // namespace tenon::screens
