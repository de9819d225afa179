// SPDX-License-Identifier: GPL-3.0-or-later
// Equality and differences of the graphs a canvas shows.
#include "ui/graphview/graph_data.h"

#include <algorithm>

namespace tenon::ui {
namespace {

bool sameIcon(const QIcon& a, const QIcon& b) {
  if (a.isNull() || b.isNull()) return a.isNull() == b.isNull();
  if (!a.name().isEmpty() || !b.name().isEmpty()) return a.name() == b.name();
  return a.cacheKey() == b.cacheKey();
}

bool sameFace(const GraphNode& a, const GraphNode& b) {
  return a.title == b.title && a.subtitle == b.subtitle && a.note == b.note && a.kind == b.kind &&
         a.family == b.family && a.state == b.state && a.problems == b.problems && a.tip == b.tip &&
         a.group == b.group && a.inputs == b.inputs && a.outputs == b.outputs &&
         sameIcon(a.icon, b.icon);
}

}  // namespace

bool operator==(const GraphNode& a, const GraphNode& b) {
  return a.id == b.id && a.position == b.position && sameFace(a, b);
}

bool GraphEdge::sameEnds(const GraphEdge& other) const {
  return from == other.from && fromPort == other.fromPort && to == other.to &&
         toPort == other.toPort;
}

const GraphNode* GraphData::node(const QString& id) const {
  const auto found = std::find_if(nodes.cbegin(), nodes.cend(),
                                  [&](const GraphNode& node) { return node.id == id; });
  return found == nodes.cend() ? nullptr : &*found;
}

QHash<QString, int> GraphData::indexOfIds() const {
  QHash<QString, int> indexes;
  indexes.reserve(nodes.size());
  for (int i = 0; i < nodes.size(); ++i) indexes.insert(nodes[i].id, i);
  return indexes;
}

bool GraphDiff::isEmpty() const {
  return addedNodes.isEmpty() && removedNodes.isEmpty() && changedNodes.isEmpty() &&
         movedNodes.isEmpty() && !edgesChanged && !groupsChanged;
}

GraphDiff diff(const GraphData& before, const GraphData& after) {
  GraphDiff result;
  const auto old = before.indexOfIds();
  const auto now = after.indexOfIds();
  for (const GraphNode& node : before.nodes) {
    if (!now.contains(node.id)) result.removedNodes.append(node.id);
  }
  for (const GraphNode& node : after.nodes) {
    const auto found = old.constFind(node.id);
    if (found == old.cend()) {
      result.addedNodes.append(node.id);
      continue;
    }
    const GraphNode& was = before.nodes[*found];
    if (!sameFace(was, node)) result.changedNodes.append(node.id);
    if (was.position != node.position) result.movedNodes.append(node.id);
  }
  result.edgesChanged = before.edges != after.edges;
  result.groupsChanged = before.groups != after.groups;
  return result;
}

}  // namespace tenon::ui
