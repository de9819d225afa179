// SPDX-License-Identifier: GPL-3.0-or-later
// A curve the size of a word, for table cells and lists.
#pragma once

#include <QList>
#include <QRectF>
#include <QWidget>
#include <span>

#include "ui/plot/palette.h"

class QPainter;

namespace tenon::ui {

/// Draws `values` left to right into `area`, lowest to highest value over its height, the last one
/// as a dot. NaN leaves a gap; nothing finite draws nothing. Any number of values.
void paintSparkline(QPainter& painter, const QRectF& area, std::span<const double> values,
                    const QColor& colour);

/// A sparkline as a widget.
class Sparkline : public QWidget {
  Q_OBJECT

 public:
  explicit Sparkline(QWidget* parent = nullptr);
  void setValues(const QList<double>& values);
  const QList<double>& values() const { return values_; }
  void setTheme(const PlotTheme& theme);
  /// Index of the series colour.
  void setRun(int run);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void describe();

  QList<double> values_;
  PlotTheme theme_ = PlotTheme::light();
  int run_ = 0;
};

}  // namespace tenon::ui
