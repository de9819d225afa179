// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of all tracks: one plain value a track is given, never looked up.
#pragma once

#include <QColor>
#include <QString>

namespace tenon::ui {

/// Every colour a track paints with, beside those of its categories.
struct TrackTheme {
  QColor surface;      ///< Background; also the line between blocks.
  QColor raised;       ///< Background of the readout.
  QColor hairline;     ///< Grid and frames.
  QColor fieldBorder;  ///< Ticks.
  QColor text;
  QColor secondary;  ///< Axis numbers and notes.
  QColor accent;     ///< Cursor, selected block, focus.

  static TrackTheme dark();
  static TrackTheme light();
  bool operator==(const TrackTheme&) const = default;
};

/// A category of blocks: its name and colour, by index.
struct TrackCategory {
  QString name;
  QColor colour;
  bool operator==(const TrackCategory&) const = default;
};

}  // namespace tenon::ui
