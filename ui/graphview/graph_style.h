// SPDX-License-Identifier: GPL-3.0-or-later
// Colours and measures of the canvas, so that it needs to know no theme.
#pragma once

#include <QColor>
#include <array>

class QPalette;

namespace tenon::ui {

struct GraphStyle {
  QColor ground;  ///< canvas
  QColor grid;    ///< dots of the canvas
  QColor node;    ///< box
  QColor border;
  QColor text;
  QColor secondary;
  QColor wire;
  QColor accent;
  QColor bad;
  QColor selection;
  std::array<QColor, 8> families;

  bool operator==(const GraphStyle&) const = default;

  /// From a palette alone, for views nobody styled.
  [[nodiscard]] static GraphStyle fromPalette(const QPalette& palette);

  /// From theme tokens (ui/widgets/theme.h Theme; a template because this room knows Qt only).
  template <class Tokens>
  [[nodiscard]] static GraphStyle fromTheme(const Tokens& t) {
    return {t.sunken,      t.hairline, t.raised, t.fieldBorder, t.text,  t.secondary,
            t.fieldBorder, t.accent,   t.bad,    t.selection,   t.series};
  }
};

namespace canvas {
inline constexpr double kNodeWidth = 180;
inline constexpr double kNodeHeight = 48;
inline constexpr double kFamilyBar = 3;
inline constexpr double kPort = 8;
inline constexpr double kPortHit = 24;
inline constexpr double kCorner = 6;
inline constexpr double kFullDetail = 0.7;  ///< zoom above which everything is drawn
inline constexpr double kNamesOnly = 0.35;  ///< below it, filled boxes and straight lines
inline constexpr double kMinZoom = 0.02;
inline constexpr double kMaxZoom = 4.0;
inline constexpr int kRestMs = 120;  ///< full quality this long after the last movement
}  // namespace canvas

}  // namespace tenon::ui
