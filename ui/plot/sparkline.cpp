// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing of sparklines.
#include "ui/plot/sparkline.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/plot/number_text.h"

namespace tenon::ui {

namespace {

/// Lowest and highest of the finite values of a stretch; low > high if there is none.
struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Span spanOf(std::span<const double> values) {
  Span span;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    span.low = std::min(span.low, value);
    span.high = std::max(span.high, value);
  }
  return span;
}

/// At most two points a pixel: value against place in 0..count-1.
std::vector<QPointF> decimate(std::span<const double> values, int pixels) {
  std::vector<QPointF> points;
  const auto wanted = static_cast<std::size_t>(std::max(1, pixels));
  if (values.size() <= 2 * wanted) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      points.emplace_back(static_cast<double>(i), values[i]);
    }
    return points;
  }
  for (std::size_t column = 0; column < wanted; ++column) {
    const std::size_t first = values.size() * column / wanted;
    const std::size_t last = values.size() * (column + 1) / wanted;
    const Span span = spanOf(values.subspan(first, last - first));
    const double middle = static_cast<double>(first + last - 1) / 2;
    const bool empty = span.low > span.high;
    points.emplace_back(middle, empty ? std::nan("") : span.low);
    if (!empty) points.emplace_back(middle, span.high);
  }
  return points;
}

}  // namespace

void paintSparkline(QPainter& painter, const QRectF& area, std::span<const double> values,
                    const QColor& colour) {
  const Span span = spanOf(values);
  if (span.low > span.high || area.width() < 4 || area.height() < 4) return;
  const QRectF inner = area.adjusted(1, 2, -3, -2);  // room for the dot at the end
  const double count = std::max(1.0, static_cast<double>(values.size() - 1));
  const auto place = [&](const QPointF& p) {
    const double share = span.high > span.low ? (p.y() - span.low) / (span.high - span.low) : 0.5;
    return QPointF(inner.left() + p.x() / count * inner.width(),
                   inner.bottom() - share * inner.height());
  };
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour, 1.25));
  QPolygonF line;
  QPointF last;
  const auto flush = [&] {
    if (line.size() > 1) painter.drawPolyline(line);
    if (!line.isEmpty()) last = line.last();
    line.clear();
  };
  for (const QPointF& point : decimate(values, static_cast<int>(inner.width()))) {
    std::isfinite(point.y()) ? line.append(place(point)) : flush();
  }
  flush();
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawEllipse(last, 2, 2);
  painter.restore();
}

Sparkline::Sparkline(QWidget* parent) : QWidget(parent) { describe(); }

void Sparkline::setValues(const QList<double>& values) {
  values_ = values;
  describe();
  update();
}

void Sparkline::setTheme(const PlotTheme& theme) {
  theme_ = theme;
  update();
}

void Sparkline::setRun(int run) {
  run_ = run;
  update();
}

QSize Sparkline::sizeHint() const { return {96, 24}; }

QSize Sparkline::minimumSizeHint() const { return {32, 16}; }

void Sparkline::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintSparkline(painter, rect(), {values_.constData(), static_cast<std::size_t>(values_.size())},
                 theme_.seriesColour(run_));
}

void Sparkline::describe() {
  const Span span = spanOf({values_.constData(), static_cast<std::size_t>(values_.size())});
  setAccessibleName(tr("Sparkline"));
  setAccessibleDescription(
      span.low > span.high
          ? tr("No values")
          : tr("%n values, last %1, minimum %2, maximum %3", nullptr,
               static_cast<int>(values_.size()))
                .arg(metricText(values_.last()), metricText(span.low), metricText(span.high)));
}

}  // namespace tenon::ui
