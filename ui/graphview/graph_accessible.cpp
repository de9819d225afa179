// SPDX-License-Identifier: GPL-3.0-or-later
// QAccessibleInterface of the canvas and of its nodes and wires.
#include "ui/graphview/graph_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QCoreApplication>
#include <QPointer>
#include <map>

#include "ui/graphview/graph_view.h"

namespace tenon::ui {
namespace {

/// Texts of this file for the translators.
struct Spoken {
  Q_DECLARE_TR_FUNCTIONS(GraphAccessible)
};

/// One node or wire, known by its place among the children.
class PartInterface final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  PartInterface(GraphView* view, int index) : view_(view), index_(index) {}

  [[nodiscard]] bool isValid() const override {
    return view_ && index_ < view_->graph().nodes.size() + view_->graph().edges.size();
  }
  [[nodiscard]] QObject* object() const override { return nullptr; }
  [[nodiscard]] QWindow* window() const override {
    return view_ ? view_->window()->windowHandle() : nullptr;
  }
  [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(view_);
  }
  [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }

  [[nodiscard]] QString text(QAccessible::Text kind) const override {
    if (!isValid()) return {};
    const GraphData& graph = view_->graph();
    if (!isNode()) return kind == QAccessible::Name ? spokenEdge(graph, edge()) : QString();
    if (kind == QAccessible::Name) return spokenNode(graph, node());
    return kind == QAccessible::Description ? node().tip : QString();
  }
  void setText(QAccessible::Text, const QString&) override {}

  [[nodiscard]] QRect rect() const override {
    if (!isValid()) return {};
    const QRect area =
        isNode() ? view_->nodeArea(node().id)
                 : view_->edgeArea(index_ - static_cast<int>(view_->graph().nodes.size()));
    return {view_->viewport()->mapToGlobal(area.topLeft()), area.size()};
  }
  [[nodiscard]] QAccessible::Role role() const override {
    return isValid() && isNode() ? QAccessible::ListItem : QAccessible::Graphic;
  }
  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State state;
    if (!isValid()) {
      state.invalid = true;
      return state;
    }
    if (!isNode()) return state;
    state.focusable = true;
    state.selectable = true;
    state.selected = view_->selectedNodes().contains(node().id);
    state.focused = view_->hasFocus() && view_->currentNode() == node().id;
    state.busy = node().state == NodeState::Running;
    state.offscreen = !view_->viewport()->rect().intersects(view_->nodeArea(node().id));
    return state;
  }

  void* interface_cast(QAccessible::InterfaceType type) override {
    const bool acts = type == QAccessible::ActionInterface && isValid() && isNode();
    return acts ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  [[nodiscard]] QStringList actionNames() const override {
    return {pressAction(), setFocusAction()};
  }
  void doAction(const QString& name) override {
    if (!isValid() || !isNode()) return;
    const QString id = node().id;
    view_->setFocus();
    view_->setCurrentNode(id);
    if (name == pressAction()) Q_EMIT view_->activated(id);
  }
  [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

 private:
  [[nodiscard]] bool isNode() const { return index_ < view_->graph().nodes.size(); }
  [[nodiscard]] const GraphNode& node() const { return view_->graph().nodes[index_]; }
  [[nodiscard]] const GraphEdge& edge() const {
    return view_->graph().edges[index_ - view_->graph().nodes.size()];
  }

  QPointer<GraphView> view_;
  int index_;
};

class GraphInterface final : public QAccessibleWidget {
 public:
  explicit GraphInterface(GraphView* view) : QAccessibleWidget(view, QAccessible::List) {}
  ~GraphInterface() override {
    for (const auto& [index, id] : parts_) QAccessible::deleteAccessibleInterface(id);
  }

  [[nodiscard]] int childCount() const override {
    return view() ? static_cast<int>(view()->graph().nodes.size() + view()->graph().edges.size())
                  : 0;
  }
  [[nodiscard]] QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    const auto found = parts_.find(index);
    if (found != parts_.end()) return QAccessible::accessibleInterface(found->second);
    auto* part = new PartInterface(view(), index);
    parts_[index] = QAccessible::registerAccessibleInterface(part);
    return part;
  }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
    for (const auto& [index, id] : parts_) {
      if (QAccessible::accessibleInterface(id) == child) return index;
    }
    return -1;
  }
  [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
    if (!view()) return nullptr;
    const QString id = view()->nodeAt(view()->viewport()->mapFromGlobal(QPoint(x, y)));
    return id.isEmpty() ? nullptr : child(view()->graph().indexOfIds().value(id));
  }
  [[nodiscard]] QAccessibleInterface* focusChild() const override {
    if (!view() || !view()->hasFocus() || view()->currentNode().isEmpty()) return nullptr;
    return child(view()->graph().indexOfIds().value(view()->currentNode()));
  }

 private:
  [[nodiscard]] GraphView* view() const { return qobject_cast<GraphView*>(object()); }

  mutable std::map<int, QAccessible::Id> parts_;
};

QAccessibleInterface* graphInterface(const QString&, QObject* object) {
  auto* view = qobject_cast<GraphView*>(object);
  return view ? new GraphInterface(view) : nullptr;
}

}  // namespace

void installGraphAccessibility() {
  static const bool installed = [] {
    QAccessible::installFactory(graphInterface);
    return true;
  }();
  Q_UNUSED(installed)
}

QString spokenNode(const GraphData& graph, const GraphNode& node) {
  QStringList parts{node.title};
  if (!node.kind.isEmpty()) parts.append(node.kind);
  for (const GraphEdge& edge : graph.edges) {
    if (edge.from != node.id || edge.label.isEmpty()) continue;
    parts.append(Spoken::tr("output %1").arg(edge.label));
    break;
  }
  if (node.state == NodeState::Running) parts.append(Spoken::tr("running"));
  if (node.problems == 1) parts.append(Spoken::tr("1 error"));
  if (node.problems > 1) parts.append(Spoken::tr("%1 errors").arg(node.problems));
  return parts.join(QLatin1String(", "));
}

QString spokenEdge(const GraphData& graph, const GraphEdge& edge) {
  const auto title = [&](const QString& id) {
    const GraphNode* node = graph.node(id);
    return node ? node->title : id;
  };
  const QString ends = Spoken::tr("%1 to %2").arg(title(edge.from), title(edge.to));
  return edge.label.isEmpty() ? ends : ends + QLatin1String(", ") + edge.label;
}

}  // namespace tenon::ui
