// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of chips.
#include "ui/plot/chip_button.h"

#include <QPainter>

namespace tenon::ui {

ChipButton::ChipButton(QWidget* parent) : QAbstractButton(parent) {
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::TabFocus);
}

void ChipButton::setTheme(const PlotTheme& theme) {
  theme_ = theme;
  update();
}

QSize ChipButton::sizeHint() const { return {fontMetrics().horizontalAdvance(text()) + 20, 24}; }

void ChipButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool ring = hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange);
  painter.setPen(ring ? QPen(theme_.accent, 2) : QPen(theme_.fieldBorder, 1));
  painter.setBrush(underMouse() ? theme_.selection : theme_.raised);
  const double inset = ring ? 1 : 0.5;
  painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 6, 6);
  painter.setPen(theme_.text);
  painter.drawText(rect(), Qt::AlignCenter, text());
}

}  // namespace tenon::ui
