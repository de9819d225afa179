// SPDX-License-Identifier: GPL-3.0-or-later
// Projects to look at: the sample with few images, with faults, and far too large.
#pragma once

#include <QString>

namespace tenon::screens {

/// The sample on `images` real training images and a third as many for validation: an epoch takes
/// seconds. Each function returns the folder it made below `parent`.
[[nodiscard]] QString writeSmallProject(const QString& parent, int images = 384);
/// A layer with a value out of range, one without a wire and a type nobody knows.
[[nodiscard]] QString writeFaultyProject(const QString& parent);
/// Runs that cannot be read: the store is no database. Else as writeSmallProject.
[[nodiscard]] QString writeUnreadableProject(const QString& parent);
/// Images that end too early, so that the data cannot be opened.
[[nodiscard]] QString writeDamagedProject(const QString& parent);
/// Hundreds of layers, class names nobody would choose, and 300 runs in the store.
[[nodiscard]] QString writeHugeProject(const QString& parent);

}  // namespace tenon::screens
