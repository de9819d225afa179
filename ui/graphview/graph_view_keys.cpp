// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard on the canvas: walking, deleting, fitting, finding.
#include <QKeyEvent>

#include "ui/graphview/graph_drag.h"
#include "ui/graphview/graph_navigation.h"
#include "ui/graphview/graph_scene.h"
#include "ui/graphview/graph_view.h"
#include "ui/graphview/wire_layer.h"

namespace tenon::ui {
namespace {

bool isOwnKey(const QKeyEvent& event) {
  const bool plain = event.modifiers() == Qt::NoModifier;
  switch (event.key()) {
    case Qt::Key_F:
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
    case Qt::Key_Space:
      return plain;
    default:
      return event.matches(QKeySequence::SelectAll) || event.matches(QKeySequence::Find);
  }
}

}  // namespace

bool GraphView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && isOwnKey(*static_cast<QKeyEvent*>(event))) {
    // Single keys act here while the canvas has the focus, whatever the window binds to them.
    event->accept();
    return true;
  }
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool tab = key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab;
    if (tab && key->modifiers().testFlag(Qt::ControlModifier)) {
      return focusNextPrevChild(key->key() == Qt::Key_Tab);
    }
    if (key->key() == Qt::Key_F6 && !(key->modifiers() & ~Qt::ShiftModifier)) {
      return focusNextPrevChild(!key->modifiers().testFlag(Qt::ShiftModifier));
    }
    if (tab && !graph().nodes.isEmpty()) {
      walk(key->key() == Qt::Key_Tab ? 1 : -1);
      return true;
    }
  }
  return QGraphicsView::event(event);
}

void GraphView::walk(int step) {
  const QStringList order = topologicalOrder(graph());
  if (order.isEmpty()) return;
  const qsizetype here = order.indexOf(current_);
  const qsizetype count = order.size();
  const qsizetype next = here < 0 ? (step > 0 ? 0 : count - 1) : (here + step + count) % count;
  setCurrentNode(order[next]);
  Q_EMIT selectionChanged(selectedNodes());
}

void GraphView::goTowards(int key) {
  const int dx = key == Qt::Key_Right ? 1 : (key == Qt::Key_Left ? -1 : 0);
  const int dy = key == Qt::Key_Down ? 1 : (key == Qt::Key_Up ? -1 : 0);
  if (current_.isEmpty()) {
    walk(1);
    return;
  }
  const QString next = neighbourTowards(graph(), current_, dx, dy);
  if (next.isEmpty()) return;
  setCurrentNode(next);
  Q_EMIT selectionChanged(selectedNodes());
}

void GraphView::askDelete() {
  const QStringList nodes = selectedNodes();
  const QList<GraphEdge> edges = selectedEdges();
  if (editable_ && (!nodes.isEmpty() || !edges.isEmpty())) Q_EMIT deleteRequested(nodes, edges);
}

void GraphView::zoomAtCenter(double factor) {
  setZoom(zoom() * factor, QPointF(viewport()->rect().center()));
  noteMovement();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Find)) {
    Q_EMIT findRequested();
    return;
  }
  if (event->matches(QKeySequence::SelectAll)) {
    selectAll();
    return;
  }
  const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  switch (event->key()) {
    case Qt::Key_F:
      if (plain) {
        fitAll();
        return;
      }
      break;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      askDelete();
      return;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      goTowards(event->key());
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (!current_.isEmpty()) Q_EMIT activated(current_);
      return;
    case Qt::Key_Escape:
      if (drag_->kind != GraphDrag::Kind::None) {
        cancelDrag();
      } else {
        clearSelection();
      }
      return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomAtCenter(1.2);
      return;
    case Qt::Key_Minus:
      zoomAtCenter(1 / 1.2);
      return;
    case Qt::Key_Space:
      if (!event->isAutoRepeat()) {
        spaceHeld_ = true;
        viewport()->setCursor(Qt::OpenHandCursor);
      }
      return;
    default:
      break;
  }
  // QGraphicsView would scroll by keys that belong to the window.
  event->ignore();
}

void GraphView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
    spaceHeld_ = false;
    if (drag_->kind != GraphDrag::Kind::Pan) viewport()->unsetCursor();
    return;
  }
  event->ignore();
}

}  // namespace tenon::ui
