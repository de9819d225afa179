// SPDX-License-Identifier: GPL-3.0-or-later
// The mouse on the canvas: panning, selecting, dragging nodes, drawing wires, hovering.
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

#include "ui/graphview/graph_drag.h"
#include "ui/graphview/graph_scene.h"
#include "ui/graphview/graph_view.h"
#include "ui/graphview/minimap.h"
#include "ui/graphview/node_item.h"
#include "ui/graphview/wire_layer.h"

namespace tenon::ui {
namespace {

constexpr int kDragStart = 4;       // pixels that make a press a drag
constexpr double kSnap = 4;         // scene units
constexpr double kWireReach = 6;    // pixels
constexpr double kNotchZoom = 1.2;  // per wheel click

bool extends(Qt::KeyboardModifiers modifiers) {
  return modifiers.testFlag(Qt::ControlModifier) || modifiers.testFlag(Qt::ShiftModifier);
}

QPointF snapped(const QPointF& point) {
  return {std::round(point.x() / kSnap) * kSnap, std::round(point.y() / kSnap) * kSnap};
}

}  // namespace

double GraphView::portReach() const {
  if (zoom() < canvas::kNamesOnly) return 0;
  return std::min(canvas::kPortHit / 2 / zoom(), canvas::kPortHit * 0.7);
}

void GraphView::wheelEvent(QWheelEvent* event) {
  const bool touch =
      event->device() && event->device()->type() == QInputDevice::DeviceType::TouchPad;
  const bool ctrl = event->modifiers().testFlag(Qt::ControlModifier);
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  // Two fingers pan and zoom with Ctrl; a wheel does what was chosen and the other with Ctrl.
  const bool zooms = touch ? ctrl : !shift && ctrl != wheelZooms_;
  const QPoint delta = event->angleDelta();
  if (zooms) {
    const double notches = delta.y() / 120.0;
    setZoom(zoom() * std::pow(kNotchZoom, notches), event->position());
  } else {
    QPoint way = event->pixelDelta().isNull() ? delta / 2 : event->pixelDelta();
    if (shift && way.x() == 0) way = QPoint(way.y(), 0);
    scrollBy(way);
  }
  noteMovement();
  event->accept();
}

bool GraphView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::NativeGesture) {
    const auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      setZoom(zoom() * (1 + gesture->value()), gesture->position());
      noteMovement();
      return true;
    }
  }
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), viewport());
    return true;
  }
  if (event->type() == QEvent::Leave) hoverAt(QPoint(-1, -1));
  return QGraphicsView::viewportEvent(event);
}

QString GraphView::tipAt(const QPoint& at) const {
  const QPointF point = sceneAt(at);
  const PortHit port = scene_->portAt(point, portReach());
  if (port.isValid() && zoom() > canvas::kFullDetail) {
    const GraphNode& node = scene_->item(port.node)->node();
    const GraphPort& which = (port.output ? node.outputs : node.inputs)[port.port];
    return which.tip.isEmpty() ? which.name : which.name + QLatin1String("  ") + which.tip;
  }
  if (const NodeItem* item = scene_->itemAtPoint(point)) {
    const GraphNode& node = item->node();
    QStringList lines{node.kind.isEmpty() ? node.title
                                          : node.title + QLatin1String("  ") + node.kind};
    if (!node.subtitle.isEmpty()) lines.append(node.subtitle);
    if (!node.tip.isEmpty()) lines.append(node.tip);
    return lines.join(u'\n');
  }
  const int wire = scene_->wires().wireAt(point, kWireReach / zoom());
  return wire >= 0 ? scene_->wires().edges()[wire].label : QString();
}

void GraphView::beginPan(const QPoint& at) {
  drag_->kind = GraphDrag::Kind::Pan;
  drag_->last = at;
  viewport()->setCursor(Qt::ClosedHandCursor);
}

void GraphView::mousePressEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  if (drag_->kind != GraphDrag::Kind::None) return;
  *drag_ = GraphDrag{};
  drag_->origin = at;
  drag_->last = at;
  drag_->sceneOrigin = sceneAt(event->position());
  const bool left = event->button() == Qt::LeftButton;
  if (event->button() == Qt::MiddleButton || (left && spaceHeld_)) {
    beginPan(at);
    return;
  }
  if (!left) return;
  const PortHit port = editable_ ? scene_->portAt(drag_->sceneOrigin, portReach()) : PortHit{};
  if (port.isValid()) {
    drag_->kind = GraphDrag::Kind::Wire;
    drag_->from = port;
    drag_->pressed = port.node;
    return;
  }
  if (const QString node = nodeAt(at); !node.isEmpty()) {
    pressNode(node, event->modifiers());
    return;
  }
  const int wire = scene_->wires().wireAt(drag_->sceneOrigin, kWireReach / zoom());
  if (wire >= 0) {
    pressWire(wire, event->modifiers());
    return;
  }
  drag_->kind = GraphDrag::Kind::Band;
  if (extends(event->modifiers())) {
    drag_->kept = selectedNodes();
  } else {
    clearSelection();
  }
}

void GraphView::pressNode(const QString& id, Qt::KeyboardModifiers modifiers) {
  NodeItem* item = scene_->item(id);
  drag_->kind = GraphDrag::Kind::Nodes;
  drag_->pressed = id;
  makeCurrent(id);
  drag_->follows = follows_ && modifiers.testFlag(Qt::ControlModifier);
  if (extends(modifiers) && !drag_->follows) {
    item->setSelected(!item->isSelected());
    announceSelection();
  } else if (item->isSelected()) {
    drag_->narrowsOnRelease = true;
  } else {
    scene_->wires().clearSelection();
    scene_->selectNodes({id});
    announceSelection();
  }
}

void GraphView::pressWire(int index, Qt::KeyboardModifiers modifiers) {
  WireLayer& wires = scene_->wires();
  const bool selected = wires.selected().contains(index);
  if (!extends(modifiers)) {
    scene_->selectNodes({});
    wires.clearSelection();
  }
  wires.setSelected(index, !(extends(modifiers) && selected));
  announceSelection();
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  if (drag_->kind == GraphDrag::Kind::None) {
    hoverAt(at);
    return;
  }
  if (!drag_->started) {
    drag_->started =
        drag_->kind == GraphDrag::Kind::Pan || (at - drag_->origin).manhattanLength() >= kDragStart;
    if (!drag_->started) return;
  }
  switch (drag_->kind) {
    case GraphDrag::Kind::Pan: {
      scrollBy(at - drag_->last);
      noteMovement();
      break;
    }
    case GraphDrag::Kind::Nodes:
      moveNodes(at);
      break;
    case GraphDrag::Kind::Band:
      moveBand(at);
      break;
    case GraphDrag::Kind::Wire:
      moveWireEnd(at);
      break;
    case GraphDrag::Kind::None:
      break;
  }
  drag_->last = at;
}

void GraphView::moveNodes(const QPoint& at) {
  if (!editable_) return;
  if (drag_->before.isEmpty()) {
    for (const QString& id : selectedNodes()) drag_->before.insert(id, scene_->item(id)->pos());
    if (!drag_->before.contains(drag_->pressed)) return;
  }
  // The pressed node snaps to the grid and the others keep their distance from it.
  const QPointF start = drag_->before.value(drag_->pressed);
  const QPointF way = snapped(start + sceneAt(at) - drag_->sceneOrigin) - start;
  QHash<QString, QPointF> positions;
  for (auto entry = drag_->before.cbegin(); entry != drag_->before.cend(); ++entry) {
    positions.insert(entry.key(), entry.value() + way);
  }
  scene_->displace(positions);
  minimap_->invalidate();
  noteMovement();
}

void GraphView::moveBand(const QPoint& at) {
  const QRectF band = QRectF(drag_->sceneOrigin, sceneAt(at)).normalized();
  QStringList ids = drag_->kept;
  for (const GraphNode& node : graph().nodes) {
    if (scene_->item(node.id)->frame().intersects(band)) ids.append(node.id);
  }
  viewport()->update();
  if (scene_->selectNodes(ids)) announceSelection();
}

void GraphView::moveWireEnd(const QPoint& at) {
  drag_->end = sceneAt(at);
  const int wanted = drag_->from.output ? 0 : 1;
  drag_->target = scene_->portAt(drag_->end, portReach(), wanted);
  if (!drag_->target.isValid()) {
    // Over a body the nearest fitting port is meant.
    const NodeItem* item = scene_->itemAtPoint(drag_->end);
    if (item && item->node().id != drag_->from.node) {
      const PortHit near = scene_->portAt(drag_->end, canvas::kNodeWidth, wanted);
      if (near.node == item->node().id) drag_->target = near;
    }
  }
  if (drag_->target.node == drag_->from.node) drag_->target = {};
  viewport()->update();
}

void GraphView::hoverAt(const QPoint& at) {
  const QString node = viewport()->rect().contains(at) ? nodeAt(at) : QString();
  const bool wire = node.isEmpty() && viewport()->rect().contains(at);
  scene_->wires().setHovered(wire ? scene_->wires().wireAt(sceneAt(at), kWireReach / zoom()) : -1);
  if (node == hovered_) return;
  if (NodeItem* old = scene_->item(hovered_)) old->setHovered(false);
  hovered_ = node;
  if (NodeItem* item = scene_->item(node)) item->setHovered(true);
  Q_EMIT nodeHovered(node);
}

void GraphView::mouseReleaseEvent(QMouseEvent*) {
  const GraphDrag::Kind kind = drag_->kind;
  if (kind == GraphDrag::Kind::Nodes) endNodes();
  if (kind == GraphDrag::Kind::Wire) endWire();
  drag_->kind = GraphDrag::Kind::None;
  if (kind == GraphDrag::Kind::Pan) {
    viewport()->setCursor(spaceHeld_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
  }
  viewport()->update();
}

void GraphView::endNodes() {
  if (!drag_->started) {
    if (drag_->narrowsOnRelease) {
      const bool wires = scene_->wires().clearSelection();
      if (scene_->selectNodes({drag_->pressed}) || wires) announceSelection();
    }
    if (drag_->follows) Q_EMIT followed(drag_->pressed);
    return;
  }
  QList<NodeMove> moves;
  for (const GraphNode& node : graph().nodes) {
    const auto before = drag_->before.constFind(node.id);
    if (before == drag_->before.cend()) continue;
    const QPointF after = scene_->item(node.id)->pos();
    if (after != *before) moves.append({node.id, *before, after});
  }
  if (!moves.isEmpty()) Q_EMIT nodesMoved(moves);
}

void GraphView::endWire() {
  const PortHit from = drag_->from;
  const PortHit to = drag_->target;
  if (!drag_->started) {
    drag_->kind = GraphDrag::Kind::None;
    pressNode(from.node, {});
    endNodes();
    return;
  }
  if (to.isValid()) {
    const PortHit& source = from.output ? from : to;
    const PortHit& sink = from.output ? to : from;
    Q_EMIT connectRequested(source.node, source.port, sink.node, sink.port);
  }
}

void GraphView::cancelDrag() {
  if (drag_->kind == GraphDrag::Kind::Nodes && drag_->started) {
    scene_->displace(drag_->before);
    scene_->setGraph(GraphData(scene_->graph()));
    minimap_->invalidate();
  }
  drag_->kind = GraphDrag::Kind::None;
  viewport()->update();
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const QString node = nodeAt(event->position().toPoint());
  if (!node.isEmpty()) Q_EMIT activated(node);
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const QString node = byKey ? current_ : nodeAt(event->pos());
  if (!node.isEmpty() && !scene_->item(node)->isSelected()) {
    scene_->wires().clearSelection();
    scene_->selectNodes({node});
    makeCurrent(node);
    announceSelection();
  }
  QPoint at = event->globalPos();
  if (byKey && !node.isEmpty()) at = viewport()->mapToGlobal(nodeArea(node).center());
  Q_EMIT contextMenuRequested(node, at);
}

}  // namespace tenon::ui
