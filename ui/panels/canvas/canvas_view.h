// SPDX-License-Identifier: GPL-3.0-or-later
// The centre of Model: the project's graph on a canvas over a strip of what it costs.
#pragma once

#include <QHash>
#include <QPointF>
#include <QWidget>
#include <memory>

#include "engine/graph/check.h"
#include "ui/graphview/graph_data.h"

class QAction;
class QHBoxLayout;
class QStackedLayout;
class QToolButton;

namespace tenon::ui {

struct Destination;
struct LayoutResult;
struct PanelContext;
class EmptyState;
class GraphView;
class LayoutJob;
class SearchField;
class StatTile;

/// Follows the checked graph while visible; moves, wires and deletions become edits with undo.
class CanvasView final : public QWidget {
  Q_OBJECT
 public:
  explicit CanvasView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void buildActions();
  void showKeys();
  [[nodiscard]] QWidget* newStrip();
  void addTiles(QHBoxLayout& row);
  void addTools(QHBoxLayout& row);
  void followSession();
  void followView();
  void refresh();
  [[nodiscard]] GraphData shownGraph(const CheckedGraph& graph) const;
  void showGraph(const CheckedGraph& graph);
  void takeLayout(const LayoutResult& result);
  void showCosts();
  void showEmpty();
  void arrive(const Destination& destination);
  void moveNodes(const QList<NodeMove>& moves);
  void removeParts(const QStringList& nodes, const QList<GraphEdge>& edges);
  void connectPorts(const QString& from, int fromPort, const QString& to, int toPort);
  void search();
  void goToFound();
  void savePicture();
  void showMenu(const QPoint& place);
  [[nodiscard]] std::shared_ptr<const CheckedGraph> checked() const;

  PanelContext& context_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  GraphView* view_;
  LayoutJob* layoutJob_;
  StatTile* parameters_ = nullptr;
  StatTile* flops_ = nullptr;
  StatTile* activations_ = nullptr;
  StatTile* weights_ = nullptr;
  SearchField* find_ = nullptr;
  QAction* fit_ = nullptr;
  QAction* picture_ = nullptr;
  QToolButton* issues_ = nullptr;
  std::shared_ptr<const GraphSpec> trained_;  ///< by the run that computes; null: none does
  QHash<QString, QPointF> placed_;            ///< found by the layout, not in the project
  QString coming_;                            ///< a layer gone to that is not on the canvas yet
  bool stale_ = true;
  bool fits_ = true;  ///< the next graph is a new one: show all of it
};

}  // namespace tenon::ui
