// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of the graph and its layout.
#include "ui/session/document_edits.h"

#include <QCoreApplication>
#include <algorithm>
#include <memory>

#include "ui/session/document.h"

namespace tenon::ui::edits {
namespace {

QString say(const char* text) { return QCoreApplication::translate("Edits", text); }

Destination atNode(const QString& node, const QString& field = {}) {
  Destination to;
  to.mode = Mode::Model;
  to.node = node;
  to.field = field;
  if (!field.isEmpty()) to.panel = QStringLiteral("properties");
  return to;
}

void applyGraph(Document& document, const QString& text, GraphSpec graph, Destination where,
                const QString& mergeKey = {}) {
  Edit edit{text, document.spec(), mergeKey, std::move(where)};
  edit.after.graph = std::make_shared<const GraphSpec>(std::move(graph));
  document.apply(edit);
}

bool isNodeId(const QString& id) {
  return !id.isEmpty() && std::all_of(id.begin(), id.end(), [](QChar c) {
    return (c.unicode() < 128 && c.isLetterOrNumber()) || c == u'_' || c == u'-';
  });
}

bool isIn(const QStringList& ids, const std::string& id) {
  return ids.contains(QString::fromStdString(id));
}

}  // namespace

void setName(Document& document, const QString& name) {
  Edit edit{say(QT_TRANSLATE_NOOP("Edits", "Rename project")), document.spec(), {}, {}};
  edit.after.name = name.toStdString();
  edit.where.mode = Mode::Welcome;
  document.apply(edit);
}

void setNodeParam(Document& document, const QString& node, const QString& name,
                  const std::optional<ParamValue>& value) {
  GraphSpec graph = *document.spec().graph;
  for (std::shared_ptr<const NodeSpec>& entry : graph.nodes) {
    if (entry->id != node.toStdString()) continue;
    NodeSpec changed = *entry;
    if (value) {
      changed.params.set(name.toStdString(), *value);
    } else {
      changed.params.erase(name.toStdString());
    }
    entry = std::make_shared<const NodeSpec>(std::move(changed));
    applyGraph(document, say(QT_TRANSLATE_NOOP("Edits", "Change %1 of %2")).arg(name, node),
               std::move(graph), atNode(node, name));
    return;
  }
}

void addNode(Document& document, const NodeSpec& node, const QPointF& position) {
  const QString id = QString::fromStdString(node.id);
  Edit edit{say(QT_TRANSLATE_NOOP("Edits", "Add %1")).arg(id), document.spec(), {}, atNode(id)};
  GraphSpec graph = *edit.after.graph;
  graph.nodes.push_back(std::make_shared<const NodeSpec>(node));
  LayoutSpec layout = *edit.after.layout;
  layout.positions[node.id] = {position.x(), position.y()};
  edit.after.graph = std::make_shared<const GraphSpec>(std::move(graph));
  edit.after.layout = std::make_shared<const LayoutSpec>(std::move(layout));
  document.apply(edit);
}

void removeFromGraph(Document& document, const QStringList& nodes,
                     const std::vector<EdgeSpec>& edges) {
  const QString text = nodes.size() == 1
                           ? say(QT_TRANSLATE_NOOP("Edits", "Delete %1")).arg(nodes.first())
                       : nodes.isEmpty() ? say(QT_TRANSLATE_NOOP("Edits", "Delete wire"))
                                         : say(QT_TRANSLATE_NOOP("Edits", "Delete layers"));
  Edit edit{text, document.spec(), {}, atNode(nodes.value(0))};
  GraphSpec graph = *edit.after.graph;
  LayoutSpec layout = *edit.after.layout;
  std::erase_if(graph.nodes, [&](const auto& node) { return isIn(nodes, node->id); });
  std::erase_if(graph.edges, [&](const EdgeSpec& edge) {
    return isIn(nodes, edge.from) || isIn(nodes, edge.to) ||
           std::find(edges.begin(), edges.end(), edge) != edges.end();
  });
  for (const QString& id : nodes) layout.positions.erase(id.toStdString());
  edit.after.graph = std::make_shared<const GraphSpec>(std::move(graph));
  edit.after.layout = std::make_shared<const LayoutSpec>(std::move(layout));
  document.apply(edit);
}

bool renameNode(Document& document, const QString& node, const QString& id) {
  const std::string from = node.toStdString();
  const std::string to = id.toStdString();
  if (!isNodeId(id) || !document.spec().graph->find(from)) return false;
  if (from == to) return true;
  if (document.spec().graph->find(to)) return false;
  Edit edit{say(QT_TRANSLATE_NOOP("Edits", "Rename %1")).arg(node), document.spec(), {}, {}};
  edit.where.mode = Mode::Model;
  GraphSpec graph = *edit.after.graph;
  for (std::shared_ptr<const NodeSpec>& entry : graph.nodes) {
    if (entry->id != from) continue;
    NodeSpec renamed = *entry;
    renamed.id = to;
    entry = std::make_shared<const NodeSpec>(std::move(renamed));
  }
  for (EdgeSpec& edge : graph.edges) {
    if (edge.from == from) edge.from = to;
    if (edge.to == from) edge.to = to;
  }
  LayoutSpec layout = *edit.after.layout;
  if (auto at = layout.positions.extract(from)) {
    at.key() = to;
    layout.positions.insert(std::move(at));
  }
  edit.after.graph = std::make_shared<const GraphSpec>(std::move(graph));
  edit.after.layout = std::make_shared<const LayoutSpec>(std::move(layout));
  document.apply(edit);
  return true;
}

QString refusedNameText(const QString& id) {
  return say(QT_TRANSLATE_NOOP("Edits",
                               "A layer cannot be called “%1”: the name is taken, or has other "
                               "signs than letters, digits, _ and -."))
      .arg(id);
}

void connectNodes(Document& document, const EdgeSpec& edge, bool portTakesMany) {
  GraphSpec graph = *document.spec().graph;
  if (std::find(graph.edges.begin(), graph.edges.end(), edge) != graph.edges.end()) return;
  if (!portTakesMany) {
    std::erase_if(graph.edges, [&](const EdgeSpec& other) {
      return other.to == edge.to && other.toPort == edge.toPort;
    });
  }
  graph.edges.push_back(edge);
  applyGraph(document,
             say(QT_TRANSLATE_NOOP("Edits", "Connect %1 to %2"))
                 .arg(QString::fromStdString(edge.from), QString::fromStdString(edge.to)),
             std::move(graph), atNode(QString::fromStdString(edge.to)));
}

void moveNodes(Document& document, const QHash<QString, QPointF>& positions) {
  if (positions.isEmpty()) return;
  LayoutSpec layout = *document.spec().layout;
  for (auto it = positions.begin(); it != positions.end(); ++it)
    layout.positions[it.key().toStdString()] = {it->x(), it->y()};
  const QString text = positions.size() == 1
                           ? say(QT_TRANSLATE_NOOP("Edits", "Move %1")).arg(positions.begin().key())
                           : say(QT_TRANSLATE_NOOP("Edits", "Move layers"));
  setLayout(document, text, layout);
}

void setGraph(Document& document, const QString& text, const GraphSpec& graph,
              const QString& mergeKey) {
  applyGraph(document, text, graph, atNode({}), mergeKey);
}

void setLayout(Document& document, const QString& text, const LayoutSpec& layout,
               const QString& mergeKey) {
  Edit edit{text, document.spec(), mergeKey, atNode({})};
  edit.after.layout = std::make_shared<const LayoutSpec>(layout);
  document.apply(edit);
}

QString freeNodeId(const GraphSpec& graph, const QString& wish) {
  QString stem = wish;
  while (!stem.isEmpty() && stem.back().isDigit()) stem.chop(1);
  if (stem.isEmpty()) stem = QStringLiteral("layer");
  for (int number = 1;; ++number) {
    const QString id = stem + QString::number(number);
    if (!graph.find(id.toStdString())) return id;
  }
}

}  // namespace tenon::ui::edits
