// SPDX-License-Identifier: GPL-3.0-or-later
// Showing, zooming, fitting and selecting on the canvas (graph_view.h).
#include "ui/graphview/graph_view.h"

#include <QAccessible>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <cmath>

#include "ui/graphview/graph_accessible.h"
#include "ui/graphview/graph_drag.h"
#include "ui/graphview/graph_navigation.h"
#include "ui/graphview/graph_scene.h"
#include "ui/graphview/minimap.h"
#include "ui/graphview/node_item.h"
#include "ui/graphview/wire_layer.h"

namespace tenon::ui {
namespace {

constexpr double kWorld = 500'000;  // half the width of the plane one can pan over
constexpr double kFitMargin = 16;
constexpr int kMinimapGap = 8;

}  // namespace

GraphView::GraphView(QWidget* parent)
    : QGraphicsView(parent),
      scene_(std::make_unique<GraphScene>()),
      drag_(std::make_unique<GraphDrag>()) {
  installGraphAccessibility();
  setScene(scene_.get());
  setFrameShape(QFrame::NoFrame);
  setSceneRect(-kWorld, -kWorld, 2 * kWorld, 2 * kWorld);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTransformationAnchor(NoAnchor);
  setResizeAnchor(AnchorViewCenter);
  setViewportUpdateMode(FullViewportUpdate);
  setOptimizationFlags(DontSavePainterState | DontAdjustForAntialiasing);
  // drawBackground covers everything: the widget need not fill first.
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Graph"));
  minimap_ = new Minimap(*this, *scene_);
  minimap_->hide();
  rest_ = new QTimer(this);
  rest_->setSingleShot(true);
  rest_->setInterval(canvas::kRestMs);
  connect(rest_, &QTimer::timeout, this, [this] {
    moving_ = false;
    scene_->setCoarse(false);
    viewport()->update();
  });
  takeStyle();
  centerOn(0, 0);
}

GraphView::~GraphView() { setScene(nullptr); }

void GraphView::setGraph(const GraphData& graph) {
  if (drag_->kind == GraphDrag::Kind::Nodes || drag_->kind == GraphDrag::Kind::Wire) cancelDrag();
  const QStringList before = selectedNodes();
  const GraphDiff changes = scene_->setGraph(graph);
  if (!scene_->item(current_)) makeCurrent({});
  if (!scene_->item(hovered_)) hovered_.clear();
  const bool shown = !graph.nodes.isEmpty();
  minimap_->setVisible(shown && !minimap_->property("hiddenByOwner").toBool());
  minimap_->invalidate();
  if (!changes.addedNodes.isEmpty() || !changes.removedNodes.isEmpty()) {
    QAccessibleEvent event(this, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
  }
  viewport()->update();
  if (selectedNodes() != before) announceSelection();
}

const GraphData& GraphView::graph() const { return scene_->graph(); }

void GraphView::setGraphStyle(const GraphStyle& style) {
  styled_ = true;
  scene_->setGraphStyle(style);
  minimap_->invalidate();
  viewport()->update();
}

const GraphStyle& GraphView::graphStyle() const { return scene_->look(); }

void GraphView::takeStyle() {
  scene_->setFonts(font());
  if (!styled_) scene_->setGraphStyle(GraphStyle::fromPalette(palette()));
  minimap_->invalidate();
}

void GraphView::setFlow(Flow flow) { scene_->setFlow(flow); }

void GraphView::setWireShape(WireShape shape) { scene_->setWireShape(shape); }

void GraphView::setEditable(bool editable) {
  editable_ = editable;
  if (!editable) cancelDrag();
}

void GraphView::setMinimapVisible(bool visible) {
  minimap_->setProperty("hiddenByOwner", !visible);
  minimap_->setVisible(visible && !graph().nodes.isEmpty());
}

QStringList GraphView::selectedNodes() const { return scene_->selectedNodes(); }

QList<GraphEdge> GraphView::selectedEdges() const {
  QList<GraphEdge> edges;
  for (const int index : scene_->wires().selected()) edges.append(scene_->wires().edges()[index]);
  return edges;
}

void GraphView::setSelectedNodes(const QStringList& ids) {
  scene_->wires().clearSelection();
  scene_->selectNodes(ids);
  if (!ids.contains(current_)) makeCurrent(ids.size() == 1 ? ids.constFirst() : QString());
  minimap_->invalidate();
}

void GraphView::selectAll() {
  QStringList ids;
  for (const GraphNode& node : graph().nodes) ids.append(node.id);
  if (scene_->selectNodes(ids)) announceSelection();
}

void GraphView::clearSelection() {
  const bool wires = scene_->wires().clearSelection();
  if (scene_->selectNodes({}) || wires) announceSelection();
}

void GraphView::announceSelection() {
  minimap_->invalidate();
  Q_EMIT selectionChanged(selectedNodes());
}

void GraphView::setCurrentNode(const QString& id) {
  if (!scene_->item(id)) return;
  scene_->wires().clearSelection();
  scene_->selectNodes({id});
  makeCurrent(id);
  showNode(id);
  minimap_->invalidate();
}

void GraphView::makeCurrent(const QString& id) {
  if (NodeItem* old = scene_->item(current_)) old->setCurrent(false);
  current_ = scene_->item(id) ? id : QString();
  if (current_.isEmpty()) return;
  scene_->item(current_)->setCurrent(true);
  if (!hasFocus()) return;
  QAccessibleEvent event(this, QAccessible::Focus);
  event.setChild(static_cast<int>(graph().indexOfIds().value(current_)));
  QAccessible::updateAccessibility(&event);
}

double GraphView::zoom() const { return transform().m11(); }

QPointF GraphView::sceneAt(const QPointF& viewportPosition) const {
  return viewportTransform().inverted().map(viewportPosition);
}

void GraphView::setZoom(double zoom, const QPointF& anchor) {
  keepsFit_ = false;
  applyZoom(zoom, anchor);
}

void GraphView::applyZoom(double zoom, const QPointF& anchor) {
  if (!std::isfinite(zoom)) return;
  const double wanted = std::clamp(zoom, canvas::kMinZoom, canvas::kMaxZoom);
  const QPointF fixed = sceneAt(anchor);
  setTransform(QTransform::fromScale(wanted, wanted));
  const QPointF off = viewportTransform().map(fixed) - anchor;
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() +
                                  static_cast<int>(std::lround(off.x())));
  verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                static_cast<int>(std::lround(off.y())));
  minimap_->update();
}

void GraphView::scrollBy(const QPoint& way) {
  keepsFit_ = false;
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - way.x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() - way.y());
}

void GraphView::fitAll() {
  fitRect(scene_->contents());
  keepsFit_ = true;
}

void GraphView::fitNodes(const QStringList& ids) {
  QRectF rect;
  for (const QString& id : ids) {
    if (const NodeItem* item = scene_->item(id)) rect |= item->frame();
  }
  if (rect.isEmpty()) return;
  keepsFit_ = false;
  fitRect(rect);
}

void GraphView::fitRect(const QRectF& rect) {
  double wanted = 1.0;
  if (!rect.isEmpty()) {
    const double width = std::max(1.0, viewport()->width() - 2 * kFitMargin);
    const double height = std::max(1.0, viewport()->height() - 2 * kFitMargin);
    wanted = std::min({1.0, width / rect.width(), height / rect.height()});
  }
  applyZoom(wanted, QPointF(viewport()->rect().center()));
  centerOn(rect.isEmpty() ? QPointF(0, 0) : rect.center());
  viewport()->update();
}

void GraphView::showNode(const QString& id) {
  const NodeItem* item = scene_->item(id);
  if (!item) return;
  const QRectF visible = viewportTransform().inverted().mapRect(QRectF(viewport()->rect()));
  if (visible.contains(item->frame())) return;
  keepsFit_ = false;
  centerOn(item->frame().center());
}

QStringList GraphView::find(const QString& text) const {
  QStringList found;
  if (text.isEmpty()) return found;
  for (const QString& id : topologicalOrder(graph())) {
    const GraphNode& node = scene_->item(id)->node();
    const bool hit = node.title.contains(text, Qt::CaseInsensitive) ||
                     node.kind.contains(text, Qt::CaseInsensitive) ||
                     node.subtitle.contains(text, Qt::CaseInsensitive);
    if (hit) found.append(id);
  }
  return found;
}

void GraphView::setHighlighted(const QStringList& ids) {
  scene_->setHighlighted(ids);
  viewport()->update();
}

void GraphView::setPlaceholder(const QString& text) {
  placeholder_ = text;
  viewport()->update();
}

QString GraphView::nodeAt(const QPoint& viewportPosition) const {
  const NodeItem* item = scene_->itemAtPoint(sceneAt(viewportPosition));
  return item ? item->node().id : QString();
}

QRect GraphView::nodeArea(const QString& id) const {
  const NodeItem* item = scene_->item(id);
  return item ? viewportTransform().mapRect(item->frame()).toAlignedRect() : QRect();
}

QRect GraphView::edgeArea(int index) const {
  return viewportTransform().mapRect(scene_->wires().wireRect(index)).toAlignedRect();
}

void GraphView::noteMovement() {
  moving_ = true;
  scene_->setCoarse(true);
  rest_->start();
  minimap_->update();
}

void GraphView::placeMinimap() {
  minimap_->move(width() - minimap_->width() - kMinimapGap,
                 height() - minimap_->height() - kMinimapGap);
}

}  // namespace tenon::ui
