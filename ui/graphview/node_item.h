// SPDX-License-Identifier: GPL-3.0-or-later
// One box of the canvas, drawn in as much detail as the zoom shows.
#pragma once

#include <QGraphicsItem>

#include "ui/graphview/graph_data.h"

namespace tenon::ui {

class GraphScene;

class NodeItem final : public QGraphicsItem {
 public:
  enum { Type = UserType + 1 };

  NodeItem(const GraphScene& scene, const GraphNode& node);

  [[nodiscard]] int type() const override { return Type; }
  [[nodiscard]] const GraphNode& node() const { return node_; }
  /// Takes a new face; the position stays.
  void setNode(const GraphNode& node);
  void setCurrent(bool current);
  void setHovered(bool hovered);
  void setDimmed(bool dimmed);

  /// The box without ports and frames, in scene coordinates.
  [[nodiscard]] QRectF frame() const;
  [[nodiscard]] QPointF port(bool output, int index) const;

  [[nodiscard]] QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  void paintBlock(QPainter& painter) const;
  void paintBox(QPainter& painter, double zoom) const;
  void paintTexts(QPainter& painter, double zoom) const;
  void paintMarks(QPainter& painter, double middle, double& right) const;
  void paintPorts(QPainter& painter) const;
  void paintSelection(QPainter& painter, double zoom) const;

  const GraphScene& scene_;
  GraphNode node_;
  bool current_ = false;
  bool hovered_ = false;
  bool dimmed_ = false;
};

}  // namespace tenon::ui
