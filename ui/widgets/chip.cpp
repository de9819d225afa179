// SPDX-License-Identifier: GPL-3.0-or-later
// The small rounded label: classes, active filters, notices such as "Following off".
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kHeight = 24;
constexpr int kDot = 8;
constexpr int kCross = 14;

}  // namespace

Chip::Chip(const QString& text, QWidget* parent) : QAbstractButton(parent) {
  setText(text);
  setFont(textFont(TextSize::Small));
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void Chip::setDot(std::optional<Tint> tint) {
  dot_ = tint;
  updateGeometry();
  update();
}

void Chip::setClosable(bool closable) {
  closable_ = closable;
  updateGeometry();
  update();
}

QSize Chip::sizeHint() const {
  int width = 10 + fontMetrics().horizontalAdvance(text()) + 10;
  if (dot_) width += kDot + 6;
  if (closable_) width += kCross + 2;
  return {width, kHeight};
}

QSize Chip::minimumSizeHint() const { return {std::min(60, sizeHint().width()), kHeight}; }

QRect Chip::closeRect() const {
  return closable_ ? QRect(width() - kHeight, 0, kHeight, height()) : QRect();
}

void Chip::paintEvent(QPaintEvent*) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  const bool on = isCheckable() && isChecked();
  const bool hot = isEnabled() && underMouse() && (isCheckable() || closable_);
  QColor fill = on ? theme.selection : theme.raised;
  if (hot) fill = theme.hovered(fill);
  const QRectF body = QRectF(rect()).adjusted(0, 1, 0, -1);
  paint::box(painter, body, fill, on ? theme.accent : theme.hairline, body.height() / 2);
  int x = 10;
  if (dot_) {
    const QRectF dot(x, (height() - kDot) / 2.0, kDot, kDot);
    paint::box(painter, dot, isEnabled() ? theme.color(*dot_) : theme.hairline, {}, kDot / 2.0);
    x += kDot + 6;
  }
  const int right = closable_ ? closeRect().left() + 4 : width() - 8;
  painter.setPen(
      palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::WindowText));
  const QRect room(x, 0, right - x, height());
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(text(), Qt::ElideRight, room.width() + 2));
  if (closable_) {
    const QPixmap cross =
        iconPixmap(QStringLiteral("close"), theme.secondary, 12, devicePixelRatioF());
    painter.drawPixmap(closeRect().center() - QPoint(6, 5), cross);
  }
  if (paint::hasKeyFocus(*this)) paint::focusRing(painter, body, theme, body.height() / 2);
}

void Chip::mouseReleaseEvent(QMouseEvent* event) {
  const bool close = closeRect().contains(event->position().toPoint()) && isDown();
  if (!close) {
    QAbstractButton::mouseReleaseEvent(event);
    return;
  }
  setDown(false);
  Q_EMIT closed();
}

void Chip::keyPressEvent(QKeyEvent* event) {
  const bool erase = event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace;
  if (closable_ && erase) {
    Q_EMIT closed();
    return;
  }
  QAbstractButton::keyPressEvent(event);
}

}  // namespace tenon::ui
