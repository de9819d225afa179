// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over a LinePlot's curves: hover line, readout, selection, notes, and their texts.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/plot/line_plot_impl.h"
#include "ui/plot/link_group.h"
#include "ui/plot/number_text.h"
#include "ui/plot/series_summary.h"

namespace tenon::ui {

double LinePlot::Impl::xToPixel(double at) const {
  return picture.plot.left() + (at - x.lower) / x.size() * picture.plot.width();
}

double LinePlot::Impl::yToPixel(double at) const {
  const double share = scale == YScale::Log ? std::log(at / y.lower) / std::log(y.upper / y.lower)
                                            : (at - y.lower) / y.size();
  return picture.plot.bottom() - share * picture.plot.height();
}

double LinePlot::Impl::pixelToX(double pixel) const {
  return x.lower + (pixel - picture.plot.left()) / std::max(1, picture.plot.width()) * x.size();
}

double LinePlot::Impl::pixelToY(double pixel) const {
  const double share = (picture.plot.bottom() - pixel) / std::max(1, picture.plot.height());
  if (scale == YScale::Log) return y.lower * std::pow(y.upper / y.lower, share);
  return y.lower + share * y.size();
}

void LinePlot::Impl::hoverAt(const QPointF& position) {
  if (!picture.plot.contains(position.toPoint()) || !hasPoints()) return hoverOut();
  pointer = position;
  const double at = pixelToX(position.x());
  Q_EMIT q->hovered(at);
  q->update();
  if (!group) return;
  for (LinePlot* plot : group->plots()) {
    if (plot != q && plot->d_->axis == axis) plot->d_->setLinkedHover(at);
  }
}

void LinePlot::Impl::hoverOut() {
  if (!pointer) return;
  pointer.reset();
  Q_EMIT q->hoverLeft();
  q->update();
  if (!group) return;
  for (LinePlot* plot : group->plots()) {
    if (plot != q) plot->d_->setLinkedHover(std::nullopt);
  }
}

void LinePlot::Impl::setLinkedHover(std::optional<double> at) {
  linkedHover = at;
  q->update();
}

Readout LinePlot::Impl::readoutAt(double at) {
  Readout readout;
  std::optional<SeriesPoint> head;
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& curve : curves) {
    const SeriesData& data = *curve->spec.data;
    if (!curve->visible || data.empty()) continue;
    const std::size_t index = data.nearest(axis, at);
    const double distance = std::abs(data.x(axis, index) - at);
    if (distance >= nearest) continue;
    nearest = distance;
    head = data.at(index);
  }
  if (!head) return readout;
  readout.heading = tr("step %1   epoch %2   %3")
                        .arg(countText(head->step), QString::number(head->epoch, 'f', 2),
                             durationText(head->seconds));
  for (const auto& curve : curves) {
    const SeriesData& data = *curve->spec.data;
    if (!curve->visible || data.empty()) continue;
    const std::size_t index = data.nearest(axis, at);
    const SeriesPoint point = data.at(index);
    ReadoutRow row{
        colourOf(*curve), dashOf(*curve), curve->spec.name, metricText(point.value), {}, {}};
    if (smoothed(*curve)) row.smooth = metricText(curve->smooth.at(index));
    if (point.step != head->step) row.where = tr("at %1").arg(countText(point.step));
    readout.rows.append(row);
  }
  return readout;
}

void LinePlot::Impl::paintDots(QPainter& painter, double at) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& curve : curves) {
    const SeriesData& data = *curve->spec.data;
    if (!curve->visible || data.empty()) continue;
    const std::size_t index = data.nearest(axis, at);
    const double value = smoothed(*curve) ? curve->smooth.at(index) : data.value(index);
    if (!std::isfinite(value) || (scale == YScale::Log && value <= 0)) continue;
    const QPointF dot(xToPixel(data.x(axis, index)), yToPixel(value));
    if (!QRectF(picture.plot).adjusted(-1, -1, 1, 1).contains(dot)) continue;
    painter.setPen(QPen(theme.surface, 1));
    painter.setBrush(colourOf(*curve));
    painter.drawEllipse(dot, 3.5, 3.5);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void LinePlot::Impl::paintHover(QPainter& painter) {
  if (drag.kind != Drag::Kind::None || !hasPoints()) return;
  const std::optional<double> at = pointer ? pixelToX(pointer->x()) : linkedHover;
  if (!at || *at < x.lower || *at > x.upper) return;
  const double pixel = xToPixel(*at);
  painter.setPen(QPen(theme.fieldBorder, 0));
  painter.drawLine(QPointF(pixel, picture.plot.top()), QPointF(pixel, picture.plot.bottom()));
  paintDots(painter, *at);
  if (pointer) paintReadout(painter, *at, pixel);
}

// To the right of the pointer if there is room, else on the side that has more.
QPoint LinePlot::Impl::placeReadout(QSize size, double pixel) const {
  const int at = static_cast<int>(pixel);
  const int room = q->width() - at;
  const bool right = at + 12 + size.width() <= picture.plot.right() ||
                     (at - 12 - size.width() < picture.plot.left() && room > at);
  const int left = right ? at + 12 : at - 12 - size.width();
  return {std::clamp(left, 2, std::max(2, q->width() - size.width() - 2)),
          std::clamp(picture.plot.top() + 4, 0, std::max(0, q->height() - size.height()))};
}

void LinePlot::Impl::paintReadout(QPainter& painter, double at, double pixel) {
  const ReadoutBox box(readoutAt(at), digitsFont(fontOf(9)), q->height());
  box.paint(painter, placeReadout(box.size(), pixel), theme);
}

void LinePlot::Impl::paintSelection(QPainter& painter) {
  if (drag.kind != Drag::Kind::Select) return;
  const double left =
      std::clamp(std::min(drag.from.x(), drag.to.x()), static_cast<double>(picture.plot.left()),
                 static_cast<double>(picture.plot.right()));
  const double right =
      std::clamp(std::max(drag.from.x(), drag.to.x()), static_cast<double>(picture.plot.left()),
                 static_cast<double>(picture.plot.right()));
  const QRectF band(left, picture.plot.top(), right - left, picture.plot.height());
  QColor tint = theme.accent;
  tint.setAlpha(48);
  painter.fillRect(band, tint);
  painter.setPen(QPen(theme.accent, 0));
  painter.drawLine(band.topLeft(), band.bottomLeft());
  painter.drawLine(band.topRight(), band.bottomRight());
}

void LinePlot::Impl::paintEmpty(QPainter& painter) {
  const bool allHidden = std::any_of(curves.begin(), curves.end(), [](const auto& curve) {
    return !curve->visible && !curve->spec.data->empty();
  });
  painter.setFont(fontOf(10));
  painter.setPen(theme.secondary);
  QRect area = q->rect().adjusted(16, headerHeight(), -16, 0);
  if (emptyButton->isVisible()) area.setBottom(emptyButton->geometry().top() - 8);
  const int flags = Qt::TextWordWrap | Qt::AlignHCenter |
                    (emptyButton->isVisible() ? Qt::AlignBottom : Qt::AlignVCenter);
  painter.drawText(area, flags, allHidden ? tr("All curves are hidden") : emptyText);
}

void LinePlot::Impl::paintOverlay(QPainter& painter) {
  if (!hasPoints()) {
    paintEmpty(painter);
  } else {
    paintSelection(painter);
    paintHover(painter);
  }
  if (!q->hasFocus() || !keyboardFocus) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.accent, 2));
  painter.drawRoundedRect(QRectF(q->rect()).adjusted(1, 1, -1, -1), 6, 6);
}

QString LinePlot::Impl::summaryText() const {
  QStringList lines;
  for (const auto& curve : curves) {
    if (!curve->visible || curve->spec.data->empty()) continue;
    lines.append(seriesSummary(curve->spec.name, *curve->spec.data));
  }
  return lines.isEmpty() ? emptyText : lines.join(QLatin1Char('\n'));
}

}  // namespace tenon::ui
