// SPDX-License-Identifier: GPL-3.0-or-later
// The arrangement of a mode's docks: kept with a version, refused when it does not fit any more.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

class QMainWindow;
class QSettings;

namespace tenon::ui {

/// Raised when old arrangements should be forgotten.
inline constexpr int kArrangementVersion = 1;

/// Stores where the docks of `window` are under `key`.
void saveArrangement(const QMainWindow& window, QSettings& store, const QString& key);

/**
 * Brings the docks back. False, and nothing useful happened, if there is nothing stored, it is of
 * another version, it knows other docks than the window has, or it cannot be read; the caller then
 * makes the default. Floating docks that no screen shows any more come back into the window.
 */
[[nodiscard]] bool restoreArrangement(QMainWindow& window, const QSettings& store,
                                      const QString& key);

}  // namespace tenon::ui
