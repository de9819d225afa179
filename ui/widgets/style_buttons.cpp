// SPDX-License-Identifier: GPL-3.0-or-later
// Push buttons, tool buttons, check boxes and radio buttons of TenonStyle.
#include <QProxyStyle>
#include <QWidget>
#include <algorithm>

#include "ui/widgets/painting.h"
#include "ui/widgets/style_parts.h"

namespace tenon::ui::style {
namespace {

constexpr int kToolMargin = 3;

struct ButtonColors {
  QColor fill;
  QColor border;
  QColor text;
};

ButtonColors filledColors(const QStyleOption& option, const QColor& fill, const QColor& text,
                          const Theme& t) {
  if (!isEnabled(option)) {
    return {mixed(t.hairline, t.surface, 0.6), {}, mixed(t.secondary, t.surface, 0.7)};
  }
  QColor ground = fill;
  if (isOn(option, QStyle::State_Sunken)) {
    ground = mixed(t.surface, fill, 0.22);
  } else if (isHovered(option)) {
    ground = mixed(t.isDark() ? QColor(Qt::white) : QColor(Qt::black), fill, 0.12);
  }
  return {ground, {}, text};
}

ButtonColors plainColors(const QStyleOptionButton& option, const Theme& t) {
  const bool flat = option.features.testFlag(QStyleOptionButton::Flat);
  if (!isEnabled(option)) {
    return {QColor(), flat ? QColor() : t.hairline, mixed(t.secondary, t.surface, 0.6)};
  }
  ButtonColors colors{flat ? QColor() : t.raised, flat ? QColor() : t.fieldBorder, t.text};
  if (isOn(option, QStyle::State_On)) {
    colors.fill = t.selection;
    colors.border = t.accent;
  }
  const QColor ground = colors.fill.isValid() ? colors.fill : t.surface;
  if (isOn(option, QStyle::State_Sunken)) {
    colors.fill = mixed(t.text, ground, 0.14);
  } else if (isHovered(option)) {
    colors.fill = t.hovered(ground);
  }
  if (option.features.testFlag(QStyleOptionButton::DefaultButton)) colors.border = t.accent;
  return colors;
}

ButtonColors buttonColors(const Canvas& c, const QStyleOptionButton& option) {
  if (isFlagged(c.widget, kPrimaryProperty)) {
    return filledColors(option, c.theme.accent, c.theme.accentText, c.theme);
  }
  ButtonColors colors = plainColors(option, c.theme);
  if (isFlagged(c.widget, kDangerProperty) && isEnabled(option)) {
    colors.text = c.theme.bad;
    colors.border = c.theme.bad;
  }
  return colors;
}

/// Shortened where it does not fit; the tooltip tells the rest (cut_text.h).
QString fitted(const QString& text, const QFontMetrics& metrics, int room) {
  if (metrics.size(Qt::TextShowMnemonic, text).width() <= room) return text;
  return metrics.elidedText(text, Qt::ElideRight, room, Qt::TextShowMnemonic);
}

void buttonLabel(const Canvas& c, const QStyleOptionButton& option, const QColor& color,
                 const QProxyStyle& style) {
  QRect room = option.rect.adjusted(8, 0, -8, 0);
  if (option.features.testFlag(QStyleOptionButton::HasMenu)) {
    const QRect arrow(room.right() - 11, room.top(), 12, room.height());
    paint::chevron(c.painter, arrow, Qt::DownArrow, color, 7);
    room.setRight(arrow.left() - 4);
  }
  const int textWidth = option.text.isEmpty()
                            ? 0
                            : option.fontMetrics.size(Qt::TextShowMnemonic, option.text).width();
  if (!option.icon.isNull()) {
    const int side = option.iconSize.width();
    const int gap = option.text.isEmpty() ? 0 : 6;
    const int whole = side + gap + textWidth;
    const int left = room.left() + std::max(0, (room.width() - whole) / 2);
    const QRect place(left, room.center().y() - side / 2 + 1, side, side);
    const qreal ratio = c.painter.device()->devicePixelRatioF();
    QPixmap pixmap = option.icon.pixmap(QSize(side, side), ratio,
                                        isEnabled(option) ? QIcon::Normal : QIcon::Disabled,
                                        isOn(option, QStyle::State_On) ? QIcon::On : QIcon::Off);
    c.painter.drawPixmap(place.topLeft(), paint::tinted(pixmap, color));
    const int from = place.right() + 1 + gap;
    room = QRect(from, room.top(), std::min(textWidth, room.right() + 1 - from), room.height());
  }
  if (option.text.isEmpty()) return;
  c.painter.setPen(color);
  int flags = Qt::AlignCenter | Qt::TextShowMnemonic;
  if (!style.styleHint(QStyle::SH_UnderlineShortcut, &option, c.widget)) {
    flags |= Qt::TextHideMnemonic;
  }
  // Bold names would move their neighbours; one weight for all.
  style.drawItemText(&c.painter, room, flags, option.palette, true,
                     fitted(option.text, option.fontMetrics, room.width()));
}

}  // namespace

bool isEnabled(const QStyleOption& option) { return isOn(option, QStyle::State_Enabled); }

bool isHovered(const QStyleOption& option) {
  return isEnabled(option) && isOn(option, QStyle::State_MouseOver);
}

bool hasKeyFocus(const QStyleOption& option) {
  return isOn(option, QStyle::State_HasFocus) && isOn(option, QStyle::State_KeyboardFocusChange);
}

bool isFlagged(const QWidget* widget, const char* property) {
  return widget && widget->property(property).toBool();
}

void pushButton(const Canvas& c, const QStyleOptionButton& option, const QProxyStyle& style) {
  c.painter.save();
  const ButtonColors colors = buttonColors(c, option);
  paint::box(c.painter, option.rect, colors.fill, colors.border);
  buttonLabel(c, option, colors.text, style);
  if (hasKeyFocus(option)) {
    const bool filled = isFlagged(c.widget, kPrimaryProperty);
    paint::focusRing(c.painter, option.rect, c.theme);
    // On its own colour the ring would vanish: a gap of the surface sets it off.
    if (filled) {
      paint::box(c.painter, QRectF(option.rect).adjusted(2, 2, -2, -2), QColor(), c.theme.surface,
                 measure::kCorner - 2);
    }
  }
  c.painter.restore();
}

void toolPanel(const Canvas& c, const QStyleOption& option) {
  const Theme& t = c.theme;
  QColor fill;
  if (isOn(option, QStyle::State_On)) fill = t.selection;
  const QColor ground = fill.isValid() ? fill : t.surface;
  if (isEnabled(option) && isOn(option, QStyle::State_Sunken)) {
    fill = mixed(t.text, ground, 0.16);
  } else if (isHovered(option)) {
    fill = t.hovered(ground);
  }
  if (fill.isValid()) paint::box(c.painter, option.rect, fill, {}, 5);
}

void toolButton(const Canvas& c, const QStyleOptionToolButton& option, const QProxyStyle& style) {
  const bool split = option.features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
  const bool menu = option.features.testFlag(QStyleOptionToolButton::HasMenu);
  toolPanel(c, option);
  QStyleOptionToolButton label = option;
  const QColor color = isEnabled(option) ? c.theme.secondary : c.theme.hairline;
  if (split || menu) {
    const int width = split ? 16 : 12;
    const QRect arrow(option.rect.right() - width, option.rect.top(), width, option.rect.height());
    label.rect.setRight(arrow.left());
    if (split && isHovered(option)) {
      paint::verticalLine(c.painter, arrow.left(), arrow.top() + 5, arrow.bottom() - 5,
                          c.theme.hairline);
    }
    paint::chevron(c.painter, arrow, Qt::DownArrow, color, 6);
  }
  label.features &= ~QStyleOptionToolButton::HasMenu;
  if (label.toolButtonStyle == Qt::ToolButtonTextOnly || label.icon.isNull())
    label.text = fitted(label.text, label.fontMetrics, label.rect.width() - 2 * kToolMargin);
  style.drawControl(QStyle::CE_ToolButtonLabel, &label, &c.painter, c.widget);
  if (hasKeyFocus(option)) paint::focusRing(c.painter, option.rect, c.theme, 5);
}

void checkBox(const Canvas& c, const QStyleOption& option) {
  const Theme& t = c.theme;
  const bool some = isOn(option, QStyle::State_NoChange);
  const bool filled = some || isOn(option, QStyle::State_On);
  QRectF box(0, 0, 16, 16);
  box.moveCenter(QRectF(option.rect).center());
  box.moveTopLeft(QPointF(std::round(box.left()), std::round(box.top())));
  if (!isEnabled(option)) {
    paint::box(c.painter, box, filled ? t.hairline : QColor(), t.hairline, 4);
    if (filled) paint::tick(c.painter, box, t.surface);
    return;
  }
  const QColor fill = filled ? t.accent : (isHovered(option) ? t.hovered(t.raised) : t.raised);
  paint::box(c.painter, box, fill, filled ? t.accent : t.fieldBorder, 4);
  if (some) {
    c.painter.fillRect(box.adjusted(4, 7, -4, -7), t.accentText);
  } else if (filled) {
    paint::tick(c.painter, box, t.accentText);
  }
}

void radioButton(const Canvas& c, const QStyleOption& option) {
  const Theme& t = c.theme;
  const bool filled = isOn(option, QStyle::State_On);
  QRectF box(0, 0, 16, 16);
  box.moveCenter(QRectF(option.rect).center());
  box.moveTopLeft(QPointF(std::round(box.left()), std::round(box.top())));
  const QColor strong = isEnabled(option) ? t.accent : t.hairline;
  const QColor ground = isHovered(option) ? t.hovered(t.raised) : t.raised;
  const QColor border = isEnabled(option) ? t.fieldBorder : t.hairline;
  paint::box(c.painter, box, filled ? strong : ground, filled ? strong : border, 8);
  if (filled) {
    paint::box(c.painter, box.adjusted(5, 5, -5, -5), isEnabled(option) ? t.accentText : t.surface,
               {}, 3);
  }
}

QStyleOptionButton fittedLabel(const QStyleOptionButton& option) {
  QStyleOptionButton shown = option;
  int room = option.rect.width();
  if (!option.icon.isNull()) room -= option.iconSize.width() + 4;
  shown.text = fitted(option.text, option.fontMetrics, room);
  return shown;
}

}  // namespace tenon::ui::style
