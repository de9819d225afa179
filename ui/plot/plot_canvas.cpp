// SPDX-License-Identifier: GPL-3.0-or-later
// Draws scenes with QCustomPlot, used as a painter of axes and graphs and never shown.
#include "ui/plot/plot_canvas.h"

// The library's header is written with Qt's short keywords.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#define emit
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
#undef emit

namespace tenon::ui {

namespace {

constexpr int kLeastLeft = 48;  // plots in a column line up unless their numbers are longer
constexpr int kTopMargin = 8;
constexpr int kRightMargin = 12;

/// A ticker that shows the ticks it is given.
class GivenTicker : public QCPAxisTicker {
 public:
  AxisTicks given;
  void generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks,
                QVector<double>* subTicks, QVector<QString>* tickLabels) override {
    ticks = QVector<double>(given.major.begin(), given.major.end());
    if (subTicks) *subTicks = QVector<double>(given.minor.begin(), given.minor.end());
    if (tickLabels) *tickLabels = QVector<QString>(given.labels.begin(), given.labels.end());
  }
};

/// Opens what the drawing needs of the library's protected parts.
class Sheet : public QCustomPlot {
 public:
  using QCustomPlot::draw;
  using QCustomPlot::updateLayout;
};

/// Draws its line as separate segments: smooth edges cost a seventh of what a joined line takes.
class SegmentGraph : public QCPGraph {
 public:
  using QCPGraph::QCPGraph;

 protected:
  void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override {
    const bool vector = painter->modes().testFlag(QCPPainter::pmVectorized);
    if (vector || painter->pen().style() != Qt::SolidLine) {
      QCPGraph::drawLinePlot(painter, lines);
      return;
    }
    QVector<QLineF> segments;
    segments.reserve(lines.size());
    for (qsizetype i = 1; i < lines.size(); ++i) {
      const QLineF segment(lines[i - 1], lines[i]);
      if (!qIsNaN(segment.y1()) && !qIsNaN(segment.y2())) segments.append(segment);
    }
    applyDefaultAntialiasingHint(painter);
    painter->drawLines(segments);
  }
};

QCPRange rangeOf(AxisRange range) { return {range.lower, range.upper}; }

}  // namespace

class PlotCanvas::Impl {
 public:
  Impl() : xTicker(new GivenTicker), yTicker(new GivenTicker) {
    sheet.setPlottingHints(QCP::phNone);
    sheet.setBackground(Qt::NoBrush);
    sheet.addLayer("raw", sheet.layer("main"), QCustomPlot::limAbove);
    sheet.addLayer("smooth", sheet.layer("raw"), QCustomPlot::limAbove);
    QCPAxisRect* rect = sheet.axisRect();
    rect->setMinimumMargins({kLeastLeft, kTopMargin, kRightMargin, 0});
    sheet.xAxis->setTicker(xTicker);
    sheet.yAxis->setTicker(yTicker);
    sheet.yAxis->setTickLengthIn(0);
    sheet.yAxis->setSubTicks(false);
    sheet.xAxis->setSubTicks(false);
    sheet.xAxis->setTickLengthIn(0);
    sheet.xAxis->setTickLengthOut(4);
    sheet.xAxis->setTickLabelPadding(3);
    sheet.yAxis->setTickLabelPadding(6);
    sheet.xAxis->setPadding(2);
    sheet.yAxis->setPadding(4);
    sheet.xAxis->grid()->setVisible(false);
  }

  void style() {
    const QPen line(theme.fieldBorder, 0), none(Qt::NoPen), hair(theme.hairline, 0);
    sheet.xAxis->setBasePen(line);
    sheet.xAxis->setTickPen(line);
    sheet.yAxis->setBasePen(none);
    sheet.yAxis->setTickPen(none);
    sheet.yAxis->setSubTickPen(none);
    sheet.yAxis->grid()->setPen(hair);
    sheet.yAxis->grid()->setZeroLinePen(hair);
    sheet.yAxis->grid()->setSubGridPen(QPen(blend(theme.hairline, theme.surface, 0.5), 0));
    for (QCPAxis* axis : {sheet.xAxis, sheet.yAxis}) {
      axis->setTickLabelFont(font);
      axis->setTickLabelColor(theme.secondary);
    }
    sheet.yAxis->grid()->setAntialiased(false);
    sheet.yAxis->grid()->setAntialiasedSubGrid(false);
    sheet.yAxis->grid()->setAntialiasedZeroLine(false);
  }

  QRect layout(const CanvasScene& scene) {
    sheet.setViewport(scene.area);
    for (QCPAxis* axis : {sheet.xAxis, sheet.yAxis}) axis->setVisible(scene.axesVisible);
    sheet.yAxis->grid()->setVisible(scene.axesVisible);
    sheet.yAxis->setScaleType(scene.logY ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    sheet.xAxis->setRange(rangeOf(scene.x));
    sheet.yAxis->setRange(rangeOf(scene.y));
    const int xCount = std::max(2, scene.area.width() / 100);
    const int yCount = std::max(2, scene.area.height() / 36);
    xTicker->given = xTicks(scene.axis, scene.x, xCount);
    yTicker->given = scene.logY ? logTicks(scene.y, yCount) : linearTicks(scene.y, yCount);
    sheet.yAxis->grid()->setSubGridVisible(!yTicker->given.minor.empty());
    sheet.updateLayout();
    thinOutValues();
    makeRoomForName(scene);
    return sheet.axisRect()->rect();
  }

  // In a low plot round values come closer than their numbers are high: some go without.
  void thinOutValues() {
    const double least = QFontMetricsF(font).height() * 0.9;
    AxisTicks& ticks = yTicker->given;
    double kept = 1e9;
    for (int i = 0; i < ticks.labels.size(); ++i) {
      const double at = sheet.yAxis->coordToPixel(ticks.major[static_cast<std::size_t>(i)]);
      if (kept - at < least) {
        ticks.labels[i].clear();
      } else {
        kept = at;
      }
    }
  }

  // The axis name stands at the right end of the numbers; those in its way go.
  void makeRoomForName(const CanvasScene& scene) {
    const QRect rect = sheet.axisRect()->rect();
    const QFontMetricsF metrics(font);
    const double free = rect.right() - metrics.horizontalAdvance(scene.xName) - 10;
    AxisTicks& ticks = xTicker->given;
    for (int i = 0; i < ticks.labels.size(); ++i) {
      const double at = sheet.xAxis->coordToPixel(ticks.major[static_cast<std::size_t>(i)]);
      const double half = metrics.horizontalAdvance(ticks.labels[i]) / 2;
      if (at + half > free) ticks.labels[i].clear();
    }
    sheet.updateLayout();
  }

  template <class Graph>
  QCPGraph* graph(std::vector<QCPGraph*>& pool, std::size_t index, const char* layer) {
    while (pool.size() <= index) {
      QCPGraph* made = new Graph(sheet.xAxis, sheet.yAxis);  // the sheet owns it
      made->setAdaptiveSampling(false);                      // the points are decimated already
      made->setLayer(QLatin1String(layer));
      pool.push_back(made);
    }
    return pool[index];
  }

  static void setPoints(QCPGraph* graph, const std::vector<QPointF>& points) {
    QSharedPointer<QCPGraphDataContainer> data = graph->data();
    QVector<QCPGraphData> rows;
    rows.reserve(static_cast<int>(points.size()));
    for (const QPointF& p : points) rows.append({p.x(), p.y()});
    data->set(rows, true);
  }

  static QPen penOf(const QColor& colour, double width, const QList<qreal>& dash) {
    QPen pen(colour, width);
    pen.setJoinStyle(Qt::BevelJoin);
    pen.setCapStyle(dash.isEmpty() ? Qt::SquareCap : Qt::FlatCap);
    if (!dash.isEmpty()) pen.setDashPattern(dash);
    return pen;
  }

  // Whether a line goes up and down so little that smooth edges cost little and show. A peak within
  // a column is not calm: it stands sharpest as whole pixels.
  bool isCalm(const std::vector<QPointF>& points) const {
    constexpr double kPeak = 12;
    const QRect rect = sheet.axisRect()->rect();
    double travel = 0;
    QPointF before(qQNaN(), 0);
    for (const QPointF& p : points) {
      if (std::isnan(p.y())) continue;
      const QPointF at(p.x(), sheet.yAxis->coordToPixel(p.y()));
      const double way = std::isnan(before.x()) ? 0 : std::abs(at.y() - before.y());
      if (at.x() == before.x() && way > kPeak) return false;
      travel += way;
      before = at;
    }
    return travel < 2 * (rect.width() + rect.height());
  }

  void drawRaw(QCPGraph* graph, const CanvasCurve& curve, bool vector) {
    // On a one-pixel pen dashes twice as long look like those of the two-pixel pen.
    QList<qreal> dash;
    for (const qreal length : curve.dash) dash.append(length * 2);
    const bool alone = curve.smooth.empty();
    const bool few = alone && curve.dots;
    const double width = few ? 2 : vector ? 1 : 0;
    graph->setPen(penOf(alone ? curve.colour : curve.rawColour, width,
                        few     ? curve.dash
                        : alone ? dash
                                : QList<qreal>{}));
    // Steps of less than three pixels are a slope.
    const bool steps =
        curve.steps && static_cast<int>(curve.raw.size()) * 3 < sheet.axisRect()->width();
    graph->setAntialiased(vector || (!steps && isCalm(curve.raw)));
    graph->setLineStyle(steps ? QCPGraph::lsStepLeft : QCPGraph::lsLine);
    graph->setBrush(curve.fillColour.isValid() ? QBrush(curve.fillColour) : QBrush(Qt::NoBrush));
    const QColor dotColour = alone ? curve.colour : curve.rawColour;
    graph->setScatterStyle(
        curve.dots ? QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(Qt::NoPen), QBrush(dotColour), 5)
                   : QCPScatterStyle(QCPScatterStyle::ssNone));
    graph->setAntialiasedScatters(true);
    setPoints(graph, curve.raw);
  }

  void drawSmooth(QCPGraph* graph, const CanvasCurve& curve) {
    graph->setPen(penOf(curve.colour, 2, curve.dash));
    graph->setAntialiased(true);
    graph->setLineStyle(curve.steps ? QCPGraph::lsStepLeft : QCPGraph::lsLine);
    graph->setBrush(Qt::NoBrush);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssNone));
    setPoints(graph, curve.smooth);
  }

  void setCurves(const CanvasScene& scene, bool vector) {
    std::size_t raw = 0, smooth = 0;
    for (const CanvasCurve& curve : scene.curves) {
      drawRaw(graph<QCPGraph>(rawGraphs, raw++, "raw"), curve, vector);
      if (curve.smooth.empty()) continue;
      drawSmooth(graph<SegmentGraph>(smoothGraphs, smooth++, "smooth"), curve);
    }
    for (std::size_t i = 0; i < rawGraphs.size(); ++i) rawGraphs[i]->setVisible(i < raw);
    for (std::size_t i = 0; i < smoothGraphs.size(); ++i) smoothGraphs[i]->setVisible(i < smooth);
  }

  void drawMarks(QPainter& painter, const CanvasScene& scene) {
    const QRect rect = sheet.axisRect()->rect();
    for (const CanvasCurve& curve : scene.curves) {
      for (const double x : curve.marks) {
        const double at = sheet.xAxis->coordToPixel(x);
        painter.fillRect(QRectF(at - 1, rect.bottom() - 7, 2, 8), theme.bad);
      }
    }
  }

  void drawName(QPainter& painter, const CanvasScene& scene) {
    if (!scene.axesVisible) return;
    const QRect rect = sheet.axisRect()->rect();
    painter.setFont(font);
    painter.setPen(theme.secondary);
    const QRect row(rect.left(), rect.bottom() + 1, rect.width(),
                    scene.area.bottom() - rect.bottom());
    painter.drawText(row.adjusted(0, 7, 0, 0), Qt::AlignRight | Qt::AlignTop, scene.xName);
  }

  Sheet sheet;
  QSharedPointer<GivenTicker> xTicker;
  QSharedPointer<GivenTicker> yTicker;
  std::vector<QCPGraph*> rawGraphs;
  std::vector<QCPGraph*> smoothGraphs;
  PlotTheme theme;
  QFont font;
};

PlotCanvas::PlotCanvas() : d_(std::make_unique<Impl>()) {}
PlotCanvas::~PlotCanvas() = default;

void PlotCanvas::setTheme(const PlotTheme& theme, const QFont& numberFont) {
  d_->theme = theme;
  d_->font = numberFont;
  d_->style();
}

QRect PlotCanvas::layout(const CanvasScene& scene) { return d_->layout(scene); }

void PlotCanvas::paint(QPaintDevice* device, const CanvasScene& scene, bool vector,
                       const std::function<void(QPainter&)>& before) {
  d_->setCurves(scene, vector);
  QCPPainter painter;
  if (!painter.begin(device)) return;
  if (before) before(painter);
  if (vector) painter.setMode(QCPPainter::pmVectorized);
  d_->sheet.draw(&painter);
  painter.setClipping(false);
  d_->drawMarks(painter, scene);
  d_->drawName(painter, scene);
  painter.end();
}

}  // namespace tenon::ui
