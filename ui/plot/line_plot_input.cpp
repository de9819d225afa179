// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and keys of a LinePlot.
#include <QAction>
#include <QContextMenuEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

#include "ui/plot/line_plot_impl.h"

namespace tenon::ui {

namespace {

constexpr double kWheelBase = 1.2;  // a notch
constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.1;
constexpr double kLeastDrag = 4;

}  // namespace

void LinePlot::wheelEvent(QWheelEvent* event) {
  const QPointF at = event->position();
  if (!d_->picture.plot.contains(at.toPoint()) || !d_->hasPoints()) {
    event->ignore();
    return;
  }
  const QPoint delta = event->angleDelta();
  const bool sideways = std::abs(delta.x()) > std::abs(delta.y());
  const double factor = std::pow(kWheelBase, -(sideways ? delta.x() : delta.y()) / 120.0);
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    d_->zoomY(d_->pixelToY(at.y()), factor);  // some platforms turn Shift+wheel sideways
  } else if (sideways) {
    d_->panX(-delta.x() / 120.0 * kKeyPan);
  } else {
    d_->zoomX(d_->pixelToX(at.x()), factor);
  }
  d_->hoverAt(at);
  event->accept();
}

void LinePlot::mousePressEvent(QMouseEvent* event) {
  const bool inside = d_->picture.plot.contains(event->position().toPoint());
  if (!inside || !d_->hasPoints()) return QWidget::mousePressEvent(event);
  Impl::Drag drag{Impl::Drag::Kind::None, event->position(), event->position(), d_->x, d_->y};
  if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && d_->spaceDown)) {
    drag.kind = Impl::Drag::Kind::Pan;
  } else if (event->button() == Qt::LeftButton) {
    drag.kind = Impl::Drag::Kind::Select;
  }
  d_->drag = drag;
  d_->updateCursor();
  event->accept();
}

void LinePlot::mouseMoveEvent(QMouseEvent* event) {
  Impl::Drag& drag = d_->drag;
  drag.to = event->position();
  if (drag.kind == Impl::Drag::Kind::None) return d_->hoverAt(event->position());
  if (drag.kind == Impl::Drag::Kind::Select) return update();
  const QRect plot = d_->picture.plot;
  const QPointF by = drag.to - drag.from;
  d_->userX(moved(drag.x, -by.x() / std::max(1, plot.width())));
  if (d_->yLocked) {
    d_->userY(moved(drag.y, by.y() / std::max(1, plot.height()), d_->scale == YScale::Log));
  }
}

void LinePlot::mouseReleaseEvent(QMouseEvent* event) {
  if (d_->drag.kind != Impl::Drag::Kind::None) {
    d_->drag.to = event->position();
    d_->finishDrag();
  }
  d_->hoverAt(event->position());
}

void LinePlot::Impl::finishDrag() {
  const Drag done = drag;
  drag.kind = Drag::Kind::None;
  updateCursor();
  q->update();
  if (done.kind != Drag::Kind::Select) return;
  const double left = std::min(done.from.x(), done.to.x());
  const double right = std::max(done.from.x(), done.to.x());
  if (right - left < kLeastDrag) return;
  const double lower = std::max(pixelToX(left), x.lower);
  const double upper = std::min(pixelToX(right), x.upper);
  yFitDue = true;
  userX({lower, upper});
}

void LinePlot::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  d_->drag.kind = Impl::Drag::Kind::None;
  fitAndFollow();
}

void LinePlot::leaveEvent(QEvent*) { d_->hoverOut(); }

bool LinePlot::Impl::isPlotKey(int key) {
  switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Space:
      return true;
    default:
      return false;
  }
}

void LinePlot::Impl::buildKeys() {
  const auto zoom = [this](double factor) {
    if (!hasPoints()) return;
    settleIfDue();
    zoomX(pointer ? pixelToX(pointer->x()) : x.lower + x.size() / 2, factor);
  };
  keys.add("plot.fit", LinePlot::tr("Fit the plot and follow"), {Qt::Key_Home, Qt::Key_0},
           [this] { q->fitAndFollow(); });
  keys.add("plot.closer", LinePlot::tr("Zoom in"),
           {Qt::Key_Plus, Qt::Key_Equal, Qt::SHIFT | Qt::Key_Plus}, [zoom] { zoom(1 / kKeyZoom); });
  keys.add("plot.farther", LinePlot::tr("Zoom out"), {Qt::Key_Minus}, [zoom] { zoom(kKeyZoom); });
  keys.add("plot.copy", LinePlot::tr("Copy the plot as an image"),
           QKeySequence::keyBindings(QKeySequence::Copy), [this] { q->copyImage(); });
}

bool LinePlot::Impl::handleKey(int key, Qt::KeyboardModifiers modifiers) {
  settleIfDue();
  const bool shift = modifiers.testFlag(Qt::ShiftModifier);
  switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
      const double way = key == Qt::Key_Left ? -1 : 1;
      panX(way * (shift ? 1.0 : kKeyPan));
      return true;
    }
    case Qt::Key_Up:
    case Qt::Key_Down: {
      const double way = key == Qt::Key_Down ? -1 : 1;
      if (shift) {
        zoomY(pixelToY(picture.plot.center().y()), way > 0 ? 1 / kKeyZoom : kKeyZoom);
      } else {
        panY(way * kKeyPan);
      }
      return true;
    }
    case Qt::Key_Escape:
      if (drag.kind == Drag::Kind::None) return false;
      drag.kind = Drag::Kind::None;
      updateCursor();
      q->update();
      return true;
    default:
      return false;
  }
}

void LinePlot::Impl::updateCursor() {
  if (drag.kind == Drag::Kind::Pan) {
    q->setCursor(Qt::ClosedHandCursor);
  } else if (spaceDown) {
    q->setCursor(Qt::OpenHandCursor);
  } else {
    q->unsetCursor();
  }
}

void LinePlot::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space) {
    d_->spaceDown = true;
    d_->updateCursor();
    return;
  }
  if (QAction* action = d_->keys.actionOf(*event)) return action->trigger();
  const bool command = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
  if (command || !d_->hasPoints() || !d_->handleKey(event->key(), event->modifiers())) {
    QWidget::keyPressEvent(event);
  }
}

void LinePlot::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space) return QWidget::keyReleaseEvent(event);
  if (event->isAutoRepeat()) return;
  d_->spaceDown = false;
  d_->updateCursor();
}

bool LinePlot::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    // Keys of the plot must not start actions of the window while the plot has the focus.
    auto* key = static_cast<QKeyEvent*>(event);
    const bool plain = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    const bool cancels = key->key() == Qt::Key_Escape && d_->drag.kind != Impl::Drag::Kind::None;
    if (cancels || (plain && Impl::isPlotKey(key->key())) || d_->keys.actionOf(*key)) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void LinePlot::focusInEvent(QFocusEvent* event) {
  d_->keyboardFocus = event->reason() == Qt::TabFocusReason ||
                      event->reason() == Qt::BacktabFocusReason ||
                      event->reason() == Qt::ShortcutFocusReason;
  update();
}

void LinePlot::focusOutEvent(QFocusEvent*) {
  d_->spaceDown = false;
  d_->updateCursor();
  update();
}

void LinePlot::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  addActionsTo(&menu);
  menu.exec(event->globalPos());
}

}  // namespace tenon::ui
