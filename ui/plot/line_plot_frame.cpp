// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a LinePlot's picture, when it is due and at the pixels it is for.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/plot/line_plot_impl.h"
#include "ui/plot/number_text.h"

namespace tenon::ui {

namespace {

constexpr int kHeader = 28;
constexpr int kTitleLeft = 12;
constexpr int kTitleGap = 8;
constexpr int kFillAlpha = 40;
constexpr int kPixelsPerDot = 14;  // curves with fewer points than that get dots

}  // namespace

void LinePlot::Impl::invalidate() {
  frameDirty = true;
  q->update();
}

void LinePlot::Impl::newData() {
  dataPending = true;
  if (!q->isVisible() || timer.isActive()) return;
  const auto interval = static_cast<qint64>(1000 / rate);
  const qint64 waited = sinceData.isValid() ? sinceData.elapsed() : interval;
  if (waited >= interval) {
    drawNewData();
  } else {
    timer.start(static_cast<int>(interval - waited));
  }
}

void LinePlot::Impl::drawNewData() {
  if (!dataPending || !q->isVisible()) return;
  dataPending = false;
  sinceData.start();
  invalidate();
}

void LinePlot::Impl::settleIfDue() {
  if (frameDirty) settle();
}

QFont LinePlot::Impl::fontOf(double points) const {
  QFont font = q->font();
  font.setPointSizeF(points);
  return font;
}

void LinePlot::Impl::styleCanvas(PlotCanvas& target) const {
  target.setTheme(theme, digitsFont(fontOf(9)));
}

QString LinePlot::Impl::valueAxisText() const {
  QString text = valueName == title ? QString() : valueName;
  if (!valueUnit.isEmpty()) text = text.isEmpty() ? valueUnit : tr("%1 (%2)").arg(text, valueUnit);
  const QString note = noteText();
  if (note.isEmpty()) return text;
  return text.isEmpty() ? note : tr("%1, %2").arg(text, note);
}

// The part of its colour that a raw curve keeps behind its smooth one: less where many lie
// together.
double LinePlot::Impl::rawShare() const {
  const auto shown = std::count_if(curves.begin(), curves.end(),
                                   [](const auto& c) { return c->visible && !c->spec.validation; });
  return shown <= 2 ? 0.38 : shown <= 5 ? 0.26 : 0.16;
}

QString LinePlot::Impl::xName() const {
  if (axis == XAxis::Step) return tr("step");
  return axis == XAxis::Epoch ? tr("epoch") : tr("time");
}

int LinePlot::Impl::headerHeight() const {
  const bool keys = legendVisible && !curves.empty();
  return title.isEmpty() && valueAxisText().isEmpty() && !keys ? 0 : kHeader;
}

int LinePlot::Impl::titleWidth() const {
  int width = kTitleLeft;
  if (!title.isEmpty()) {
    width += QFontMetrics(fontOf(10)).horizontalAdvance(title) + kTitleGap;
  }
  const QString axisText = valueAxisText();
  if (!axisText.isEmpty()) {
    width += QFontMetrics(fontOf(9)).horizontalAdvance(axisText) + kTitleGap;
  }
  return width;
}

QString LinePlot::Impl::noteText() const {
  if (scale != YScale::Log) return {};
  for (const auto& curve : curves) {
    if (!curve->visible) continue;
    const SeriesData& data = *curve->spec.data;
    const Extent extent =
        data.extent(data.lowerBound(axis, x.lower), data.upperBound(axis, x.upper));
    if (!extent.empty() && extent.min <= 0) return tr("values \u2264 0 hidden");
  }
  return {};
}

CanvasCurve LinePlot::Impl::makeCurve(Curve& curve, const ColumnQuery& query) const {
  const SeriesData& data = *curve.spec.data;
  CanvasCurve drawn;
  drawn.colour = colourOf(curve);
  drawn.rawColour = blend(drawn.colour, theme.surface, rawShare());
  drawn.dash = dashOf(curve);
  drawn.steps = curve.spec.steps;
  data.columns(query, drawn.raw);
  data.marks(query, drawn.marks);
  if (smoothed(curve)) curve.smooth.columns(query, drawn.smooth);
  if (curve.spec.fill) {
    drawn.fillColour = drawn.colour;
    drawn.fillColour.setAlpha(kFillAlpha);
  }
  const std::size_t inView =
      data.upperBound(axis, query.upper) - data.lowerBound(axis, query.lower);
  // A single value makes no line, nor a step.
  drawn.dots = (!drawn.steps || inView == 1) &&
               inView * kPixelsPerDot <= static_cast<std::size_t>(query.columns);
  return drawn;
}

LinePlot::Impl::Picture LinePlot::Impl::makePicture(PlotCanvas& target, const QRect& area,
                                                    double ratio) {
  Picture made;
  made.header = QRect(area.left(), area.top(), area.width(), headerHeight());
  CanvasScene& scene = made.scene;
  scene.area = area.adjusted(0, made.header.height(), 0, 0);
  scene.x = x;
  scene.y = y;
  scene.logY = scale == YScale::Log;
  scene.axis = axis;
  scene.xName = xName();
  scene.axesVisible = hasPoints();
  made.plot = target.layout(scene);
  const ColumnQuery query{axis, x.lower, x.upper,
                          std::max(1, static_cast<int>(std::lround(made.plot.width() * ratio))),
                          scene.logY};
  for (const auto& curve : curves) {
    if (curve->visible && !curve->spec.data->empty()) {
      scene.curves.push_back(makeCurve(*curve, query));
    }
  }
  return made;
}

void LinePlot::Impl::rebuild() {
  settle();
  const double ratio = q->devicePixelRatioF();
  picture = makePicture(canvas, q->rect(), ratio);
  frame = QPixmap(q->size() * ratio);
  frame.setDevicePixelRatio(ratio);
  frame.fill(theme.surface);
  paintPicture(canvas, &frame, picture, false, false);
  frameDirty = false;
  dataPending = false;
  sinceData.start();
  ++renders;
  placeChildren();
  q->setAccessibleDescription(summaryText());
}

void LinePlot::Impl::paintPicture(PlotCanvas& target, QPaintDevice* device, const Picture& wanted,
                                  bool vector, bool withLegend) {
  target.paint(device, wanted.scene, vector, [&](QPainter& painter) {
    if (vector) painter.fillRect(wanted.header.united(wanted.scene.area), theme.surface);
    paintHeader(painter, wanted.header, withLegend);
  });
}

void LinePlot::Impl::paintHeader(QPainter& painter, const QRect& header, bool withLegend) const {
  if (header.isEmpty()) return;
  // Both texts stand on the baseline of the larger one.
  const QFontMetrics titleMetrics(fontOf(10));
  const int base =
      header.top() + (header.height() + titleMetrics.ascent() - titleMetrics.descent()) / 2;
  int left = header.left() + kTitleLeft;
  if (!title.isEmpty()) {
    painter.setFont(fontOf(10));
    painter.setPen(theme.text);
    painter.drawText(QPoint(left, base), title);
    left += titleMetrics.horizontalAdvance(title) + kTitleGap;
  }
  painter.setFont(fontOf(9));
  painter.setPen(theme.secondary);
  painter.drawText(QPoint(left, base), valueAxisText());
  if (!withLegend) return;
  const QRect row = header.adjusted(titleWidth(), 0, -kTitleLeft, 0);
  LegendBar::paint(painter, row, fontOf(9), legendEntries(), theme);
}

void LinePlot::Impl::placeChildren() {
  const int left = titleWidth();
  legend->setFont(fontOf(9));
  legend->setGeometry(left, (kHeader - 24) / 2, std::max(0, q->width() - left - 4), 24);
  legend->setVisible(legendVisible && !curves.empty());
  chip->setFont(fontOf(9));
  const QSize size = chip->sizeHint();
  chip->setGeometry(
      QRect(QPoint(picture.plot.right() - size.width() - 3, picture.plot.top() + 4), size));
  const bool offer = !hasPoints() && emptyAction;
  emptyButton->setVisible(offer);
  if (!offer) return;
  // The menu that has the action has its letter, too.
  emptyButton->setText(emptyAction->text().remove(u'&'));
  emptyButton->setEnabled(emptyAction->isEnabled());
  const QSize button(emptyButton->sizeHint().width(), 28);
  emptyButton->setGeometry(
      QRect(QPoint((q->width() - button.width()) / 2, q->height() / 2 + 12), button));
}

}  // namespace tenon::ui
