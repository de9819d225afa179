// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of curves over steps, epochs or time: live, zoomable, and the same speed at any length.
#pragma once

#include <QSize>
#include <QString>
#include <QWidget>
#include <memory>

#include "ui/plot/axis_range.h"
#include "ui/plot/palette.h"
#include "ui/plot/series_data.h"

class QAction;
class QMenu;

namespace tenon::ui {

class LinkGroup;

/// One curve of a plot.
struct CurveSpec {
  QString key;   ///< Stable name the caller knows it by; unique in the plot.
  QString name;  ///< Legend text.
  std::shared_ptr<const SeriesData> data;
  int run = 0;              ///< Chooses the colour (PlotTheme::seriesColour) and the dashes.
  bool validation = false;  ///< Same hue as the training curve of the run, dashed.
  bool steps = false;       ///< Holds each value until the next (learning rate).
  bool fill = false;        ///< Tinted down to zero (memory).
  bool smooth = true;       ///< Whether the plot's smoothing applies. Validation points are means
                            ///< over a whole set already and are never smoothed.
};

enum class YScale { Linear, Log };
/// Full shows every value; Robust the 2..98 % quantiles.
enum class YFit { Full, Robust };
/// What a person asked to save. File dialogs are the caller's.
enum class ExportKind { Png, Svg, Csv };

/// Curves over a common x-axis.
///
/// Follows new data until a person zooms; from then on new data never moves the view. Data is told
/// by dataChanged() and drawn at most refreshRate() times a second, never while hidden; input is
/// answered at once. Mouse: wheel zooms x at the pointer, Shift+wheel y, left drag selects an
/// x-range, middle or Space drag pans, double click fits and follows. Keys: arrows pan, + and -
/// zoom, 0 and Home fit.
class LinePlot : public QWidget {
  Q_OBJECT

 public:
  explicit LinePlot(QWidget* parent = nullptr);
  ~LinePlot() override;

  void setTheme(const PlotTheme& theme);
  const PlotTheme& theme() const;
  void setTitle(const QString& title);
  QString title() const;
  /// Name and unit of the y-axis; either may be empty.
  void setValueAxis(const QString& name, const QString& unit = {});
  /// What to say, instead of axes, while there are no points.
  void setEmptyText(const QString& text);
  /// An action offered below the empty text (not owned; nullptr: none).
  void setEmptyAction(QAction* action);

  /// Adds a curve at the end, or replaces the one with the same key in its place.
  void setCurve(const CurveSpec& curve);
  void removeCurve(const QString& key);
  void clearCurves();
  /// Keys in drawing order.
  QStringList curves() const;
  void setCurveVisible(const QString& key, bool visible);
  bool isCurveVisible(const QString& key) const;
  /// Shows this curve alone; a second time shows all again.
  void isolateCurve(const QString& key);

  void setXAxis(XAxis axis);
  XAxis xAxis() const;
  void setYScale(YScale scale);
  YScale yScale() const;
  void setYFit(YFit fit);
  YFit yFit() const;
  /// Keeps these values in sight when fitting (0 and 1 for a share, say).
  void setYInclude(double lower, double upper);
  /// Weight of the past in the smoothed curve, 0 (off) to 0.999.
  void setSmoothing(double decay);
  double smoothing() const;
  /// Hides the legend where a caller shows a common one.
  void setLegendVisible(bool visible);

  /// Points were appended: redraw soon.
  void dataChanged();
  /// Redraws a second for new data (default 2).
  void setRefreshRate(double perSecond);
  double refreshRate() const;

  bool isFollowing() const;
  AxisRange xRange() const;
  AxisRange yRange() const;
  /// Zooms to a range; following stops.
  void setXRange(AxisRange range);
  void setYRange(AxisRange range);
  /// Shows everything and follows new data.
  void fitAndFollow();
  /// The axis rectangle in widget coordinates.
  QRect plotArea() const;
  /// The note shown beside the title ("values <= 0 hidden"), empty if none.
  QString note() const;
  /// What a screen reader says: last, lowest, highest value and trend of each visible curve.
  QString summary() const;
  /// The readout at an x, one line a row; what the hover shows.
  QStringList readout(double x) const;
  /// Times the curves were drawn, for tests and profiling.
  int renderCount() const;

  /// The plot as an image of `size` (logical) at `ratio` device pixels, without hover and chips.
  QImage image(QSize size, double ratio) const;
  void copyImage() const;
  /// @return an empty text, or why the file could not be written.
  QString exportPng(const QString& path, double ratio = 2) const;
  QString exportSvg(const QString& path) const;
  /// Columns series, step, epoch, time_s, value, smoothed; all points of the visible curves.
  QString exportCsv(const QString& path) const;
  /// Fills a menu with what the context menu offers.
  void addActionsTo(QMenu* menu);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void exportRequested(tenon::ui::ExportKind kind);
  void followingChanged(bool following);
  void xRangeChanged(double lower, double upper);
  void curveVisibilityChanged(const QString& key, bool visible);
  /// The pointer stands at x on the axis (or has left).
  void hovered(double x);
  void hoverLeft();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  friend class LinkGroup;
  class Impl;
  std::unique_ptr<Impl> d_;
};

}  // namespace tenon::ui
