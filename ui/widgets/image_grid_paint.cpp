// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of the gallery's cells (image_grid.h).
#include <QPaintEvent>
#include <QPainter>
#include <cmath>

#include "ui/widgets/icon.h"
#include "ui/widgets/image_grid.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kPad = 6;
constexpr int kLine = 16;
constexpr int kDot = 8;
constexpr int kAfterDot = 5;

QPixmap pictureOf(const QVariant& value, int side, qreal ratio) {
  switch (value.typeId()) {
    case QMetaType::QImage:
      return QPixmap::fromImage(value.value<QImage>());
    case QMetaType::QPixmap:
      return value.value<QPixmap>();
    case QMetaType::QIcon:
      return value.value<QIcon>().pixmap(QSize(side, side), ratio);
    default:
      return {};
  }
}

/// Size in logical pixels: whole factors when enlarging, else fitted.
QSizeF shownSize(const QSize& pixels, int side, qreal ratio, bool pixelated) {
  const double edge = std::max(pixels.width(), pixels.height());
  double scale = side * ratio / edge;
  if (pixelated && scale >= 1) scale = std::floor(scale);
  return QSizeF(pixels) * scale / ratio;
}

}  // namespace

int ImageGrid::chipWidth(const QString& name) {
  return kDot + kAfterDot + QFontMetrics(textFont(TextSize::Small)).horizontalAdvance(name) + 1;
}

void ImageGrid::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  const auto [first, last] = visibleRange();
  if (first < 0) {
    if (!placeholder_.isEmpty()) {
      paint::placeholder(painter, viewport()->rect(), placeholder_, currentTheme());
    }
    return;
  }
  for (int row = first; row <= last; ++row) {
    if (event->region().intersects(cellRect(row))) paintCell(painter, row);
  }
}

void ImageGrid::paintCell(QPainter& painter, int row) const {
  const Theme& theme = currentTheme();
  const QModelIndex index = model()->index(row, 0, rootIndex());
  const QRect cell = cellRect(row);
  const bool selected = selectionModel() && selectionModel()->isSelected(index);
  const bool current = currentIndex() == index && hasFocus();
  if (selected) {
    paint::box(painter, cell, theme.selection);
  } else if (hovered_ == row) {
    paint::box(painter, cell, theme.hovered(palette().color(QPalette::Base)));
  }
  // Beside a longer name the picture stands at its beginning, where the eye looks for both.
  paintPicture(painter, QRect(cell.left() + kPad, cell.top() + kPad, cell_, cell_), index);
  if (textLines_ > 0) {
    const int top = cell.top() + kPad + cell_ + 3;
    paintTexts(painter, QRect(cell.left() + kPad, top, room(), textLines_ * kLine), index);
  }
  if (current) paint::focusRing(painter, cell, theme);
}

void ImageGrid::paintPicture(QPainter& painter, const QRect& room, const QModelIndex& index) const {
  const Theme& theme = currentTheme();
  const qreal ratio = devicePixelRatioF();
  const QPixmap picture = pictureOf(index.data(Qt::DecorationRole), cell_, ratio);
  if (picture.isNull()) {
    paint::box(painter, room, theme.sunken, {}, 4);
  } else {
    QRectF place(QPointF(0, 0), shownSize(picture.size(), cell_, ratio, pixelated_));
    place.moveCenter(QRectF(room).center());
    place.moveTopLeft(QPointF(std::round(place.left()), std::round(place.top())));
    painter.setRenderHint(QPainter::SmoothPixmapTransform,
                          !pixelated_ || picture.width() > place.width() * ratio);
    painter.drawPixmap(place, picture, QRectF(picture.rect()));
  }
  const QString badge = index.data(kBadgeRole).toString();
  if (badge.isEmpty()) return;
  const QRect mark(room.right() - 18, room.top() + 2, 18, 18);
  const QColor color = badge == QLatin1String("check")   ? theme.good
                       : badge == QLatin1String("close") ? theme.bad
                                                         : theme.warn;
  paint::box(painter, mark, theme.raised, theme.hairline, 9);
  painter.drawPixmap(mark.topLeft() + QPoint(3, 3), iconPixmap(badge, color, 12, ratio));
}

void ImageGrid::paintTexts(QPainter& painter, const QRect& room, const QModelIndex& index) const {
  const Theme& theme = currentTheme();
  const QFont font = textFont(TextSize::Small);
  const QFontMetrics metrics(font);
  painter.setFont(font);
  const QString chip = index.data(kChipTextRole).toString();
  const QString caption = index.data(Qt::DisplayRole).toString();
  int line = 0;
  const auto draw = [&](const QString& text, const QColor& color, int indent) {
    const QRect at(room.left() + indent, room.top() + line * kLine, room.width() - indent, kLine);
    painter.setPen(color);
    painter.drawText(at, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(text, Qt::ElideRight, at.width()));
    ++line;
  };
  if (!chip.isEmpty()) {
    const QColor color = index.data(kChipColorRole).value<QColor>();
    int indent = 0;
    if (color.isValid()) {
      paint::box(painter, QRectF(room.left(), room.top() + (kLine - kDot) / 2.0, kDot, kDot), color,
                 {}, kDot / 2.0);
      indent = kDot + kAfterDot;
    }
    draw(chip, theme.text, indent);
  }
  if (!caption.isEmpty() && line < textLines_) {
    draw(caption, chip.isEmpty() ? theme.text : theme.secondary, 0);
  }
}

}  // namespace tenon::ui
