// SPDX-License-Identifier: GPL-3.0-or-later
// From a checked graph to nodes and wires of the canvas.
#include "ui/panels/canvas/canvas_graph.h"

#include <QCoreApplication>
#include <QSet>
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "ui/graphview/graph_style.h"
#include "ui/session/frames.h"
#include "ui/session/texts.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"

namespace tenon::ui {
namespace {

constexpr int kFamilies = 8;  // colours of GraphStyle
constexpr QSizeF kNodeSize{canvas::kNodeWidth, canvas::kNodeHeight};

QString text(const std::string& value) { return QString::fromStdString(value); }

QString shapeText(const PortShape& shape) {
  return shape.sizes.empty() ? QString() : text(toString(shape));
}

/// Ports of a variadic layer are one for each wire.
QString inputName(const LayerDef* def, size_t port) {
  if (!def || def->inputs.empty()) return {};
  return text(def->inputs[std::min(port, def->inputs.size() - 1)]);
}

std::string portName(const std::vector<std::string>& names, bool variadic, int port) {
  if (port <= 0 || variadic || size_t(port) >= names.size()) return {};
  return names[size_t(port)];
}

bool isPort(const std::string& written, const std::vector<std::string>& names, int port) {
  if (written.empty()) return port == 0;
  return port >= 0 && size_t(port) < names.size() && names[size_t(port)] == written;
}

void addPorts(GraphNode& shown, const CheckedNode& node) {
  const size_t inputs = node.def && !node.def->variadic ? node.def->inputs.size()
                                                        : std::max<size_t>(node.inputs.size(), 1);
  for (size_t port = 0; port < inputs; ++port) {
    GraphPort entry{inputName(node.def, port), {}};
    if (port < node.inputShapes.size()) entry.tip = shapeText(node.inputShapes[port]);
    shown.inputs.append(entry);
  }
  const size_t outputs = node.def ? node.def->outputs.size() : 1;
  for (size_t port = 0; port < outputs; ++port) {
    GraphPort entry{node.def ? text(node.def->outputs[port]) : QString(), {}};
    if (port < node.plan.outputs.size()) entry.tip = shapeText(node.plan.outputs[port]);
    shown.outputs.append(entry);
  }
}

/// Tells what is wrong with the node, or else what it does.
void addState(GraphNode& shown, const CheckedNode& node, const Issues& issues) {
  QStringList wrong;
  for (const Issue& issue : issues)
    if (issue.severity == Severity::Error && issue.place.node == node.spec->id)
      wrong.append(issueMessage(issue));
  shown.problems = int(wrong.size());
  if (!wrong.isEmpty()) {
    shown.state = NodeState::Error;
    shown.tip = wrong.join(u'\n');
  } else {
    shown.tip = shown.kind;
    if (!node.plan.summary.empty()) shown.tip += u'\n' + text(node.plan.summary);
    if (!shown.note.isEmpty())
      shown.tip += u'\n' + QCoreApplication::translate("Canvas", "%1 parameters")
                               .arg(formatCount(node.trainableCount()));
  }
}

GraphNode shownNode(const CheckedNode& node, const Issues& issues) {
  GraphNode shown;
  shown.id = shown.title = text(node.spec->id);
  shown.kind = node.def ? engineText(node.def->title) : text(node.spec->type);
  shown.subtitle = node.plan.summary.empty() ? shown.kind : text(node.plan.summary);
  if (node.def) {
    shown.icon = icon(text(node.def->icon));
    shown.family = int(node.def->family) % kFamilies;
  } else {
    shown.icon = icon(QStringLiteral("error"), Tint::Bad);
  }
  if (const int64_t count = node.planned ? node.trainableCount() : 0; count > 0)
    shown.note = formatCompact(double(count));
  addPorts(shown, node);
  addState(shown, node, issues);
  return shown;
}

/// Frames of the project as groups of the nodes that stand in them.
void addFrames(GraphData& data, const LayoutSpec& layout) {
  for (GraphNode& node : data.nodes) node.group = frameAt(layout, node.position, kNodeSize);
  for (const LayoutSpec::Frame& frame : layout.frames)
    data.groups.append({text(frame.id), text(frame.title)});
}

bool isPlaced(const QString& id, const LayoutSpec& layout, const QHash<QString, QPointF>& placed) {
  return layout.positions.contains(id.toStdString()) || placed.contains(id);
}

}  // namespace

GraphData canvasGraph(const CheckedGraph& graph, const Issues& issues, const LayoutSpec& layout,
                      const QHash<QString, QPointF>& placed) {
  GraphData data;
  for (const CheckedNode& node : graph.nodes) {
    GraphNode shown = shownNode(node, issues);
    if (auto at = layout.positions.find(node.spec->id); at != layout.positions.end()) {
      shown.position = {at->second.x, at->second.y};
    } else {
      shown.position = placed.value(shown.id);
    }
    data.nodes.append(shown);
    for (size_t port = 0; port < node.inputs.size(); ++port) {
      const GraphSource& source = node.inputs[port];
      if (source.node < 0 || size_t(source.node) >= graph.nodes.size()) continue;
      const CheckedNode& from = graph.nodes[size_t(source.node)];
      GraphEdge edge{text(from.spec->id), source.port, shown.id, int(port), {}, false, {}};
      if (size_t(source.port) < from.plan.outputs.size())
        edge.label = shapeText(from.plan.outputs[size_t(source.port)]);
      data.edges.append(edge);
    }
  }
  addFrames(data, layout);
  return data;
}

void markRunning(GraphData& data, const GraphSpec& spec, const GraphSpec& trained) {
  std::unordered_map<std::string_view, const NodeSpec*> running;
  for (const auto& node : trained.nodes) running.emplace(node->id, node.get());
  QSet<QString> same;
  for (const auto& node : spec.nodes) {
    const auto there = running.find(node->id);
    // What nobody has changed since is the same object, and needs no look at its parameters.
    if (there != running.end() && (there->second == node.get() || *there->second == *node))
      same.insert(text(node->id));
  }
  for (GraphNode& node : data.nodes)
    if (node.state == NodeState::Normal && same.contains(node.id)) node.state = NodeState::Running;
}

bool needsPlaces(const CheckedGraph& graph, const LayoutSpec& layout,
                 const QHash<QString, QPointF>& placed) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const CheckedNode& node) {
    return !isPlaced(text(node.spec->id), layout, placed);
  });
}

std::optional<EdgeSpec> specEdge(const CheckedGraph& graph, const GraphSpec& spec,
                                 const GraphEdge& edge) {
  const CheckedNode* from = graph.find(edge.from.toStdString());
  const CheckedNode* to = graph.find(edge.to.toStdString());
  if (!from || !to) return std::nullopt;
  const bool known = from->def && to->def;
  int wire = -1;  // of a variadic layer: which of the wires into it
  for (const EdgeSpec& each : spec.edges) {
    if (each.to != to->spec->id) continue;
    ++wire;
    if (each.from != from->spec->id) continue;
    if (!known) return each;
    if (!isPort(each.fromPort, from->def->outputs, edge.fromPort)) continue;
    const bool here =
        to->def->variadic ? wire == edge.toPort : isPort(each.toPort, to->def->inputs, edge.toPort);
    if (here) return each;
  }
  return std::nullopt;
}

EdgeSpec newSpecEdge(const CheckedGraph& graph, const QString& from, int fromPort,
                     const QString& to, int toPort) {
  EdgeSpec edge{from.toStdString(), {}, to.toStdString(), {}};
  if (const CheckedNode* node = graph.find(edge.from); node && node->def)
    edge.fromPort = portName(node->def->outputs, false, fromPort);
  if (const CheckedNode* node = graph.find(edge.to); node && node->def)
    edge.toPort = portName(node->def->inputs, node->def->variadic, toPort);
  return edge;
}

}  // namespace tenon::ui
