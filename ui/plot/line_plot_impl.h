// SPDX-License-Identifier: GPL-3.0-or-later
// What LinePlot keeps to itself: curves, view, frame, hover and drag.
#pragma once

#include <QElapsedTimer>
#include <QFont>
#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QPixmap>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <optional>
#include <vector>

#include "ui/keys/own_keys.h"
#include "ui/plot/chip_button.h"
#include "ui/plot/legend_bar.h"
#include "ui/plot/line_plot.h"
#include "ui/plot/plot_canvas.h"
#include "ui/plot/plot_readout.h"
#include "ui/plot/smoothed_series.h"

class QAction;

namespace tenon::ui {

class LinePlot::Impl {
 public:
  struct Curve {
    CurveSpec spec;
    SmoothedSeries smooth;
    bool visible = true;
  };
  struct Drag {
    enum class Kind { None, Select, Pan };
    Kind kind = Kind::None;
    QPointF from;
    QPointF to;
    AxisRange x;
    AxisRange y;
  };
  /// Title row and curves of a picture of some size.
  struct Picture {
    QRect header;
    CanvasScene scene;
    QRect plot;
  };

  explicit Impl(LinePlot* plot);

  // Curves (line_plot.cpp)
  Curve* find(const QString& key);
  const Curve* find(const QString& key) const;
  QColor colourOf(const Curve& curve) const;
  QList<qreal> dashOf(const Curve& curve) const;
  bool smoothed(const Curve& curve) const {
    return decay > 0 && curve.spec.smooth && !curve.spec.validation;
  }
  QList<LegendEntry> legendEntries() const;
  void setVisible(Curve& curve, bool visible);
  void isolate(const QString& key);
  void legendToggled(const QString& key);
  void legendIsolated(const QString& key, bool afterClick);
  void curvesChanged();
  void contentChanged();

  // View (line_plot_view.cpp)
  std::optional<AxisRange> ownX() const;
  std::optional<AxisRange> dataX() const;
  void fit();
  void fitY();
  std::optional<AxisRange> dataY() const;
  std::optional<AxisRange> curveY(const Curve& curve) const;
  void settle();
  void setFollowing(bool on);
  void zoomX(double at, double factor);
  void zoomY(double at, double factor);
  void panX(double share);
  void panY(double share);
  void userX(AxisRange range);
  void userY(AxisRange range);
  void linkedX(AxisRange range, bool follow);
  void tellX();
  bool hasPoints() const;

  // Frame (line_plot_frame.cpp)
  void invalidate();
  void newData();
  void drawNewData();
  void settleIfDue();
  void rebuild();
  Picture makePicture(PlotCanvas& canvas, const QRect& area, double ratio);
  CanvasCurve makeCurve(Curve& curve, const ColumnQuery& query) const;
  void paintPicture(PlotCanvas& canvas, QPaintDevice* device, const Picture& picture, bool vector,
                    bool withLegend);
  void paintHeader(QPainter& painter, const QRect& header, bool withLegend) const;
  int titleWidth() const;
  int headerHeight() const;
  QString valueAxisText() const;
  double rawShare() const;
  QString xName() const;
  void placeChildren();
  QString noteText() const;
  QFont fontOf(double points) const;
  void styleCanvas(PlotCanvas& canvas) const;

  // Overlay (line_plot_overlay.cpp)
  void paintOverlay(QPainter& painter);
  void paintEmpty(QPainter& painter);
  void paintHover(QPainter& painter);
  void paintDots(QPainter& painter, double x);
  QPoint placeReadout(QSize size, double pixel) const;
  void paintReadout(QPainter& painter, double x, double pixel);
  void paintSelection(QPainter& painter);
  Readout readoutAt(double x);
  QString summaryText() const;
  double xToPixel(double x) const;
  double yToPixel(double y) const;
  double pixelToX(double pixel) const;
  double pixelToY(double pixel) const;
  void hoverAt(const QPointF& position);
  void hoverOut();
  void setLinkedHover(std::optional<double> x);

  // Input (line_plot_input.cpp)
  void buildKeys();
  bool handleKey(int key, Qt::KeyboardModifiers modifiers);
  static bool isPlotKey(int key);
  void finishDrag();
  void updateCursor();

  LinePlot* q;
  PlotTheme theme = PlotTheme::light();
  QString title;
  QString valueName;
  QString valueUnit;
  OwnKeys keys{*q};
  QString emptyText;
  QPointer<QAction> emptyAction;
  std::vector<std::unique_ptr<Curve>> curves;
  QHash<QString, bool> visibleBeforeClick;

  XAxis axis = XAxis::Step;
  YScale scale = YScale::Linear;
  YFit yFit = YFit::Full;
  std::optional<AxisRange> include;
  double decay = 0;
  bool legendVisible = true;

  bool following = true;
  bool yLocked = false;
  bool yFitDue = true;
  AxisRange x;
  AxisRange y;
  LinkGroup* group = nullptr;

  PlotCanvas canvas;
  Picture picture;
  QPixmap frame;
  bool frameDirty = true;
  bool dataPending = false;
  double rate = 2;
  QTimer timer;
  QElapsedTimer sinceData;
  int renders = 0;

  std::optional<QPointF> pointer;
  std::optional<double> linkedHover;
  Drag drag;
  bool spaceDown = false;
  bool keyboardFocus = false;

  LegendBar* legend;
  ChipButton* chip;
  QPushButton* emptyButton;
};

}  // namespace tenon::ui
