// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, tabs, headers, docks, rows and frames of TenonStyle.
#include <QAbstractItemView>
#include <QPainterPath>
#include <QProxyStyle>
#include <QTabBar>

#include "ui/widgets/painting.h"
#include "ui/widgets/style_parts.h"

namespace tenon::ui::style {
namespace {

constexpr int kMenuGutter = 28;

void menuSeparator(const Canvas& c, const QStyleOptionMenuItem& option) {
  const QRect r = option.rect;
  if (option.text.isEmpty()) {
    paint::horizontalLine(c.painter, r.left() + 8, r.right() - 8, r.center().y(), c.theme.hairline);
    return;
  }
  c.painter.setFont(textFont(TextSize::Small));
  c.painter.setPen(c.theme.secondary);
  c.painter.drawText(r.adjusted(12, 0, -12, 0), Qt::AlignLeft | Qt::AlignVCenter, option.text);
}

void menuMark(const Canvas& c, const QStyleOptionMenuItem& option, const QColor& color) {
  const QRect gutter(option.rect.left() + 6, option.rect.top(), 16, option.rect.height());
  if (option.checkType != QStyleOptionMenuItem::NotCheckable && option.checked) {
    if (option.checkType == QStyleOptionMenuItem::Exclusive) {
      QRectF dot(0, 0, 6, 6);
      dot.moveCenter(QRectF(gutter).center());
      paint::box(c.painter, dot, color, {}, 3);
    } else {
      paint::tick(c.painter, gutter, color);
    }
  } else if (!option.icon.isNull()) {
    const QRect place(gutter.left(), gutter.center().y() - 7, 16, 16);
    option.icon.paint(&c.painter, place, Qt::AlignCenter,
                      isEnabled(option) ? QIcon::Normal : QIcon::Disabled);
  }
}

/// The edge of a tab that faces the page.
QRect pageEdge(const QRect& rect, QTabBar::Shape shape, int thickness) {
  switch (shape) {
    case QTabBar::RoundedSouth:
    case QTabBar::TriangularSouth:
      return {rect.left(), rect.top(), rect.width(), thickness};
    case QTabBar::RoundedWest:
    case QTabBar::TriangularWest:
      return {rect.right() - thickness + 1, rect.top(), thickness, rect.height()};
    case QTabBar::RoundedEast:
    case QTabBar::TriangularEast:
      return {rect.left(), rect.top(), thickness, rect.height()};
    default:
      return {rect.left(), rect.bottom() - thickness + 1, rect.width(), thickness};
  }
}

}  // namespace

void menuItem(const Canvas& c, const QStyleOptionMenuItem& option, const QProxyStyle& style) {
  const Theme& t = c.theme;
  c.painter.save();
  if (option.menuItemType == QStyleOptionMenuItem::Separator) {
    menuSeparator(c, option);
    c.painter.restore();
    return;
  }
  const bool active = isOn(option, QStyle::State_Selected) && isEnabled(option);
  if (active) paint::box(c.painter, option.rect.adjusted(3, 0, -3, 0), t.selection, {}, 4);
  const QColor color = isEnabled(option) ? t.text : mixed(t.secondary, t.raised, 0.55);
  menuMark(c, option, color);
  const QRect room = option.rect.adjusted(kMenuGutter, 0, -12, 0);
  const qsizetype tab = option.text.indexOf(u'\t');
  c.painter.setFont(option.font);
  c.painter.setPen(color);
  style.drawItemText(&c.painter, room,
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic | Qt::TextSingleLine,
                     option.palette, true, option.text.left(tab));
  if (tab >= 0) {
    c.painter.setPen(isEnabled(option) ? t.secondary : color);
    c.painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                       option.text.mid(tab + 1));
  }
  if (option.menuItemType == QStyleOptionMenuItem::SubMenu) {
    const QRect arrow(option.rect.right() - 20, option.rect.top(), 16, option.rect.height());
    paint::chevron(c.painter, arrow, Qt::RightArrow, t.secondary, 7);
  }
  c.painter.restore();
}

void menuBarItem(const Canvas& c, const QStyleOptionMenuItem& option, const QProxyStyle& style) {
  const Theme& t = c.theme;
  c.painter.fillRect(option.rect, t.surface);
  const bool open = isOn(option, QStyle::State_Sunken);
  if (open || isOn(option, QStyle::State_Selected)) {
    paint::box(c.painter, option.rect.adjusted(1, 2, -1, -2),
               open ? t.selection : t.hovered(t.surface), {}, 4);
  }
  c.painter.setPen(isEnabled(option) ? t.text : mixed(t.secondary, t.surface, 0.6));
  style.drawItemText(&c.painter, option.rect, Qt::AlignCenter | Qt::TextShowMnemonic,
                     option.palette, true, option.text);
}

void tabShape(const Canvas& c, const QStyleOptionTab& option) {
  const Theme& t = c.theme;
  const bool selected = isOn(option, QStyle::State_Selected);
  if (!selected && isHovered(option)) {
    paint::box(c.painter, option.rect.adjusted(3, 4, -3, -4), t.hovered(t.surface), {}, 4);
  }
  if (selected) c.painter.fillRect(pageEdge(option.rect, option.shape, 2), t.accent);
  if (hasKeyFocus(option)) {
    paint::focusRing(c.painter, option.rect.adjusted(3, 3, -3, -3), t, 4);
  }
}

void tabBase(const Canvas& c, const QStyleOptionTabBarBase& option) {
  c.painter.fillRect(pageEdge(option.rect, option.shape, 1), c.theme.hairline);
}

QRect headerPart(const QStyleOptionHeader& option, bool arrow) {
  constexpr int kMargin = 6;
  constexpr int kArrow = 12;
  const QRect room = option.rect.adjusted(kMargin, 0, -kMargin, 0);
  if (option.sortIndicator == QStyleOptionHeader::None) return arrow ? QRect() : room;
  if (arrow) return {room.right() - kArrow + 1, room.top(), kArrow, room.height()};
  return room.adjusted(0, 0, -kArrow - 2, 0);
}

void header(const Canvas& c, const QStyleOptionHeader& option) {
  headerSection(c, option);
  QStyleOptionHeader label(option);
  label.rect = headerPart(option, false);
  headerLabel(c, label);
  if (option.sortIndicator == QStyleOptionHeader::None) return;
  // Qt calls ascending "down"; people read an arrow up as ascending.
  const bool up = option.sortIndicator == QStyleOptionHeader::SortDown;
  paint::chevron(c.painter, headerPart(option, true), up ? Qt::UpArrow : Qt::DownArrow,
                 c.theme.text, 7);
}

void headerSection(const Canvas& c, const QStyleOptionHeader& option) {
  const Theme& t = c.theme;
  const QRect r = option.rect;
  c.painter.fillRect(r, isHovered(option) ? t.hovered(t.surface) : t.surface);
  if (option.orientation == Qt::Vertical) {
    paint::verticalLine(c.painter, r.right(), r.top(), r.bottom(), t.hairline);
    return;
  }
  paint::horizontalLine(c.painter, r.left(), r.right(), r.bottom(), t.hairline);
  const bool last = option.position == QStyleOptionHeader::End ||
                    option.position == QStyleOptionHeader::OnlyOneSection;
  if (!last) paint::verticalLine(c.painter, r.right(), r.top() + 6, r.bottom() - 6, t.hairline);
}

void headerLabel(const Canvas& c, const QStyleOptionHeader& option) {
  QRect room = option.rect;
  c.painter.save();
  if (!option.icon.isNull()) {
    const QRect place(room.left(), room.center().y() - 7, 16, 16);
    option.icon.paint(&c.painter, place);
    room.setLeft(place.right() + 6);
  }
  const bool sorted = option.sortIndicator != QStyleOptionHeader::None;
  c.painter.setFont(textFont(TextSize::Small));
  c.painter.setPen(sorted ? c.theme.text : c.theme.secondary);
  const QString text =
      c.painter.fontMetrics().elidedText(option.text, Qt::ElideRight, room.width());
  c.painter.drawText(room, static_cast<int>(option.textAlignment) | Qt::TextSingleLine, text);
  c.painter.restore();
}

void dockTitle(const Canvas& c, const QStyleOptionDockWidget& option, const QProxyStyle& style) {
  const Theme& t = c.theme;
  c.painter.save();
  const QRect r = option.rect;
  c.painter.fillRect(r, t.surface);
  paint::horizontalLine(c.painter, r.left(), r.right(), r.bottom(), t.hairline);
  const QRect room = style.subElementRect(QStyle::SE_DockWidgetTitleBarText, &option, c.widget)
                         .adjusted(6, 0, 0, 0);
  QFont font = textFont(TextSize::Small);
  font.setWeight(QFont::DemiBold);
  c.painter.setFont(font);
  c.painter.setPen(t.secondary);
  const QString text =
      c.painter.fontMetrics().elidedText(option.title, Qt::ElideRight, room.width());
  c.painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextHideMnemonic, text);
  c.painter.restore();
}

void separator(const Canvas& c, const QStyleOption& option) {
  const QRect r = option.rect;
  const bool hot = isHovered(option);
  const QColor color = hot ? c.theme.accent : c.theme.hairline;
  const int thickness = hot ? 2 : 1;
  if (r.width() <= r.height()) {
    c.painter.fillRect(QRect(r.center().x(), r.top(), thickness, r.height()), color);
  } else {
    c.painter.fillRect(QRect(r.left(), r.center().y(), r.width(), thickness), color);
  }
}

void itemPanel(const Canvas& c, const QStyleOptionViewItem& option) {
  const Theme& t = c.theme;
  if (option.backgroundBrush.style() != Qt::NoBrush) {
    c.painter.fillRect(option.rect, option.backgroundBrush);
  }
  if (isOn(option, QStyle::State_Selected)) {
    c.painter.fillRect(option.rect, isEnabled(option) ? t.selection : t.hairline);
  } else if (isHovered(option)) {
    c.painter.fillRect(option.rect, mixed(t.text, option.palette.color(QPalette::Base), 0.05));
  }
}

void branch(const Canvas& c, const QStyleOption& option) {
  if (!isOn(option, QStyle::State_Children)) return;
  const bool open = isOn(option, QStyle::State_Open);
  const QColor color = isHovered(option) ? c.theme.text : c.theme.secondary;
  paint::chevron(c.painter, option.rect, open ? Qt::DownArrow : Qt::RightArrow, color, 7);
}

void frame(const Canvas& c, const QStyleOption& option) {
  const Theme& t = c.theme;
  const auto* area = qobject_cast<const QAbstractScrollArea*>(c.widget);
  const bool text = area && !qobject_cast<const QAbstractItemView*>(c.widget);
  if (!text) {
    paint::box(c.painter, option.rect, QColor(), t.hairline, 0.5);
    return;
  }
  paint::box(c.painter, option.rect, groundBehind(c.widget, t), t.fieldBorder);
  if (isOn(option, QStyle::State_HasFocus)) paint::focusRing(c.painter, option.rect, t);
}

void shapedFrame(const Canvas& c, const QStyleOptionFrame& option) {
  const QRect r = option.rect;
  switch (option.frameShape) {
    case QFrame::HLine:
      paint::horizontalLine(c.painter, r.left(), r.right(), r.center().y(), c.theme.hairline);
      break;
    case QFrame::VLine:
      paint::verticalLine(c.painter, r.center().x(), r.top(), r.bottom(), c.theme.hairline);
      break;
    case QFrame::NoFrame:
      break;
    default:
      frame(c, option);
  }
}

void rubberBand(const Canvas& c, const QStyleOption& option) {
  QColor fill = c.theme.accent;
  fill.setAlphaF(0.12F);
  paint::box(c.painter, option.rect, fill, c.theme.accent, 1);
}

void groupBox(const Canvas& c, const QStyleOptionGroupBox& option, const QProxyStyle& style) {
  const QRect label =
      style.subControlRect(QStyle::CC_GroupBox, &option, QStyle::SC_GroupBoxLabel, c.widget);
  c.painter.save();
  c.painter.setFont(textFont(TextSize::Body, true));
  c.painter.setPen(isEnabled(option) ? c.theme.text
                                     : mixed(c.theme.secondary, c.theme.surface, 0.6));
  c.painter.drawText(label.adjusted(0, 0, 40, 0),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic, option.text);
  if (option.subControls.testFlag(QStyle::SC_GroupBoxCheckBox)) {
    QStyleOptionButton box;
    box.QStyleOption::operator=(option);
    box.rect =
        style.subControlRect(QStyle::CC_GroupBox, &option, QStyle::SC_GroupBoxCheckBox, c.widget);
    checkBox(c, box);
  }
  c.painter.restore();
}

}  // namespace tenon::ui::style
