// SPDX-License-Identifier: GPL-3.0-or-later
// Each container's parts are cut apart along the gaps between them, and so are theirs.
#include "ui/shell/focus_order.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QSet>
#include <QWidget>
#include <algorithm>
#include <utility>

namespace tenon::ui {
namespace {

constexpr int kRestMs = 40;  ///< a layout that is under way comes in many events
constexpr int kSlack = 2;    ///< neighbours may overlap by their frames

/// A part of a container: its place there and what Tab stops at in it.
struct Part {
  QRect place;
  QList<QWidget*> stops;
};

/// A focus proxy is a stop itself; setTabOrder() ignores what takes no focus.
bool stopsTab(const QWidget& widget) {
  return (widget.focusPolicy() & Qt::TabFocus) && !widget.focusProxy();
}

bool isViewport(const QWidget& widget) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
  return area && area->viewport() == &widget;
}

/// The groups that a straight line between them parts, in order.
QList<QList<Part>> cut(QList<Part> parts, Qt::Orientation along) {
  const bool flat = along == Qt::Horizontal;
  const auto begin = [flat](const Part& p) { return flat ? p.place.x() : p.place.y(); };
  const auto size = [flat](const Part& p) { return flat ? p.place.width() : p.place.height(); };
  std::stable_sort(parts.begin(), parts.end(),
                   [&begin](const Part& a, const Part& b) { return begin(a) < begin(b); });
  QList<QList<Part>> groups;
  int end = 0;
  for (Part& part : parts) {
    const int from = begin(part);
    const int to = from + size(part);
    if (groups.isEmpty() || from >= end - kSlack) {
      groups.append(QList<Part>());
      end = to;
    }
    end = std::max(end, to);
    groups.back().append(std::move(part));
  }
  return groups;
}

void appendAsRead(QList<Part> parts, QList<QWidget*>& stops) {
  for (const Qt::Orientation along : {Qt::Vertical, Qt::Horizontal}) {
    if (parts.size() < 2) break;
    const QList<QList<Part>> groups = cut(parts, along);
    if (groups.size() < 2) continue;
    for (const QList<Part>& group : groups) appendAsRead(group, stops);
    return;
  }
  // What lies over something else, and single parts.
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::pair(a.place.y(), a.place.x()) < std::pair(b.place.y(), b.place.x());
  });
  for (const Part& part : parts) stops += part.stops;
}

void appendStops(QWidget& widget, QList<QWidget*>& stops) {
  if (stopsTab(widget)) stops.append(&widget);
  QList<Part> parts;
  for (QObject* object : widget.children()) {
    auto* child = qobject_cast<QWidget*>(object);
    if (!child || child->isWindow() || child->isHidden()) continue;
    // A dock behind another one's tab is put away beside the window; what is scrolled away counts.
    if (!isViewport(widget) && !child->geometry().intersects(widget.rect())) continue;
    Part part{child->geometry(), {}};
    appendStops(*child, part.stops);
    if (!part.stops.isEmpty()) parts.append(std::move(part));
  }
  appendAsRead(std::move(parts), stops);
}

/// The stops as Tab goes through them now.
QList<QWidget*> chainedOrder(QWidget& window, const QSet<QWidget*>& stops) {
  QList<QWidget*> order;
  QWidget* next = &window;
  do {
    if (stops.contains(next)) order.append(next);
    next = next->nextInFocusChain();
  } while (next != &window);
  return order;
}

void chain(QWidget& window) {
  const QList<QWidget*> stops = readingOrder(window);
  if (chainedOrder(window, QSet<QWidget*>(stops.begin(), stops.end())) == stops) return;
  // setTabOrder() leaves alone what follows already, and for it the first stop follows the last
  // one: something at the end of the chain, where new widgets are put in, keeps them apart.
  QWidget end(&window);
  end.setFocusPolicy(Qt::TabFocus);
  for (qsizetype i = 1; i < stops.size(); ++i) QWidget::setTabOrder(stops[i - 1], stops[i]);
}

bool hasStops(const QWidget& window) {
  const Qt::WindowType type = window.windowType();
  return window.isVisible() && type != Qt::Popup && type != Qt::ToolTip && type != Qt::SplashScreen;
}

}  // namespace

QList<QWidget*> readingOrder(QWidget& window) {
  QList<QWidget*> stops;
  appendStops(window, stops);
  return stops;
}

FocusOrder::FocusOrder(QObject* parent) : QObject(parent) {
  due_.setSingleShot(true);
  due_.setInterval(kRestMs);
  connect(&due_, &QTimer::timeout, this, [] {
    for (QWidget* window : QApplication::topLevelWidgets())
      if (hasStops(*window)) chain(*window);
  });
  qApp->installEventFilter(this);
}

bool FocusOrder::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Show:
    case QEvent::Move:
    case QEvent::Resize:
      if (watched->isWidgetType() && !due_.isActive()) due_.start();
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace tenon::ui
