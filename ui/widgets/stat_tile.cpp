// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers on show: labels with equal digit widths and captioned statistics.
#include <QAccessible>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/widgets/cut_text.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kUnitGap = 4;
constexpr int kStateIcon = 14;

int widthWithUnit(const QFont& font, const QString& value, const QString& unit) {
  int width = QFontMetrics(font).horizontalAdvance(value);
  if (!unit.isEmpty()) {
    width += kUnitGap + QFontMetrics(textFont(TextSize::Small)).horizontalAdvance(unit);
  }
  return width;
}

/// Value in the number font and unit behind it on one baseline; `x` is the left end.
void drawValue(QPainter& painter, int x, int baseline, const QString& value, const QString& unit,
               const QFont& font, const QColor& color, const Theme& theme) {
  painter.setFont(font);
  painter.setPen(color);
  painter.drawText(x, baseline, value);
  if (unit.isEmpty()) return;
  x += QFontMetrics(font).horizontalAdvance(value) + kUnitGap;
  painter.setFont(textFont(TextSize::Small));
  painter.setPen(theme.secondary);
  painter.drawText(x, baseline, unit);
}

}  // namespace

NumberLabel::NumberLabel(QWidget* parent) : QWidget(parent) {
  setFont(numberFont());
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void NumberLabel::setText(const QString& text, const QString& unit) {
  if (text == text_ && unit == unit_) return;
  const int before = sizeHint().width();
  text_ = text;
  unit_ = unit;
  setAccessibleName(unit.isEmpty() ? text : text + u' ' + unit);
  if (sizeHint().width() != before) updateGeometry();
  update();
}

void NumberLabel::setAlignment(Qt::Alignment alignment) {
  alignment_ = alignment;
  update();
}

void NumberLabel::setWidest(const QString& sample) {
  widest_ = sample;
  updateGeometry();
}

QSize NumberLabel::sizeHint() const {
  const int width =
      std::max(widthWithUnit(font(), text_, unit_), widthWithUnit(font(), widest_, unit_));
  return {width + 1, QFontMetrics(font()).height() + 2};
}

QSize NumberLabel::minimumSizeHint() const { return sizeHint(); }

void NumberLabel::paintEvent(QPaintEvent*) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  const int width = widthWithUnit(font(), text_, unit_);
  int x = 0;
  if (alignment_ & Qt::AlignRight) x = this->width() - width;
  if (alignment_ & Qt::AlignHCenter) x = (this->width() - width) / 2;
  const QFontMetrics metrics(font());
  const int baseline = (height() - metrics.height()) / 2 + metrics.ascent();
  const QColor color =
      palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::WindowText);
  drawValue(painter, x, baseline, text_, unit_, font(), color, theme);
}

StatTile::StatTile(const QString& caption, QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setCaption(caption);
}

void StatTile::setCaption(const QString& caption) {
  if (caption == caption_) return;
  caption_ = caption;
  updateGeometry();
  announce();
}

void StatTile::setValue(const QString& value, const QString& unit) {
  if (value == value_ && unit == unit_) return;
  const int before = sizeHint().width();
  value_ = value;
  unit_ = unit;
  if (sizeHint().width() != before) updateGeometry();
  announce();
}

void StatTile::setState(const QString& iconName, Tint tint) {
  stateIcon_ = iconName;
  stateTint_ = tint;
  updateGeometry();
  update();
}

void StatTile::setWidest(const QStringList& samples) {
  const QFontMetrics metrics(numberFont(TextSize::Title));
  widest_.clear();
  for (const QString& sample : samples)
    if (metrics.horizontalAdvance(sample) > metrics.horizontalAdvance(widest_)) widest_ = sample;
  updateGeometry();
}

int StatTile::valueLeft() const { return stateIcon_.isEmpty() ? 0 : kStateIcon + kUnitGap; }

bool StatTile::isCut() const {
  const QFontMetrics small(textFont(TextSize::Small));
  const int value = valueLeft() + widthWithUnit(numberFont(TextSize::Title), value_, unit_);
  // An advance is rounded; the pixel that sizeHint() adds makes up for it.
  return std::max(value, small.horizontalAdvance(caption_)) + 1 > width();
}

bool StatTile::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !isCut()) return QWidget::event(event);
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                     tipWithWhole(accessibleName(), toolTip()), this);
  return true;
}

void StatTile::announce() {
  setAccessibleName(caption_ + QLatin1String(": ") + value_ +
                    (unit_.isEmpty() ? QString() : u' ' + unit_));
  update();
}

QSize StatTile::sizeHint() const {
  const QFont font = numberFont(TextSize::Title);
  int value = std::max(widthWithUnit(font, value_, unit_), widthWithUnit(font, widest_, unit_));
  value += valueLeft();
  const QFontMetrics small(textFont(TextSize::Small));
  return {std::max(value, small.horizontalAdvance(caption_)) + 1,
          small.height() + QFontMetrics(font).height() + 2};
}

QSize StatTile::minimumSizeHint() const { return sizeHint(); }

void StatTile::paintEvent(QPaintEvent*) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  const QFontMetrics small(textFont(TextSize::Small));
  const QFont font = numberFont(TextSize::Title);
  painter.setFont(textFont(TextSize::Small));
  painter.setPen(theme.secondary);
  painter.drawText(0, small.ascent(), small.elidedText(caption_, Qt::ElideRight, width()));
  const int top = small.height() + 2;
  const int x = valueLeft();
  const QColor color = stateIcon_.isEmpty() ? theme.text : theme.color(stateTint_);
  const QFontMetrics metrics(font);
  if (!stateIcon_.isEmpty()) {
    const QPixmap mark = iconPixmap(stateIcon_, color, kStateIcon, devicePixelRatioF());
    painter.drawPixmap(0, top + (metrics.height() - kStateIcon) / 2, mark);
  }
  const int unitRoom = widthWithUnit(font, {}, unit_);
  const QString value = metrics.elidedText(value_, Qt::ElideRight, width() - x - unitRoom);
  drawValue(painter, x, top + metrics.ascent(), value, unit_, font, color, theme);
}

}  // namespace tenon::ui
