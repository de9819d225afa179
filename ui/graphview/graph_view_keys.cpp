// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard on the canvas: walking, deleting, fitting, finding.
#include <QAction>
#include <QKeyEvent>

#include "ui/graphview/graph_drag.h"
#include "ui/graphview/graph_navigation.h"
#include "ui/graphview/graph_scene.h"
#include "ui/graphview/graph_view.h"
#include "ui/graphview/wire_layer.h"

namespace tenon::ui {
namespace {
constexpr double kKeyZoom = 1.2;
}

void GraphView::buildKeys() {
  keys_.add("graph.fit", tr("Show the whole graph"), {Qt::Key_F}, [this] { fitAll(); });
  keys_.add("graph.find", tr("Find in the graph"), QKeySequence::keyBindings(QKeySequence::Find),
            [this] { Q_EMIT findRequested(); });
  keys_.add("graph.all", tr("Select the whole graph"),
            QKeySequence::keyBindings(QKeySequence::SelectAll), [this] { selectAll(); });
  keys_.add("graph.delete", tr("Delete what is selected"), {Qt::Key_Delete, Qt::Key_Backspace},
            [this] { askDelete(); });
  keys_.add("graph.closer", tr("Zoom in"), {Qt::Key_Plus, Qt::Key_Equal, Qt::SHIFT | Qt::Key_Plus},
            [this] { zoomAtCenter(kKeyZoom); });
  keys_.add("graph.farther", tr("Zoom out"), {Qt::Key_Minus},
            [this] { zoomAtCenter(1 / kKeyZoom); });
}

QAction* GraphView::keyAction(const QString& id) const { return keys_.action(id); }

bool GraphView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool pans = key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier;
    if (pans || keys_.actionOf(*key)) {
      // Keys act here while the canvas has the focus, whatever the window binds to them.
      event->accept();
      return true;
    }
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
  if (!nodes.isEmpty() || !edges.isEmpty()) Q_EMIT deleteRequested(nodes, edges);
}

void GraphView::zoomAtCenter(double factor) {
  setZoom(zoom() * factor, QPointF(viewport()->rect().center()));
  noteMovement();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  if (QAction* action = keys_.actionOf(*event)) {
    action->trigger();
    return;
  }
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      goTowards(event->key());
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current_.isEmpty()) return;
      if (follows_ && event->modifiers().testFlag(Qt::ControlModifier)) {
        Q_EMIT followed(current_);
      } else {
        Q_EMIT activated(current_);
      }
      return;
    case Qt::Key_Escape:
      if (drag_->kind != GraphDrag::Kind::None) {
        cancelDrag();
      } else {
        clearSelection();
      }
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
