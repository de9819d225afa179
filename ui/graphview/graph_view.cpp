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
constexpr double kFrameMargin = 48;  // around the beginning of a graph too large to be shown whole
constexpr double kReadZoom = 0.75;   // at which second lines can be read
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
  buildKeys();
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
  keyAction(QStringLiteral("graph.delete"))->setVisible(editable);  // not offered, nor listed
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
  keeps_ = Keeps::Place;
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
  keeps_ = Keeps::Place;
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - way.x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() - way.y());
}

void GraphView::fitAll() {
  keeps_ = Keeps::All;
  fitAgain();
}

void GraphView::frame(double readable) {
  keeps_ = Keeps::Beginning;
  readable_ = readable;
  fitAgain();
}

void GraphView::fitAgain() {
  fittedFor_ = size();
  fitRect(scene_->contents());
  if (keeps_ == Keeps::Beginning && zoom() < readable_ && !graph().nodes.isEmpty()) showBeginning();
}

/// Where the nodes of the first layer that nothing leads to stand across the flow, on an average.
double GraphView::inputsAcross() const {
  const bool down = scene_->flow() == Flow::TopDown;
  const QRectF all = scene_->contents();
  const double edge = (down ? all.top() : all.left()) + canvas::kNodeHeight;
  QSet<QString> fed;
  for (const GraphEdge& edge : graph().edges) fed.insert(edge.to);
  double sum = 0;
  int count = 0;
  for (const GraphNode& node : graph().nodes) {
    const QRectF box = scene_->item(node.id)->frame();
    if (fed.contains(node.id) || (down ? box.top() : box.left()) > edge) continue;
    sum += down ? box.center().x() : box.center().y();
    ++count;
  }
  const QPointF center = all.center();
  return count > 0 ? sum / count : (down ? center.x() : center.y());
}

void GraphView::showBeginning() {
  const bool down = scene_->flow() == Flow::TopDown;
  const auto across = [down](const QPointF& at) { return down ? at.x() : at.y(); };
  const auto along = [down](const QPointF& at) { return down ? at.y() : at.x(); };
  const QRectF all = scene_->contents();
  const QPointF port(viewport()->width(), viewport()->height());
  const double breadth = across(all.bottomRight() - all.topLeft());
  double zoom = (across(port) - 2 * kFrameMargin) / breadth;
  zoom = zoom < readable_ ? std::max(readable_, kReadZoom) : std::min(zoom, 1.0);
  applyZoom(zoom, QPointF(0, 0));
  const QPointF seen = port / zoom;
  double middle = across(all.center());
  if (breadth > across(seen)) {
    // Too broad as well: the inputs are the beginning, with no more of the void than a margin.
    const double margin = kFrameMargin / zoom;
    middle = std::clamp(inputsAcross(), across(all.topLeft()) + across(seen) / 2 - margin,
                        across(all.bottomRight()) - across(seen) / 2 + margin);
  } else if (down && minimap_->isVisible()) {
    // Where there is room for both, the minimap covers nothing.
    const double room = minimap_->width() + 2.0 * kMinimapGap;
    if (across(port) - breadth * zoom > room + kFrameMargin) middle += room / 2 / zoom;
  }
  const double start = along(all.topLeft()) + along(seen) / 2 - kFrameMargin / 2 / zoom;
  centerOn(down ? QPointF(middle, start) : QPointF(start, middle));
  viewport()->update();
}

void GraphView::fitNodes(const QStringList& ids) {
  QRectF rect;
  for (const QString& id : ids) {
    if (const NodeItem* item = scene_->item(id)) rect |= item->frame();
  }
  if (rect.isEmpty()) return;
  keeps_ = Keeps::Place;
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
  keeps_ = Keeps::Place;
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
