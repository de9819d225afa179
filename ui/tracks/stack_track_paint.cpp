// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of StackTrack: heading, axes, picture, marks, readout.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/tracks/stack_track_impl.h"

namespace tenon::ui {

namespace {

constexpr int kHeader = 28;
constexpr int kLeft = 48;
constexpr int kRight = 12;
constexpr int kTop = 4;
constexpr int kBottom = 26;
constexpr int kTitleLeft = 12;
constexpr int kTitleGap = 8;
constexpr int kUnitGap = 14;
constexpr int kSwatch = 10;
constexpr int kSwatchGap = 5;
constexpr int kEntryGap = 12;
constexpr int kRow = 18;

int widthOf(const QFontMetricsF& metrics, const QString& text) {
  return static_cast<int>(std::ceil(metrics.horizontalAdvance(text))) + 1;
}

}  // namespace

QFont StackTrack::Impl::fontOf(double points) const {
  QFont font = q->font();
  font.setPointSizeF(points);
  return font;
}

void StackTrack::Impl::layout() {
  layoutLegend();
  const int height = q->height() - header - kTop - kBottom;
  yTicks = byteTicks(view.low, view.high, std::max(2, height / 36));
  const QFontMetricsF metrics(fontOf(9));
  int left = kLeft;
  for (const QString& label : yTicks.labels) {
    left = std::max(left, widthOf(metrics, label) + 12);
  }
  plot = QRect(left, header + kTop, std::max(0, q->width() - left - kRight), std::max(0, height));
}

/// The legend stands between title and peak if there is room for all of it, else below them.
void StackTrack::Impl::layoutLegend() {
  legend.clear();
  header = kHeader;
  if (!source) return;
  const QFontMetricsF metrics(fontOf(9));
  const int title =
      this->title.isEmpty() ? 0 : widthOf(QFontMetricsF(fontOf(10)), this->title) + kTitleGap;
  const int first = kTitleLeft + title + widthOf(metrics, byteUnit()) + kUnitGap;
  const int right = q->width() - kRight - widthOf(metrics, peakText());
  const auto place = [&](int left, int end, int row, bool wraps) {
    const int begin = left;
    for (const TrackCategory& category : categories) {
      const int needed = kSwatch + kSwatchGap + widthOf(metrics, category.name) + kEntryGap;
      if (left + needed > end && left > begin) {
        if (!wraps) return false;
        left = begin;
        ++row;
      }
      legend.append({left, row});
      left += needed;
    }
    return left <= end || wraps;
  };
  if (place(first, right, 0, false)) return;
  legend.clear();
  place(kTitleLeft, q->width() - kRight, 1, true);
  if (!legend.isEmpty()) header += kRow * legend.constLast().y();
}

QString StackTrack::Impl::byteUnit() const {
  return yTicks.unit.isEmpty() ? byteTicks(view.low, view.high, 2).unit : yTicks.unit;
}

QString StackTrack::Impl::peakText() const {
  return tr("peak %1").arg(bytesText(static_cast<double>(source->peakBytes())));
}

double StackTrack::Impl::xOf(double time) const {
  return plot.left() + (time - view.begin) / (view.end - view.begin) * plot.width();
}

double StackTrack::Impl::yOf(double bytes) const {
  return plot.top() + plot.height() - (bytes - view.low) / (view.high - view.low) * plot.height();
}

std::optional<int> StackTrack::Impl::columnAt(const QPointF& point) const {
  if (!shown || !plot.contains(point.toPoint())) return std::nullopt;
  const TileQuery& query = shown->tile.query;
  const double share = (q->timeAt(point.x()) - query.begin) / (query.end - query.begin);
  const int column = static_cast<int>(std::floor(share * query.columns));
  if (column < 0 || column >= query.columns) return std::nullopt;
  return column;
}

const TileSpan* StackTrack::Impl::spanAt(const QPointF& point) const {
  const std::optional<int> column = columnAt(point);
  return column ? shown->tile.at(*column, q->bytesAt(point.y())) : nullptr;
}

QRectF StackTrack::Impl::rectOf(const TileSpan& span) const {
  const TileQuery& query = shown->tile.query;
  const double left = xOf(query.columnBegin(span.firstColumn));
  const double right = xOf(query.columnBegin(span.lastColumn));
  const double top = yOf(span.high);
  return {left, top, right - left, std::max(1.0, yOf(span.low) - top)};
}

void StackTrack::Impl::paint(QPainter& painter) {
  painter.fillRect(q->rect(), theme.surface);
  paintHeader(painter);
  if (!source) {
    paintEmpty(painter);
  } else {
    paintAxes(painter);
    painter.save();
    painter.setClipRect(plot);
    paintTile(painter);
    if (hovered >= 0 && hovered != selected) paintMarked(painter, hovered, theme.text, 1);
    paintMarked(painter, selected, theme.accent, 2);
    paintCursor(painter);
    painter.restore();
    paintReadout(painter);
  }
  if (!q->hasFocus() || !keyboardFocus) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.accent, 2));
  painter.drawRoundedRect(QRectF(q->rect()).adjusted(1, 1, -1, -1), 6, 6);
}

void StackTrack::Impl::paintHeader(QPainter& painter) {
  const QFontMetricsF titleMetrics(fontOf(10)), metrics(fontOf(9));
  const int base = static_cast<int>((kHeader + titleMetrics.ascent() - titleMetrics.descent()) / 2);
  const auto put = [&](const QFont& font, const QColor& colour, int left, int y,
                       const QString& text) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(QPoint(left, y), text);
  };
  int left = kTitleLeft;
  if (!title.isEmpty()) {
    put(fontOf(10), theme.text, left, base, title);
    left += widthOf(titleMetrics, title) + kTitleGap;
  }
  if (!source) return;
  put(fontOf(9), theme.secondary, left, base, yTicks.unit);
  for (qsizetype i = 0; i < legend.size(); ++i) {
    const int y = base + legend[i].y() * kRow;
    painter.fillRect(legend[i].x(), y - kSwatch + 1, kSwatch, kSwatch, categories[i].colour);
    put(fontOf(9), theme.text, legend[i].x() + kSwatch + kSwatchGap, y, categories[i].name);
  }
  const int right = q->width() - kRight - widthOf(metrics, peakText());
  put(fontOf(9), theme.secondary, right, base, peakText());
}

void StackTrack::Impl::paintAxes(QPainter& painter) {
  const QFontMetricsF metrics(fontOf(9));
  painter.setFont(fontOf(9));
  for (std::size_t i = 0; i < yTicks.at.size(); ++i) {
    const double y = std::round(yOf(yTicks.at[i]));
    painter.setPen(QPen(theme.hairline, 0));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(theme.secondary);
    painter.drawText(QRectF(0, y - 10, plot.left() - 6, 20), Qt::AlignRight | Qt::AlignVCenter,
                     yTicks.labels[static_cast<qsizetype>(i)]);
  }
  const int foot = plot.top() + plot.height();
  painter.setPen(QPen(theme.fieldBorder, 0));
  painter.drawLine(plot.left(), foot, plot.right(), foot);
  const QString name = axis.unit.isEmpty() ? axis.name : tr("%1 (%2)").arg(axis.name, axis.unit);
  const double free = plot.right() - widthOf(metrics, name) - 10;
  const TrackTicks ticks =
      timeTicks(view.begin, view.end, axis.ticksPerUnit, std::max(2, plot.width() / 110));
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double x = std::round(xOf(ticks.at[i]));
    const QString& label = ticks.labels[static_cast<qsizetype>(i)];
    painter.setPen(QPen(theme.fieldBorder, 0));
    painter.drawLine(QPointF(x, foot), QPointF(x, foot + 4));
    const double half = metrics.horizontalAdvance(label) / 2 + 1;
    if (x + half > free) continue;
    painter.setPen(theme.secondary);
    painter.drawText(QRectF(x - half, foot + 6, 2 * half, 18), Qt::AlignHCenter | Qt::AlignTop,
                     label);
  }
  painter.setPen(theme.secondary);
  painter.drawText(QRectF(plot.left(), foot + 6, plot.width(), 18), Qt::AlignRight | Qt::AlignTop,
                   name);
}

/// The last picture, moved and scaled to the present view.
void StackTrack::Impl::paintTile(QPainter& painter) {
  if (!shown) return;
  const TileQuery& query = shown->tile.query;
  const double ratio = q->devicePixelRatioF();
  QRectF target(QPointF(xOf(query.begin), yOf(query.high)),
                QPointF(xOf(query.end), yOf(query.low)));
  // At its own scale the picture lies on whole device pixels, else it would blur.
  const bool sameWidth = std::abs(target.width() * ratio - query.columns) < 0.01;
  const bool sameHeight = std::abs(target.height() * ratio - query.rows) < 0.01;
  if (sameWidth) target.moveLeft(std::round(target.left() * ratio) / ratio);
  if (sameHeight) target.moveTop(std::round(target.top() * ratio) / ratio);
  painter.drawImage(target, shown->image, QRectF(shown->image.rect()));
}

void StackTrack::Impl::paintMarked(QPainter& painter, qint64 id, const QColor& colour,
                                   double width) {
  if (!shown || id < 0) return;
  QPainterPath outline;
  QColor tint = colour;
  tint.setAlpha(56);
  for (const TileSpan& span : shown->tile.spans) {
    if (span.id != id) continue;
    const QRectF rect = rectOf(span);
    painter.fillRect(rect, tint);
    outline.addRect(rect);
  }
  if (outline.isEmpty()) return;
  painter.setPen(QPen(colour, width));
  painter.setBrush(Qt::NoBrush);
  // Inner borders between the pieces go: the union is one outline.
  painter.drawPath(outline.simplified());
}

void StackTrack::Impl::paintCursor(QPainter& painter) {
  if (marked) {
    const double x = std::round(xOf(static_cast<double>(*marked)));
    painter.fillRect(QRectF(x - 1, plot.top(), 2, plot.height()), theme.accent);
  }
  if (!pointer || drag.moved) return;
  painter.setPen(QPen(theme.fieldBorder, 0));
  painter.drawLine(QPointF(pointer->x(), plot.top()),
                   QPointF(pointer->x(), plot.top() + plot.height()));
}

QStringList StackTrack::Impl::readoutLines() const {
  const std::optional<int> column = pointer ? columnAt(*pointer) : std::nullopt;
  if (!column) return {};
  const auto at = static_cast<std::size_t>(*column);
  const double pixel = (view.end - view.begin) / std::max(1, plot.width());
  const auto timeOf = [&](double time) {
    return (timeText(time, axis.ticksPerUnit, pixel) + QLatin1Char(' ') + axis.unit).trimmed();
  };
  QStringList lines{tr("%1 %2   total %3")
                        .arg(axis.name, timeOf(static_cast<double>(shown->tile.times[at])),
                             bytesText(static_cast<double>(shown->tile.totals[at])))};
  const TileSpan* span = spanAt(*pointer);
  if (!span) return lines;
  const QString category = span->category < categories.size() ? categories[span->category].name
                                                              : QString::number(span->category);
  if (span->id == TileSpan::kSmall) {
    lines.append(tr("%1: %2 in all").arg(category, bytesText(span->high - span->low)));
    return lines;
  }
  const std::optional<TrackBlock> block = source->block(span->id);
  if (!block) return lines;
  lines.append(tr("%1: %2").arg(category, bytesText(static_cast<double>(block->bytes))));
  const QString start = timeOf(static_cast<double>(block->start));
  lines.append(block->end == kNeverFreed
                   ? tr("from %1, never freed").arg(start)
                   : tr("from %1 to %2").arg(start, timeOf(static_cast<double>(block->end))));
  if (describer) lines.append(describer(span->id));
  return lines;
}

void StackTrack::Impl::paintReadout(QPainter& painter) {
  if (drag.moved) return;
  const QStringList lines = readoutLines();
  if (lines.isEmpty()) return;
  const QFontMetricsF metrics(fontOf(9));
  int width = 0;
  for (const QString& line : lines) width = std::max(width, std::min(360, widthOf(metrics, line)));
  const QSize size(width + 16, static_cast<int>(lines.size()) * kRow + 8);
  const int at = static_cast<int>(pointer->x());
  const bool right = at + 12 + size.width() <= plot.right() || at < plot.center().x();
  const int left = right ? at + 12 : at - 12 - size.width();
  const QRect box(std::clamp(left, 2, std::max(2, q->width() - size.width() - 2)),
                  std::clamp(static_cast<int>(pointer->y()) + 16, 2,
                             std::max(2, q->height() - size.height() - 2)),
                  size.width(), size.height());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.hairline, 1));
  painter.setBrush(theme.raised);
  painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(fontOf(9));
  QRect row(box.left() + 8, box.top() + 4, width, kRow);
  for (qsizetype i = 0; i < lines.size(); ++i) {
    painter.setPen(i == 1 ? theme.text : theme.secondary);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(lines[i], Qt::ElideMiddle, width));
    row.translate(0, kRow);
  }
}

void StackTrack::Impl::paintEmpty(QPainter& painter) {
  painter.setFont(fontOf(10));
  painter.setPen(theme.secondary);
  painter.drawText(q->rect().adjusted(16, header, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                   emptyText);
}

}  // namespace tenon::ui
