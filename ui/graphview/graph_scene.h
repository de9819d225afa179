// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a graph: keeps them equal to a GraphData by differences, knows what is selected,
// dimmed and moving.
#pragma once

#include <QFont>
#include <QGraphicsScene>
#include <QHash>
#include <QSet>

#include "ui/graphview/graph_data.h"
#include "ui/graphview/graph_style.h"
#include "ui/graphview/layered_layout.h"
#include "ui/graphview/wire_path.h"

namespace tenon::ui {

class GroupLayer;
class NodeItem;
class WireLayer;

/// A port found under the pointer.
struct PortHit {
  QString node;
  int port = -1;
  bool output = false;
  QPointF point;

  [[nodiscard]] bool isValid() const { return port >= 0; }
};

class GraphScene final : public QGraphicsScene {
  Q_OBJECT
 public:
  explicit GraphScene(QObject* parent = nullptr);
  ~GraphScene() override;

  /// Returns what differed. Nodes that a drag left elsewhere go to the position that the graph
  /// says.
  GraphDiff setGraph(const GraphData& graph);
  [[nodiscard]] const GraphData& graph() const { return graph_; }

  [[nodiscard]] const GraphStyle& look() const { return look_; }
  void setGraphStyle(const GraphStyle& style);
  [[nodiscard]] const QFont& titleFont() const { return titleFont_; }
  [[nodiscard]] const QFont& smallFont() const { return smallFont_; }
  void setFonts(const QFont& base);
  [[nodiscard]] Flow flow() const { return flow_; }
  void setFlow(Flow flow);
  [[nodiscard]] WireShape wireShape() const { return wireShape_; }
  void setWireShape(WireShape shape);
  /// Coarse drawing while something moves.
  [[nodiscard]] bool isCoarse() const { return coarse_; }
  void setCoarse(bool coarse);
  [[nodiscard]] bool showsFocus() const { return showsFocus_; }
  void setShowsFocus(bool shows);

  [[nodiscard]] NodeItem* item(const QString& id) const { return items_.value(id); }
  [[nodiscard]] NodeItem* itemAtPoint(const QPointF& point) const;
  [[nodiscard]] WireLayer& wires() const { return *wires_; }
  /// Nearest port within `reach` scene units; `wanted` limits the side: 0 inputs, 1 outputs, -1
  /// both.
  [[nodiscard]] PortHit portAt(const QPointF& point, double reach, int wanted = -1) const;
  /// Colour of what lies behind wires at a point: the canvas or a group.
  [[nodiscard]] QColor groundAt(const QPointF& point) const;
  /// Box around all nodes and their groups; empty when there are none.
  [[nodiscard]] QRectF contents() const;

  [[nodiscard]] QStringList selectedNodes() const;
  /// Selects exactly these; false when nothing changed.
  bool selectNodes(const QStringList& ids);
  void setHighlighted(const QStringList& ids);
  [[nodiscard]] bool isDimmed(const QString& id) const;

  /// Shows nodes away from their place during a drag.
  void displace(const QHash<QString, QPointF>& positions);

 private:
  void removeNodes(const QStringList& ids);
  void addNodes(const QStringList& ids, const QHash<QString, int>& indexes);

  GraphData graph_;
  GraphStyle look_;
  QFont titleFont_;
  QFont smallFont_;
  QHash<QString, NodeItem*> items_;
  QSet<QString> displaced_;
  QSet<QString> highlighted_;
  WireLayer* wires_;
  GroupLayer* groups_;
  Flow flow_ = Flow::TopDown;
  WireShape wireShape_ = WireShape::Bezier;
  bool coarse_ = false;
  bool showsFocus_ = false;
};

}  // namespace tenon::ui
