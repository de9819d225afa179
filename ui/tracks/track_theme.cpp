// SPDX-License-Identifier: GPL-3.0-or-later
// The two palettes of tracks, as the look of the workbench sets them.
#include "ui/tracks/track_theme.h"

namespace tenon::ui {

TrackTheme TrackTheme::dark() {
  return {QColor(0x1E1F22), QColor(0x27282C), QColor(0x3A3C42), QColor(0x70737C),
          QColor(0xE6E6E4), QColor(0xA9ABB0), QColor(0xE0A458)};
}

TrackTheme TrackTheme::light() {
  return {QColor(0xF7F6F4), QColor(0xFFFFFF), QColor(0xD6D3CD), QColor(0x8A867E),
          QColor(0x1F1F1D), QColor(0x5C5A55), QColor(0x9A5F12)};
}

}  // namespace tenon::ui
