// SPDX-License-Identifier: GPL-3.0-or-later
// Draws boxes, rings, chevrons and lines (painting.h).
#include "ui/widgets/painting.h"

#include <QWidget>
#include <algorithm>

namespace tenon::ui::paint {
namespace {

/// Restores pen, brush and hints when a shape is done.
class Saved {
 public:
  explicit Saved(QPainter& painter) : painter_(painter) {
    painter_.save();
    painter_.setRenderHint(QPainter::Antialiasing);
  }
  ~Saved() { painter_.restore(); }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;

 private:
  QPainter& painter_;
};

}  // namespace

void box(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& border,
         double radius) {
  const Saved saved(painter);
  painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  if (!border.isValid()) {
    painter.setPen(Qt::NoPen);
    painter.drawRoundedRect(rect, radius, radius);
    return;
  }
  painter.setPen(QPen(border, 1));
  painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius - 0.5, radius - 0.5);
}

void focusRing(QPainter& painter, const QRectF& rect, const Theme& theme, double radius) {
  const Saved saved(painter);
  constexpr double kHalf = measure::kFocusRing / 2.0;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.accent, measure::kFocusRing));
  painter.drawRoundedRect(rect.adjusted(kHalf, kHalf, -kHalf, -kHalf), radius - kHalf,
                          radius - kHalf);
}

bool hasKeyFocus(const QWidget& widget) {
  return widget.hasFocus() && widget.window()->testAttribute(Qt::WA_KeyboardFocusChange);
}

void chevron(QPainter& painter, const QRectF& rect, Qt::ArrowType direction, const QColor& color,
             double size) {
  const Saved saved(painter);
  painter.setPen(QPen(color, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.translate(rect.center());
  switch (direction) {
    case Qt::UpArrow:
      painter.rotate(180);
      break;
    case Qt::LeftArrow:
      painter.rotate(90);
      break;
    case Qt::RightArrow:
      painter.rotate(-90);
      break;
    default:
      break;
  }
  const double half = size / 2;
  painter.drawPolyline(
      QPolygonF({QPointF(-half, -half / 2), QPointF(0, half / 2), QPointF(half, -half / 2)}));
}

void tick(QPainter& painter, const QRectF& rect, const QColor& color) {
  const Saved saved(painter);
  painter.setPen(QPen(color, 1.75, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  const QPointF c = rect.center();
  painter.drawPolyline(
      QPolygonF({c + QPointF(-3.5, 0.2), c + QPointF(-1.1, 2.7), c + QPointF(3.6, -2.6)}));
}

void horizontalLine(QPainter& painter, int x1, int x2, int y, const QColor& color) {
  painter.fillRect(QRect(QPoint(x1, y), QPoint(x2, y)), color);
}

void verticalLine(QPainter& painter, int x, int y1, int y2, const QColor& color) {
  painter.fillRect(QRect(QPoint(x, y1), QPoint(x, y2)), color);
}

QPixmap tinted(QPixmap pixmap, const QColor& color) {
  if (pixmap.isNull()) return pixmap;
  QPainter painter(&pixmap);
  painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
  painter.fillRect(pixmap.rect(), color);
  return pixmap;
}

void placeholder(QPainter& painter, const QRect& rect, const QString& text, const Theme& theme) {
  painter.save();
  painter.setFont(textFont());
  painter.setPen(theme.secondary);
  // A long word may take the margins of a narrow place, it is not clipped at them.
  const int side = std::min(16, rect.width() / 16);
  painter.drawText(rect.adjusted(side, 16, -side, -16),
                   Qt::AlignCenter | Qt::TextWordWrap | Qt::TextDontClip, text);
  painter.restore();
}

}  // namespace tenon::ui::paint
