// SPDX-License-Identifier: GPL-3.0-or-later
// Laying, finding and painting of wires (wire_layer.h).
#include "ui/graphview/wire_layer.h"

#include <QPainter>
#include <QSet>
#include <QStyleOptionGraphicsItem>
#include <algorithm>

#include "ui/graphview/graph_scene.h"
#include "ui/graphview/node_item.h"
#include "ui/graphview/wire_path.h"

namespace tenon::ui {
namespace {

constexpr double kMostSwing = 124;   // how far along the flow a path may lie beyond its ends
constexpr double kLabelReach = 100;  // half of the longest label

QPen cosmetic(const QColor& color, double width, bool dashed = false) {
  QPen pen(color, width, dashed ? Qt::DashLine : Qt::SolidLine);
  pen.setCosmetic(true);
  return pen;
}

/// The path as one polyline.
QPolygonF flattened(const QPainterPath& path) {
  QPolygonF line;
  for (int i = 0; i < path.elementCount(); ++i) {
    const auto element = path.elementAt(i);
    if (element.type != QPainterPath::CurveToElement) {
      line.append(element);
      continue;
    }
    constexpr int kPieces = 12;
    const QPointF a = line.last();
    const QPointF b = element;
    const QPointF c = path.elementAt(i + 1);
    const QPointF d = path.elementAt(i + 2);
    for (int k = 1; k <= kPieces; ++k) {
      const double t = static_cast<double>(k) / kPieces;
      const double s = 1 - t;
      line.append(s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d);
    }
    i += 2;
  }
  return line;
}

}  // namespace

WireLayer::WireLayer(const GraphScene& scene) : scene_(scene) {
  setFlag(ItemUsesExtendedStyleOption);
  setZValue(-1);
}

void WireLayer::setEdges(const QList<GraphEdge>& edges) {
  QList<GraphEdge> kept;
  for (const int index : selected()) kept.append(edges_[index]);
  edges_ = edges;
  wires_ = QList<Wire>(edges.size());
  wiresOf_.clear();
  for (int i = 0; !kept.isEmpty() && i < static_cast<int>(edges_.size()); ++i) {
    wires_[i].selected = std::any_of(kept.cbegin(), kept.cend(), [&](const GraphEdge& edge) {
      return edge.sameEnds(edges_[i]);
    });
  }
  hovered_ = -1;
  layAll();
}

void WireLayer::layAll() {
  for (int i = 0; i < static_cast<int>(edges_.size()); ++i) place(i, false);
  updateBounds();
}

void WireLayer::follow(const QStringList& nodes, bool loose) {
  if (wiresOf_.isEmpty()) {
    for (int i = 0; i < static_cast<int>(edges_.size()); ++i) {
      wiresOf_[edges_[i].from].append(i);
      if (edges_[i].to != edges_[i].from) wiresOf_[edges_[i].to].append(i);
    }
  }
  QSet<int> touched;
  for (const QString& node : nodes) {
    for (const int index : wiresOf_.value(node)) touched.insert(index);
  }
  for (const int index : std::as_const(touched)) place(index, loose);
  updateBounds();
}

/// Finds the ends and a box that the path cannot leave.
void WireLayer::place(int index, bool loose) {
  const GraphEdge& edge = edges_[index];
  Wire& wire = wires_[index];
  const NodeItem* from = scene_.item(edge.from);
  const NodeItem* to = scene_.item(edge.to);
  wire.hidden = !from || !to;
  wire.laid = false;
  if (wire.hidden) return;
  wire.start = from->port(true, edge.fromPort);
  wire.end = to->port(false, edge.toPort);
  wire.loose = loose;
  QPolygonF corners{wire.start, wire.end};
  if (!loose) corners += QPolygonF(edge.via);
  const bool down = scene_.flow() == Flow::TopDown;
  wire.bounds = corners.boundingRect().adjusted(down ? -2 : -kMostSwing, down ? -kMostSwing : -2,
                                                down ? 2 : kMostSwing, down ? kMostSwing : 2);
  const auto dim = [&](const QString& id) { return scene_.isDimmed(id); };
  wire.dimmed = dim(edge.from) || dim(edge.to);
}

const WireLayer::Wire& WireLayer::laid(int index) const {
  Wire& wire = wires_[index];
  if (wire.laid || wire.hidden) return wire;
  const QPointF start = wire.start;
  const QList<QPointF> via = wire.loose ? QList<QPointF>() : edges_[index].via;
  wire.path = wirePath(start, wire.end, via, scene_.flow(), scene_.wireShape());
  wire.line = flattened(wire.path);
  wire.bounds = wire.line.boundingRect().adjusted(-2, -2, 2, 2);
  // In a long wire the label stands in its first piece, near the node that makes the tensor.
  const QPointF turn =
      scene_.flow() == Flow::TopDown ? QPointF(0, kColumnTurn) : QPointF(kColumnTurn, 0);
  wire.middle = !via.isEmpty()                               ? (start + via.constFirst()) / 2
                : runsBeside(start, wire.end, scene_.flow()) ? start + turn
                                                             : wire.path.pointAtPercent(0.5);
  wire.laid = true;
  return wire;
}

void WireLayer::updateBounds() {
  QRectF all;
  for (const Wire& wire : std::as_const(wires_)) {
    if (!wire.hidden) all |= wire.bounds;
  }
  // Labels may stand over the ends.
  all.adjust(-100, -20, 100, 20);
  if (all != bounds_) {
    prepareGeometryChange();
    bounds_ = all;
  }
  update();
}

int WireLayer::wireAt(const QPointF& point, double tolerance) const {
  int best = -1;
  double least = tolerance;
  for (int i = 0; i < static_cast<int>(wires_.size()); ++i) {
    const Wire& wire = wires_.at(i);
    const QRectF reach = wire.bounds.adjusted(-tolerance, -tolerance, tolerance, tolerance);
    if (wire.hidden || !reach.contains(point)) continue;
    const double distance = distanceTo(laid(i).line, point);
    if (distance <= least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

QRectF WireLayer::wireRect(int index) const {
  return index >= 0 && index < wires_.size() ? laid(index).bounds : QRectF();
}

QList<int> WireLayer::selected() const {
  QList<int> indexes;
  for (int i = 0; i < static_cast<int>(wires_.size()); ++i) {
    if (wires_.at(i).selected) indexes.append(i);
  }
  return indexes;
}

void WireLayer::setSelected(int index, bool selected) {
  wires_[index].selected = selected;
  update();
}

bool WireLayer::clearSelection() {
  bool had = false;
  for (Wire& wire : wires_) had |= std::exchange(wire.selected, false);
  if (had) update();
  return had;
}

void WireLayer::setHovered(int index) {
  if (std::exchange(hovered_, index) != index) update();
}

QRectF WireLayer::boundingRect() const { return bounds_; }

void WireLayer::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
  const double zoom =
      QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
  const QRectF exposed = option->exposedRect.adjusted(-4, -4, 4, 4);
  painter->setBrush(Qt::NoBrush);
  if (zoom < canvas::kNamesOnly) {
    painter->setRenderHint(QPainter::Antialiasing, false);
    paintStraight(*painter, exposed);
  } else {
    painter->setRenderHint(QPainter::Antialiasing, !scene_.isCoarse());
    paintCurves(*painter, exposed);
  }
  painter->setRenderHint(QPainter::Antialiasing, !scene_.isCoarse());
  paintStrong(*painter, exposed);
  if (zoom > canvas::kFullDetail && !scene_.isCoarse()) paintLabels(*painter, exposed);
}

void WireLayer::paintStraight(QPainter& painter, const QRectF& exposed) const {
  QList<QLineF> lines;
  lines.reserve(wires_.size());
  for (const Wire& wire : std::as_const(wires_)) {
    if (wire.hidden || wire.dimmed || !wire.bounds.intersects(exposed)) continue;
    lines.append(QLineF(wire.start, wire.end));
  }
  painter.setPen(cosmetic(scene_.look().wire, 1));
  painter.drawLines(lines);
}

void WireLayer::paintCurves(QPainter& painter, const QRectF& exposed) const {
  const QPen solid = cosmetic(scene_.look().wire, 1);
  const QPen dashed = cosmetic(scene_.look().wire, 1, !scene_.isCoarse());
  QColor faint = scene_.look().wire;
  faint.setAlphaF(0.3F);
  for (int i = 0; i < static_cast<int>(wires_.size()); ++i) {
    if (wires_.at(i).hidden || !wires_.at(i).bounds.intersects(exposed)) continue;
    const Wire& wire = laid(i);
    painter.setPen(wire.dimmed ? cosmetic(faint, 1) : (edges_[i].dashed ? dashed : solid));
    if (scene_.isCoarse()) {
      painter.drawPolyline(wire.line);
    } else {
      painter.drawPath(wire.path);
    }
  }
}

void WireLayer::paintStrong(QPainter& painter, const QRectF& exposed) const {
  for (int i = 0; i < static_cast<int>(wires_.size()); ++i) {
    const bool strong = wires_.at(i).selected || i == hovered_;
    if (!strong || wires_.at(i).hidden || !wires_.at(i).bounds.intersects(exposed)) continue;
    const Wire& wire = laid(i);
    const QColor color = wire.selected ? scene_.look().accent : scene_.look().text;
    painter.setPen(cosmetic(color, 2, edges_[i].dashed));
    painter.drawPath(wire.path);
  }
}

void WireLayer::paintLabels(QPainter& painter, const QRectF& exposed) const {
  const QFontMetricsF metrics(scene_.smallFont());
  painter.setFont(scene_.smallFont());
  QList<QRectF> taken;
  const auto draw = [&](int i) {
    if (wires_.at(i).hidden || wires_.at(i).dimmed || edges_[i].label.isEmpty()) return;
    if (!wires_.at(i)
             .bounds.adjusted(-kLabelReach, -kLabelReach, kLabelReach, kLabelReach)
             .intersects(exposed))
      return;
    const Wire& wire = laid(i);
    QRectF room(0, 0, metrics.horizontalAdvance(edges_[i].label) + 8, metrics.height());
    room.moveCenter(wire.middle);
    const auto hits = [&](const QRectF& other) { return other.intersects(room); };
    if (!hits(exposed) || std::any_of(taken.cbegin(), taken.cend(), hits)) return;
    taken.append(room);
    painter.fillRect(room, scene_.groundAt(wire.middle));
    painter.setPen(wire.selected ? scene_.look().text : scene_.look().secondary);
    painter.drawText(room, Qt::AlignCenter | Qt::TextSingleLine, edges_[i].label);
  };
  // Where labels crowd, that of a selected wire is the one to read.
  for (const int i : selected()) draw(i);
  for (int i = 0; i < static_cast<int>(wires_.size()); ++i) {
    if (!wires_.at(i).selected) draw(i);
  }
}

}  // namespace tenon::ui
