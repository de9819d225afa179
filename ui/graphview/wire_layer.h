// SPDX-License-Identifier: GPL-3.0-or-later
// All wires of the canvas as one item: culled, batched, with labels, selection and hit test.
#pragma once

#include <QGraphicsItem>
#include <QHash>
#include <QPainterPath>

#include "ui/graphview/graph_data.h"

namespace tenon::ui {

class GraphScene;

class WireLayer final : public QGraphicsItem {
 public:
  explicit WireLayer(const GraphScene& scene);

  /// Takes the edges anew; selected ones of equal ends stay selected.
  void setEdges(const QList<GraphEdge>& edges);
  /// Lays the wires of these nodes anew; while `loose`, bends of the layout do not count.
  void follow(const QStringList& nodes, bool loose);
  void layAll();

  /// Index of the wire within `tolerance` scene units, -1 for none.
  [[nodiscard]] int wireAt(const QPointF& point, double tolerance) const;
  [[nodiscard]] const QList<GraphEdge>& edges() const { return edges_; }
  [[nodiscard]] QRectF wireRect(int index) const;

  [[nodiscard]] QList<int> selected() const;
  void setSelected(int index, bool selected);
  /// Clears it; true when one was selected.
  bool clearSelection();
  void setHovered(int index);

  [[nodiscard]] QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  struct Wire {
    QPointF start;
    QPointF end;
    QRectF bounds;  ///< around the path; a little more until it is laid
    bool loose = false;
    // Once it is seen from near:
    bool laid = false;
    QPainterPath path;
    QPolygonF line;      ///< flattened, for hits and coarse drawing
    QPointF middle;      ///< of the label
    bool hidden = true;  ///< an end is missing
    bool selected = false;
    bool dimmed = false;
  };

  void place(int index, bool loose);
  [[nodiscard]] const Wire& laid(int index) const;
  void updateBounds();
  void paintStraight(QPainter& painter, const QRectF& exposed) const;
  void paintCurves(QPainter& painter, const QRectF& exposed) const;
  void paintStrong(QPainter& painter, const QRectF& exposed) const;
  void paintLabels(QPainter& painter, const QRectF& exposed) const;

  const GraphScene& scene_;
  QList<GraphEdge> edges_;
  mutable QList<Wire> wires_;  ///< paths are made when they are looked at: most are far away
  QHash<QString, QList<int>> wiresOf_;  ///< made when the first node moves
  QRectF bounds_;
  int hovered_ = -1;
};

}  // namespace tenon::ui
