// SPDX-License-Identifier: GPL-3.0-or-later
// Topological order and neighbours of a canvas graph.
#include "ui/graphview/graph_navigation.h"

#include <QSet>
#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

#include "ui/graphview/graph_style.h"

namespace tenon::ui {
namespace {

/// Reading order of two nodes of equal rank.
struct Before {
  const GraphData* graph;

  bool operator()(int a, int b) const {
    // A priority queue gives the greatest first, so this says "a comes later".
    const QPointF pa = graph->nodes[a].position;
    const QPointF pb = graph->nodes[b].position;
    if (pa.y() != pb.y()) return pa.y() > pb.y();
    if (pa.x() != pb.x()) return pa.x() > pb.x();
    return a > b;
  }
};

}  // namespace

QStringList topologicalOrder(const GraphData& graph) {
  const auto index = graph.indexOfIds();
  const auto count = static_cast<std::size_t>(graph.nodes.size());
  std::vector<std::vector<int>> readers(count);
  std::vector<int> waiting(count, 0);
  for (const GraphEdge& edge : graph.edges) {
    const int from = index.value(edge.from, -1);
    const int to = index.value(edge.to, -1);
    if (from < 0 || to < 0 || from == to) continue;
    readers[static_cast<std::size_t>(from)].push_back(to);
    ++waiting[static_cast<std::size_t>(to)];
  }
  std::priority_queue<int, std::vector<int>, Before> ready(Before{&graph});
  std::vector<char> done(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (waiting[i] == 0) ready.push(static_cast<int>(i));
  }
  QStringList order;
  const auto drain = [&] {
    while (!ready.empty()) {
      const int node = ready.top();
      ready.pop();
      if (std::exchange(done[static_cast<std::size_t>(node)], 1)) continue;
      order.append(graph.nodes[node].id);
      for (const int reader : readers[static_cast<std::size_t>(node)]) {
        if (--waiting[static_cast<std::size_t>(reader)] == 0) ready.push(reader);
      }
    }
  };
  drain();
  // A cycle is entered at its first node; what hangs on it follows.
  for (std::size_t i = 0; i < count; ++i) {
    if (!done[i]) ready.push(static_cast<int>(i));
    drain();
  }
  return order;
}

QString neighbourTowards(const GraphData& graph, const QString& from, int dx, int dy) {
  const GraphNode* start = graph.node(from);
  if (!start) return {};
  QSet<QString> wired;
  for (const GraphEdge& edge : graph.edges) {
    if (edge.from == from) wired.insert(edge.to);
    if (edge.to == from) wired.insert(edge.from);
  }
  // Boxes that overlap across the direction stand straight ahead.
  const double length = dx != 0 ? canvas::kNodeWidth : canvas::kNodeHeight;
  const double breadth = dx != 0 ? canvas::kNodeHeight : canvas::kNodeWidth;
  const auto nearest = [&](double least, double slope) {
    const GraphNode* best = nullptr;
    double bestCost = 0;
    for (const GraphNode& node : graph.nodes) {
      const QPointF way = node.position - start->position;
      const double along = way.x() * dx + way.y() * dy;
      const double off = std::fabs(way.x() * dy) + std::fabs(way.y() * dx);
      const double across = std::max(0.0, off - breadth);
      if (&node == start || along <= 0 || along < least || across >= slope * along) continue;
      const double cost = (along + 2 * across) * (wired.contains(node.id) ? 0.5 : 1.0);
      if (!best || cost < bestCost) {
        best = &node;
        bestCost = cost;
      }
    }
    return best;
  };
  // First what lies beyond this box and within 45 degrees; else anything on that side.
  const GraphNode* best = nearest(length, 1);
  if (!best) best = nearest(0, 4);
  return best ? best->id : QString();
}

}  // namespace tenon::ui
