// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas: shows a GraphData, lets a person look, select, drag, wire; tells what was wanted,
// changes nothing itself.
#pragma once

#include <QGraphicsView>
#include <QSet>
#include <memory>

#include "ui/graphview/graph_data.h"
#include "ui/graphview/graph_style.h"
#include "ui/graphview/layered_layout.h"
#include "ui/graphview/wire_path.h"
#include "ui/keys/own_keys.h"

class QAction;
class QTimer;

namespace tenon::ui {

class GraphScene;
class Minimap;
struct GraphDrag;

/**
 * A view of a graph. The owner passes values with setGraph() and answers the intents below by
 * changing its document and passing the new value; a drag that the owner does not take up springs
 * back with the next setGraph().
 *
 * Wheel zooms at the pointer and scrolls with Ctrl, or the other way round; middle or Space drag
 * pans; left drag on the ground selects; drag on a node moves the selection; drag from a port
 * wires. F fits, Ctrl+F asks for find, Delete asks to delete, Ctrl+A selects all, Tab and Shift+Tab
 * walk the nodes in topological order, arrows go to the neighbour, Enter activates, Escape clears.
 * Ctrl+Tab and F6 leave the canvas, with Shift backwards. What has a key of its own is an action
 * (a child of the view), whose key may be changed.
 */
class GraphView final : public QGraphicsView {
  Q_OBJECT
 public:
  explicit GraphView(QWidget* parent = nullptr);
  ~GraphView() override;

  /// Shows the graph; nodes of equal id stay (with selection), only what differs is touched.
  void setGraph(const GraphData& graph);
  [[nodiscard]] const GraphData& graph() const;

  void setGraphStyle(const GraphStyle& style);
  [[nodiscard]] const GraphStyle& graphStyle() const;
  /// Where ports sit: left and right, or top and bottom.
  void setFlow(Flow flow);
  void setWireShape(WireShape shape);
  /// Not editable: no dragging, wiring, deleting; looking and selecting stay.
  void setEditable(bool editable);
  [[nodiscard]] bool isEditable() const { return editable_; }
  /// Ctrl+click and Ctrl+Enter on a node say followed(); Ctrl does not select several then.
  void setFollowsNodes(bool follows) { follows_ = follows; }
  void setMinimapVisible(bool visible);
  /// The action of a key: "graph.fit", "graph.find", "graph.all", "graph.delete", "graph.closer",
  /// "graph.farther".
  [[nodiscard]] QAction* keyAction(const QString& id) const;
  /// What the wheel does: zoom (at first) or scroll; with Ctrl it does the other.
  void setWheelZooms(bool zooms) { wheelZooms_ = zooms; }

  [[nodiscard]] QStringList selectedNodes() const;
  [[nodiscard]] QList<GraphEdge> selectedEdges() const;
  /// Selects from outside: selectionChanged is not emitted. Unknown ids are ignored.
  void setSelectedNodes(const QStringList& ids);
  void selectAll();
  void clearSelection();
  /// The node that keys act from; also selects and shows it.
  void setCurrentNode(const QString& id);
  [[nodiscard]] QString currentNode() const { return current_; }

  [[nodiscard]] double zoom() const;
  /// Zooms with `anchor` (viewport position) fixed; clamped to 0.02..4.
  void setZoom(double zoom, const QPointF& anchor);
  /// Shows all nodes (at most zoom 1) and keeps showing them when the view gets another size, until
  /// a person zooms or pans; an empty graph shows the origin.
  void fitAll();
  /// Shows all nodes if that takes a zoom of at least `readable`, else the beginning of the graph
  /// (the first layers along the flow) so that it can be read; also keeps to that as fitAll() does.
  void frame(double readable = canvas::kNamesOnly);
  void fitNodes(const QStringList& ids);
  void showNode(const QString& id);
  /// Ids of nodes whose title, kind or subtitle contain the text (case aside), in topological
  /// order.
  [[nodiscard]] QStringList find(const QString& text) const;
  /// Dims everything else; empty ends it.
  void setHighlighted(const QStringList& ids);
  /// Text in the middle while there are no nodes.
  void setPlaceholder(const QString& text);
  /// Node under a viewport position, or empty.
  [[nodiscard]] QString nodeAt(const QPoint& viewportPosition) const;
  /// Whether nodes, wires and labels are drawn coarsely because something moves.
  [[nodiscard]] bool isMoving() const { return moving_; }
  /// The whole graph as a picture in full detail; empty when there is nothing.
  [[nodiscard]] QImage toImage(double scale = 2.0) const;
  /// The whole graph in full detail into `target` (SVG, PDF).
  void paintAll(QPainter& painter, const QRectF& target) const;
  /// Writes the whole graph as a picture; the name's ending says which: .svg, .pdf or .png.
  /// @return what went wrong; empty: nothing, the file is there.
  [[nodiscard]] QString savePicture(const QString& path) const;
  /// Where a node or wire stands on the viewport.
  [[nodiscard]] QRect nodeArea(const QString& id) const;
  [[nodiscard]] QRect edgeArea(int index) const;

 Q_SIGNALS:
  /// One per drag, at its end.
  void nodesMoved(const QList<tenon::ui::NodeMove>& moves);
  void selectionChanged(const QStringList& nodes);
  /// Double click or Enter on a node.
  void activated(const QString& node);
  /// Ctrl+click or Ctrl+Enter on a node, where setFollowsNodes() was asked for.
  void followed(const QString& node);
  void deleteRequested(const QStringList& nodes, const QList<tenon::ui::GraphEdge>& edges);
  void connectRequested(const QString& from, int fromPort, const QString& to, int toPort);
  void contextMenuRequested(const QString& node, const QPoint& globalPosition);
  void findRequested();
  /// The node under the pointer changed; empty for none.
  void nodeHovered(const QString& node);

 protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;

 private:
  friend class Minimap;

  [[nodiscard]] QPointF sceneAt(const QPointF& viewportPosition) const;
  /// What a view of another size shows.
  enum class Keeps { Place, All, Beginning };

  void fitRect(const QRectF& rect);
  void fitAgain();
  void showBeginning();
  [[nodiscard]] double inputsAcross() const;
  void applyZoom(double zoom, const QPointF& anchor);
  void scrollBy(const QPoint& way);
  void noteMovement();
  void placeMinimap();
  void takeStyle();
  void makeCurrent(const QString& id);
  void announceSelection();

  // Pressing (graph_view_input.cpp)
  void beginPan(const QPoint& at);
  void pressNode(const QString& id, Qt::KeyboardModifiers modifiers);
  void pressWire(int index, Qt::KeyboardModifiers modifiers);
  void moveNodes(const QPoint& at);
  void moveBand(const QPoint& at);
  void moveWireEnd(const QPoint& at);
  void hoverAt(const QPoint& at);
  void endNodes();
  void endWire();
  void cancelDrag();
  [[nodiscard]] double portReach() const;
  [[nodiscard]] QString tipAt(const QPoint& at) const;

  // Keys (graph_view_keys.cpp)
  void buildKeys();
  void walk(int step);
  void goTowards(int key);
  void askDelete();
  void zoomAtCenter(double factor);

  std::unique_ptr<GraphScene> scene_;
  std::unique_ptr<GraphDrag> drag_;
  OwnKeys keys_{*this};
  Minimap* minimap_ = nullptr;
  QTimer* rest_ = nullptr;
  QString current_;
  QString hovered_;
  QString placeholder_;
  bool editable_ = true;
  bool follows_ = false;
  bool moving_ = false;
  bool spaceHeld_ = false;
  bool styled_ = false;
  bool wheelZooms_ = true;
  QSize fittedFor_;  ///< the view's size when everything was fitted into it
  Keeps keeps_ = Keeps::Place;
  double readable_ = canvas::kNamesOnly;
};

}  // namespace tenon::ui
