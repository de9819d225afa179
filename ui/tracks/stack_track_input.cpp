// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and keys of StackTrack.
#include <QAction>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

#include "ui/tracks/stack_track_impl.h"

namespace tenon::ui {

namespace {

constexpr double kWheelBase = 1.2;  // a notch
constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.1;
constexpr double kLeastDrag = 4;

bool isTrackKey(int key) {
  switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      return true;
    default:
      return false;
  }
}

}  // namespace

void StackTrack::wheelEvent(QWheelEvent* event) {
  const QPointF at = event->position();
  if (!d_->source || !d_->plot.contains(at.toPoint())) {
    event->ignore();
    return;
  }
  const QPoint delta = event->angleDelta();
  const bool sideways = std::abs(delta.x()) > std::abs(delta.y());
  const double factor = std::pow(kWheelBase, -(sideways ? delta.x() : delta.y()) / 120.0);
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    d_->zoomBytes(bytesAt(at.y()), factor);  // some platforms turn Shift+wheel sideways
  } else if (sideways) {
    d_->pan(-delta.x() / 120.0 * kKeyPan, 0, d_->view);
  } else {
    d_->zoomTime(timeAt(at.x()), factor);
  }
  event->accept();
}

void StackTrack::mousePressEvent(QMouseEvent* event) {
  const bool inside = d_->plot.contains(event->position().toPoint());
  const bool button = event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton;
  if (!d_->source || !inside || !button) return QWidget::mousePressEvent(event);
  d_->drag = {true, false, event->position(), d_->view};
}

void StackTrack::mouseMoveEvent(QMouseEvent* event) {
  Impl::Drag& drag = d_->drag;
  const QPointF by = event->position() - drag.from;
  if (drag.pressed && (drag.moved || by.manhattanLength() >= kLeastDrag)) {
    drag.moved = true;
    setCursor(Qt::ClosedHandCursor);
    d_->pan(-by.x() / std::max(1, d_->plot.width()), by.y() / std::max(1, d_->plot.height()),
            drag.view);
    return;
  }
  const bool inside = d_->plot.contains(event->position().toPoint());
  d_->pointer = inside ? std::optional(event->position()) : std::nullopt;
  const TileSpan* span = inside ? d_->spanAt(event->position()) : nullptr;
  const qint64 id = span ? span->id : -1;
  if (id != d_->hovered) {
    d_->hovered = id;
    Q_EMIT blockHovered(id);
  }
  update();
}

void StackTrack::mouseReleaseEvent(QMouseEvent* event) {
  const Impl::Drag drag = d_->drag;
  d_->drag = {};
  unsetCursor();
  update();
  if (!drag.pressed || drag.moved || event->button() != Qt::LeftButton) return;
  const TileSpan* span = d_->spanAt(event->position());
  d_->select(span && span->id != TileSpan::kSmall ? span->id : -1);
  const std::optional<int> column = d_->columnAt(event->position());
  if (column) Q_EMIT timeClicked(d_->shown->tile.times[static_cast<std::size_t>(*column)]);
}

void StackTrack::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) fit();
}

void StackTrack::leaveEvent(QEvent*) {
  d_->pointer.reset();
  if (d_->hovered != -1) {
    d_->hovered = -1;
    Q_EMIT blockHovered(-1);
  }
  update();
}

bool StackTrack::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    // Keys of the track must not start actions of the window while the track has the focus.
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool plain = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    const bool lets = key->key() == Qt::Key_Escape && d_->selected >= 0;
    if (d_->keys.actionOf(*key) || (plain && (isTrackKey(key->key()) || lets))) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void StackTrack::Impl::buildKeys() {
  const auto zoom = [this](double factor) {
    zoomTime(pointer ? q->timeAt(pointer->x()) : (view.begin + view.end) / 2, factor);
  };
  keys.add("track.fit", StackTrack::tr("Show the whole track"), {Qt::Key_Home, Qt::Key_0},
           [this] { q->fit(); });
  keys.add("track.closer", StackTrack::tr("Zoom in"),
           {Qt::Key_Plus, Qt::Key_Equal, Qt::SHIFT | Qt::Key_Plus}, [zoom] { zoom(1 / kKeyZoom); });
  keys.add("track.farther", StackTrack::tr("Zoom out"), {Qt::Key_Minus},
           [zoom] { zoom(kKeyZoom); });
}

void StackTrack::keyPressEvent(QKeyEvent* event) {
  if (QAction* action = d_->source ? d_->keys.actionOf(*event) : nullptr) return action->trigger();
  const bool command = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
  if (!d_->source || command) return QWidget::keyPressEvent(event);
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  const Impl::View& view = d_->view;
  switch (event->key()) {
    case Qt::Key_Left:
      return d_->pan(shift ? -1 : -kKeyPan, 0, view);
    case Qt::Key_Right:
      return d_->pan(shift ? 1 : kKeyPan, 0, view);
    case Qt::Key_Up:
      if (shift) return d_->zoomBytes((view.low + view.high) / 2, 1 / kKeyZoom);
      return d_->pan(0, kKeyPan, view);
    case Qt::Key_Down:
      if (shift) return d_->zoomBytes((view.low + view.high) / 2, kKeyZoom);
      return d_->pan(0, -kKeyPan, view);
    case Qt::Key_Escape:
      if (d_->selected >= 0) return d_->select(-1);
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void StackTrack::focusInEvent(QFocusEvent* event) {
  d_->keyboardFocus = event->reason() == Qt::TabFocusReason ||
                      event->reason() == Qt::BacktabFocusReason ||
                      event->reason() == Qt::ShortcutFocusReason;
  update();
}

void StackTrack::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace tenon::ui
