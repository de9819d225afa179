// SPDX-License-Identifier: GPL-3.0-or-later
// What the checks of a window share.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QGraphicsView>
#include <QHash>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QTabBar>
#include <cmath>

#include "tests/screens/fault.h"

namespace tenon::screens {
namespace {

bool isViewport(const QWidget& widget) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
  return area && area->viewport() == &widget;
}

/// Not by visibleRegion(): that is empty for a widget which its children cover.
void collect(QWidget& widget, QList<QWidget*>& all) {
  all.append(&widget);
  for (QObject* child : widget.children()) {
    auto* inner = qobject_cast<QWidget*>(child);
    if (!inner || inner->isWindow() || !inner->isVisible()) continue;
    // A dock behind another one's tab is put away beside the window.
    if (isViewport(widget) || inner->geometry().intersects(widget.rect())) collect(*inner, all);
  }
}

bool isAlike(QRgb a, QRgb b) {
  return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) +
             std::abs(qBlue(a) - qBlue(b)) <
         24;
}

/// Makes `room` as wide or as high as it takes to hold `rect`.
void spread(QRect& room, const QRect& rect, Qt::Orientation along) {
  if (along == Qt::Horizontal) {
    room.setLeft(std::min(room.left(), rect.left()));
    room.setRight(std::max(room.right(), rect.right()));
  } else {
    room.setTop(std::min(room.top(), rect.top()));
    room.setBottom(std::max(room.bottom(), rect.bottom()));
  }
}

}  // namespace

QList<QWidget*> visibleWidgets(QWidget& root) {
  QList<QWidget*> all;
  collect(root, all);
  return all;
}

QString pathOf(const QWidget& widget) {
  QStringList path;
  for (const QWidget* at = &widget; at; at = at->isWindow() ? nullptr : at->parentWidget()) {
    QString name = QString::fromLatin1(at->metaObject()->className());
    name.remove(QLatin1String("tenon::ui::"));
    const QString own = at->objectName().isEmpty() ? at->accessibleName() : at->objectName();
    const bool plain = name == QLatin1String("QWidget") ||
                       name == QLatin1String("QStackedWidget") ||
                       name == QLatin1String("QMainWindow") || name == QLatin1String("ModeStack");
    if (plain && own.isEmpty() && at != &widget) continue;
    path.prepend(own.isEmpty() ? name : QStringLiteral("%1 '%2'").arg(name, own));
  }
  return path.join(QLatin1String(" > "));
}

bool isControl(const QWidget& widget) {
  // A scroll bar and its buttons do what wheel and keys do in the view, which has a name.
  if (qobject_cast<const QScrollBar*>(&widget)) return false;
  // Parts of a control that Qt makes itself: the control around them has name and size.
  const QWidget* parent = widget.parentWidget();
  const bool inner = parent && (qobject_cast<const QComboBox*>(parent) ||
                                qobject_cast<const QAbstractSpinBox*>(parent) ||
                                parent->inherits("QKeySequenceEdit"));
  if (inner && widget.objectName().startsWith(QLatin1String("qt_"))) return false;
  // The magnifier and the clearing cross of a field: Escape and deleting the text do the same.
  if (widget.inherits("QLineEditIconButton")) return false;
  if (widget.inherits("QTableCornerButton")) return false;
  if (qobject_cast<const QHeaderView*>(&widget)) return false;  // see headers in controlFaults
  if (qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
      qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget) ||
      qobject_cast<const QAbstractSlider*>(&widget) || qobject_cast<const QTabBar*>(&widget))
    return true;
  return (widget.focusPolicy() & Qt::TabFocus) != 0 && !widget.focusProxy();
}

bool scrolls(const QAbstractScrollArea& area, Qt::Orientation along) {
  const bool flat = along == Qt::Horizontal;
  const QScrollBar* bar = flat ? area.horizontalScrollBar() : area.verticalScrollBar();
  const Qt::ScrollBarPolicy policy =
      flat ? area.horizontalScrollBarPolicy() : area.verticalScrollBarPolicy();
  // A canvas is dragged about and needs no bars for it.
  const bool dragged = qobject_cast<const QGraphicsView*>(&area) != nullptr;
  return bar->maximum() > bar->minimum() && (dragged || policy != Qt::ScrollBarAlwaysOff);
}

QRect reachableRect(const QWidget& widget) {
  QRect rect = widget.rect();
  QPoint offset;
  for (const QWidget* at = &widget; !at->isWindow() && at->parentWidget();
       at = at->parentWidget()) {
    const QWidget* parent = at->parentWidget();
    const auto* area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
    offset += at->pos();
    QRect room = parent->rect().translated(-offset);
    if (area && area->viewport() == parent) {
      // What a viewport hides can be scrolled to, where it has a bar for that.
      if (scrolls(*area, Qt::Horizontal)) spread(room, rect, Qt::Horizontal);
      if (scrolls(*area, Qt::Vertical)) spread(room, rect, Qt::Vertical);
      return rect & room;
    }
    rect &= room;
  }
  return rect;
}

QColor groundOf(const View& view, const QRect& part, const QColor& ink) {
  const double ratio = view.picture.devicePixelRatio();
  const QRect seen =
      QRect((QPointF(part.topLeft()) * ratio).toPoint(), (QSizeF(part.size()) * ratio).toSize()) &
      view.picture.rect();
  QHash<QRgb, int> counts;
  for (int y = seen.top(); y <= seen.bottom(); ++y)
    for (int x = seen.left(); x <= seen.right(); ++x) ++counts[view.picture.pixel(x, y)];
  QColor ground;
  int most = 0;
  for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
    if (it.value() <= most || (ink.isValid() && isAlike(it.key(), ink.rgb()))) continue;
    most = it.value();
    ground = QColor(it.key());
  }
  return ground;
}

}  // namespace tenon::screens
