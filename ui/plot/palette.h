// SPDX-License-Identifier: GPL-3.0-or-later
// Colours and dash patterns of all charts: one plain value a chart is given, never looked up.
#pragma once

#include <QColor>
#include <QList>

namespace tenon::ui {

/// Every colour a chart paints with. A chart that is given another theme repaints completely, so
/// that it equals one that started with it.
struct PlotTheme {
  QColor surface;      ///< Background of the chart.
  QColor raised;       ///< Background of readouts and chips.
  QColor sunken;       ///< Background of bar tracks.
  QColor hairline;     ///< Grid and frames.
  QColor fieldBorder;  ///< Axis lines and ticks.
  QColor text;         ///< Titles and values.
  QColor secondary;    ///< Axis numbers, names, notes.
  QColor accent;       ///< Focus ring and cursor; never a series.
  QColor accentText;   ///< Text on accent.
  QColor selection;    ///< Selected range.
  QColor good;
  QColor bad;
  QColor warn;
  QList<QColor> series;  ///< The series colours in order.

  static PlotTheme dark();
  static PlotTheme light();

  /// The colour of a run: stable for its index, repeating after series.size() (negative:
  /// secondary).
  QColor seriesColour(int run) const;

  bool operator==(const PlotTheme&) const = default;
};

/// The dash pattern of a run in pen widths (empty: solid). Runs whose colour comes round a second
/// time differ by dashes; validation is dashed always.
QList<qreal> seriesDash(int run, bool validation);

/// `share` (0..1) of `over` on `under`, as one opaque colour: opaque pens draw several times
/// faster.
QColor blend(const QColor& over, const QColor& under, double share);

}  // namespace tenon::ui
