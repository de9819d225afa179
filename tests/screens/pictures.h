// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every mode, for a person's eye.
#pragma once

#include <QString>

namespace tenon::screens {

class Stage;

/// Writes PNGs of the whole screen into a folder: THEME-STATE-PLACE.png for the states empty,
/// loading, running, done, faulty and huge, and for menus and dialogs. The stage holds a small
/// project without runs.
void takePictures(Stage& stage, const QString& folder);

/// One picture of the screen as it stands.
void keepPicture(const QString& file);

}  // namespace tenon::screens
