// SPDX-License-Identifier: GPL-3.0-or-later
// Applies graphs to items by differences (graph_scene.h).
#include "ui/graphview/graph_scene.h"

#include <algorithm>
#include <cmath>

#include "ui/graphview/group_layer.h"
#include "ui/graphview/node_item.h"
#include "ui/graphview/wire_layer.h"

namespace tenon::ui {

GraphScene::GraphScene(QObject* parent)
    : QGraphicsScene(parent), wires_(new WireLayer(*this)), groups_(new GroupLayer(*this)) {
  // Wires are one item and frames another: a tree over the nodes costs more than it finds.
  setItemIndexMethod(NoIndex);
  addItem(groups_);
  addItem(wires_);
}

GraphScene::~GraphScene() {
  // Items look at this scene when they go.
  clear();
}

GraphDiff GraphScene::setGraph(const GraphData& graph) {
  GraphDiff changes = diff(graph_, graph);
  if (changes.isEmpty() && displaced_.isEmpty()) return changes;
  graph_ = graph;
  const auto indexes = graph_.indexOfIds();
  removeNodes(changes.removedNodes);
  addNodes(changes.addedNodes, indexes);
  for (const QString& id : changes.changedNodes) items_[id]->setNode(graph_.nodes[indexes[id]]);
  QStringList moved = changes.movedNodes;
  for (const QString& id : std::as_const(displaced_)) {
    if (indexes.contains(id) && !moved.contains(id)) moved.append(id);
  }
  displaced_.clear();
  for (const QString& id : std::as_const(moved))
    items_[id]->setPos(graph_.nodes[indexes[id]].position);
  const bool nodesDiffer = !changes.addedNodes.isEmpty() || !changes.removedNodes.isEmpty();
  // The number of ports decides where wires end.
  if (changes.edgesChanged || nodesDiffer) {
    wires_->setEdges(graph_.edges);
  } else {
    wires_->follow(moved + changes.changedNodes, false);
  }
  groups_->refresh();
  update();
  return changes;
}

void GraphScene::removeNodes(const QStringList& ids) {
  for (const QString& id : ids) delete items_.take(id);
}

void GraphScene::addNodes(const QStringList& ids, const QHash<QString, int>& indexes) {
  for (const QString& id : ids) {
    if (items_.contains(id)) continue;
    auto* item = new NodeItem(*this, graph_.nodes[indexes[id]]);
    items_.insert(id, item);
    item->setDimmed(isDimmed(id));
    addItem(item);
  }
}

void GraphScene::setGraphStyle(const GraphStyle& style) {
  look_ = style;
  update();
}

void GraphScene::setFonts(const QFont& base) {
  titleFont_ = base;
  titleFont_.setPointSizeF(10);
  smallFont_ = base;
  smallFont_.setPointSizeF(9);
  update();
}

void GraphScene::setFlow(Flow flow) {
  flow_ = flow;
  wires_->layAll();
  update();
}

void GraphScene::setWireShape(WireShape shape) {
  wireShape_ = shape;
  wires_->layAll();
  update();
}

void GraphScene::setCoarse(bool coarse) {
  if (std::exchange(coarse_, coarse) != coarse) update();
}

void GraphScene::setShowsFocus(bool shows) {
  if (std::exchange(showsFocus_, shows) != shows) update();
}

NodeItem* GraphScene::itemAtPoint(const QPointF& point) const {
  // Later nodes lie above earlier ones.
  for (auto node = graph_.nodes.crbegin(); node != graph_.nodes.crend(); ++node) {
    NodeItem* item = items_.value(node->id);
    if (item && item->frame().contains(point)) return item;
  }
  return nullptr;
}

PortHit GraphScene::portAt(const QPointF& point, double reach, int wanted) const {
  PortHit best;
  double least = reach;
  for (const GraphNode& node : graph_.nodes) {
    const NodeItem* item = items_.value(node.id);
    const QRectF around = item->frame().adjusted(-reach, -reach, reach, reach);
    if (!around.contains(point)) continue;
    for (const bool output : {false, true}) {
      if (wanted >= 0 && wanted != static_cast<int>(output)) continue;
      const auto& ports = output ? item->node().outputs : item->node().inputs;
      for (int i = 0; i < static_cast<int>(ports.size()); ++i) {
        const QPointF at = item->port(output, i);
        // A square of 24 px is hit, the nearest port of several wins.
        const double distance =
            std::max(std::fabs(at.x() - point.x()), std::fabs(at.y() - point.y()));
        if (distance > least) continue;
        least = distance;
        best = {node.id, i, output, at};
      }
    }
  }
  return best;
}

QColor GraphScene::groundAt(const QPointF& point) const {
  return groups_->covers(point) ? groups_->fill() : look_.ground;
}

QRectF GraphScene::contents() const {
  QRectF all;
  for (const NodeItem* item : items_) all |= item->frame();
  return all | groups_->boundingRect();
}

QStringList GraphScene::selectedNodes() const {
  QStringList ids;
  for (const GraphNode& node : graph_.nodes) {
    if (items_.value(node.id)->isSelected()) ids.append(node.id);
  }
  return ids;
}

bool GraphScene::selectNodes(const QStringList& ids) {
  const QSet<QString> wanted(ids.cbegin(), ids.cend());
  bool changed = false;
  for (auto item = items_.cbegin(); item != items_.cend(); ++item) {
    const bool select = wanted.contains(item.key());
    if (item.value()->isSelected() == select) continue;
    item.value()->setSelected(select);
    changed = true;
  }
  return changed;
}

void GraphScene::setHighlighted(const QStringList& ids) {
  highlighted_ = QSet<QString>(ids.cbegin(), ids.cend());
  for (auto item = items_.cbegin(); item != items_.cend(); ++item) {
    item.value()->setDimmed(isDimmed(item.key()));
  }
  wires_->layAll();
}

bool GraphScene::isDimmed(const QString& id) const {
  return !highlighted_.isEmpty() && !highlighted_.contains(id);
}

void GraphScene::displace(const QHash<QString, QPointF>& positions) {
  for (auto entry = positions.cbegin(); entry != positions.cend(); ++entry) {
    if (NodeItem* item = items_.value(entry.key())) {
      item->setPos(entry.value());
      displaced_.insert(entry.key());
    }
  }
  wires_->follow(positions.keys(), true);
  groups_->refresh();
}

}  // namespace tenon::ui
