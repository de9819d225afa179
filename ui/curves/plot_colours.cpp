// SPDX-License-Identifier: GPL-3.0-or-later
// Token by token from the window's theme to a plot's.
#include "ui/curves/plot_colours.h"

namespace tenon::ui {

PlotTheme plotThemeOf(const Theme& theme) {
  PlotTheme plot;
  plot.surface = theme.surface;
  plot.raised = theme.raised;
  plot.sunken = theme.sunken;
  plot.hairline = theme.hairline;
  plot.fieldBorder = theme.fieldBorder;
  plot.text = theme.text;
  plot.secondary = theme.secondary;
  plot.accent = theme.accent;
  plot.accentText = theme.accentText;
  plot.selection = theme.selection;
  plot.good = theme.good;
  plot.bad = theme.bad;
  plot.warn = theme.warn;
  plot.series = QList<QColor>(theme.series.begin(), theme.series.end());
  return plot;
}

}  // namespace tenon::ui
