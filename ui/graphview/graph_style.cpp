// SPDX-License-Identifier: GPL-3.0-or-later
// Canvas colours from a palette alone.
#include "ui/graphview/graph_style.h"

#include <QPalette>

namespace tenon::ui {

GraphStyle GraphStyle::fromPalette(const QPalette& palette) {
  const bool dark = palette.color(QPalette::Window).lightness() < 128;
  GraphStyle style;
  style.ground = palette.color(QPalette::Shadow);
  style.grid = palette.color(QPalette::Mid);
  style.node = palette.color(QPalette::Base);
  style.border = palette.color(QPalette::Dark);
  style.text = palette.color(QPalette::Text);
  style.secondary = palette.color(QPalette::PlaceholderText);
  style.wire = palette.color(QPalette::Dark);
  style.accent = palette.color(QPalette::Link);
  style.bad = palette.color(QPalette::BrightText);
  style.selection = palette.color(QPalette::Highlight);
  if (dark) {
    style.families = {0xFF6CB4EE, 0xFFF28E5C, 0xFF5CC8A1, 0xFFD58BD8,
                      0xFFC9C24A, 0xFF8FA3FF, 0xFFF27FA0, 0xFFA8B0B8};
  } else {
    style.families = {0xFF0F6CB6, 0xFFC4501B, 0xFF0B8464, 0xFF9A3FA0,
                      0xFF7E7400, 0xFF4A55C8, 0xFFB8325F, 0xFF5B636B};
  }
  return style;
}

}  // namespace tenon::ui
