// SPDX-License-Identifier: GPL-3.0-or-later
// Axes, grid and curves on a paint device: the one place that knows QCustomPlot.
#pragma once

#include <QFont>
#include <QPointF>
#include <QRect>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "ui/plot/axis_ticks.h"
#include "ui/plot/palette.h"

class QPainter;
class QPaintDevice;

namespace tenon::ui {

/// A curve ready to be drawn: points as SeriesData::columns gives them, and its pens.
struct CanvasCurve {
  std::vector<QPointF> raw;
  std::vector<QPointF> smooth;  ///< Empty: only the raw curve.
  std::vector<double> marks;    ///< x of NaN and infinite values.
  QColor rawColour;
  QColor colour;
  QColor fillColour;  ///< Invalid: not filled.
  QList<qreal> dash;  ///< In pen widths; empty: solid.
  bool steps = false;
  bool dots = false;  ///< Marks each raw point, for curves of few points.
};

/// Everything in a picture of a plot but title and legend.
struct CanvasScene {
  QRect area;  ///< Where axes, numbers and curves go, in device-independent pixels.
  AxisRange x;
  AxisRange y;
  bool logY = false;
  XAxis axis = XAxis::Step;
  QString xName;
  bool axesVisible = true;
  std::vector<CanvasCurve> curves;
};

/// Draws scenes. Not a widget: what is drawn is kept by the caller as a picture.
class PlotCanvas {
 public:
  PlotCanvas();
  ~PlotCanvas();

  void setTheme(const PlotTheme& theme, const QFont& numberFont);
  /// Places axes and numbers for the scene's area and ranges.
  /// @return the rectangle of the curves, in the coordinates of the area.
  QRect layout(const CanvasScene& scene);
  /// Draws the scene laid out last. With `vector`, one-device-pixel pens become one unit wide.
  /// `before` paints what goes below, with the same painter.
  void paint(QPaintDevice* device, const CanvasScene& scene, bool vector,
             const std::function<void(QPainter&)>& before);

 private:
  class Impl;
  std::unique_ptr<Impl> d_;
};

}  // namespace tenon::ui
