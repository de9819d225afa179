// SPDX-License-Identifier: GPL-3.0-or-later
// First steps of the layered layout: break cycles, longest-path layers, bends of long edges.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/graphview/layout_work.h"

namespace tenon::ui::layout {
namespace {

/// Edges by node in both directions, cycles already broken.
struct Adjacency {
  Incidence out;
  Incidence in;
};

struct Ends {
  int from;
  int to;
};

bool isUsable(const LayoutEdge& edge, int count) {
  return edge.from != edge.to && edge.from >= 0 && edge.to >= 0 && edge.from < count &&
         edge.to < count;
}

template <class Key>
Incidence grouped(int vertices, int items, Key&& key) {
  Incidence result;
  result.begin.assign(static_cast<std::size_t>(vertices) + 1, 0);
  for (int i = 0; i < items; ++i) {
    if (const int vertex = key(i); vertex >= 0)
      ++result.begin[static_cast<std::size_t>(vertex) + 1];
  }
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.segment.resize(static_cast<std::size_t>(result.begin.back()));
  std::vector<int> next(result.begin.begin(), result.begin.end() - 1);
  for (int i = 0; i < items; ++i) {
    if (const int vertex = key(i); vertex >= 0) {
      result.segment[static_cast<std::size_t>(next[static_cast<std::size_t>(vertex)]++)] = i;
    }
  }
  return result;
}

/// Walks depth first without recursion and turns round each edge that leads back onto the path.
std::vector<char> backEdges(const LayoutGraph& graph, const Adjacency& given) {
  const auto count = graph.nodes.size();
  std::vector<char> reversed(graph.edges.size(), 0);
  enum : char { kNew, kOnPath, kDone };
  std::vector<char> color(count, kNew);
  std::vector<int> next(given.out.begin.begin(), given.out.begin.end() - 1);
  std::vector<int> path;
  const auto walkFrom = [&](int start) {
    if (color[start] != kNew) return;
    path.push_back(start);
    color[start] = kOnPath;
    while (!path.empty()) {
      const int node = path.back();
      if (next[node] == given.out.begin[node + 1]) {
        color[node] = kDone;
        path.pop_back();
        continue;
      }
      const int edge = given.out.segment[next[node]++];
      const int to = graph.edges[edge].to;
      if (color[to] == kOnPath) {
        reversed[edge] = 1;
      } else if (color[to] == kNew) {
        color[to] = kOnPath;
        path.push_back(to);
      }
    }
  };
  // Sources first, so that an edge is only turned round where a cycle truly closes.
  for (std::size_t node = 0; node < count; ++node) {
    if (given.in.begin[node] == given.in.begin[node + 1]) walkFrom(static_cast<int>(node));
  }
  for (std::size_t node = 0; node < count; ++node) walkFrom(static_cast<int>(node));
  return reversed;
}

Adjacency adjacencyOf(const LayoutGraph& graph, const std::vector<char>* reversed) {
  const int nodes = static_cast<int>(graph.nodes.size());
  const int edges = static_cast<int>(graph.edges.size());
  const auto end = [&](int edge, bool source) {
    const LayoutEdge& e = graph.edges[edge];
    if (!isUsable(e, nodes)) return -1;
    const bool turned = reversed && (*reversed)[edge];
    return source != turned ? e.from : e.to;
  };
  return {grouped(nodes, edges, [&](int e) { return end(e, true); }),
          grouped(nodes, edges, [&](int e) { return end(e, false); })};
}

Ends endsOf(const LayoutGraph& graph, const std::vector<char>& reversed, int edge) {
  const LayoutEdge& e = graph.edges[edge];
  return reversed[edge] ? Ends{e.to, e.from} : Ends{e.from, e.to};
}

std::vector<int> topological(const LayoutGraph& graph, const Adjacency& adjacency,
                             const std::vector<char>& reversed) {
  const int count = static_cast<int>(graph.nodes.size());
  std::vector<int> waiting(count);
  std::vector<int> order;
  order.reserve(count);
  for (int node = 0; node < count; ++node) {
    waiting[node] = adjacency.in.begin[node + 1] - adjacency.in.begin[node];
    if (waiting[node] == 0) order.push_back(node);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int node = order[i];
    for (int k = adjacency.out.begin[node]; k < adjacency.out.begin[node + 1]; ++k) {
      const int to = endsOf(graph, reversed, adjacency.out.segment[k]).to;
      if (--waiting[to] == 0) order.push_back(to);
    }
  }
  return order;
}

/// Longest path from the sources; then nodes with more outputs than inputs move down to their
/// readers.
std::vector<int> longestPathLayers(const LayoutGraph& graph, const Adjacency& adjacency,
                                   const std::vector<char>& reversed) {
  const std::vector<int> order = topological(graph, adjacency, reversed);
  std::vector<int> layer(graph.nodes.size(), 0);
  for (const int node : order) {
    for (int k = adjacency.out.begin[node]; k < adjacency.out.begin[node + 1]; ++k) {
      const int to = endsOf(graph, reversed, adjacency.out.segment[k]).to;
      layer[to] = std::max(layer[to], layer[node] + 1);
    }
  }
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    const int outs = adjacency.out.begin[*node + 1] - adjacency.out.begin[*node];
    const int ins = adjacency.in.begin[*node + 1] - adjacency.in.begin[*node];
    if (outs <= ins) continue;
    int least =
        layer[endsOf(graph, reversed, adjacency.out.segment[adjacency.out.begin[*node]]).to];
    for (int k = adjacency.out.begin[*node]; k < adjacency.out.begin[*node + 1]; ++k) {
      least = std::min(least, layer[endsOf(graph, reversed, adjacency.out.segment[k]).to]);
    }
    layer[*node] = least - 1;
  }
  return layer;
}

/// Nodes without any edge would make one endless row: they fill a square.
void spreadLoners(const Adjacency& adjacency, std::vector<int>& layer) {
  std::vector<int> loners;
  for (int node = 0; node < static_cast<int>(layer.size()); ++node) {
    const bool alone = adjacency.in.begin[node] == adjacency.in.begin[node + 1] &&
                       adjacency.out.begin[node] == adjacency.out.begin[node + 1];
    if (alone) loners.push_back(node);
  }
  const int side = std::max(1, static_cast<int>(std::ceil(std::sqrt(loners.size()))));
  for (std::size_t i = 0; i < loners.size(); ++i) layer[loners[i]] = static_cast<int>(i) / side;
}

/// Longest span that still gets bends within the budget.
int longestBentSpan(const LayoutGraph& graph, const Work& work, const LayoutOptions& options) {
  std::vector<int> spans;
  for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
    if (!isUsable(graph.edges[edge], work.realCount)) continue;
    const Ends ends = endsOf(graph, work.reversed, static_cast<int>(edge));
    spans.push_back(work.layer[ends.to] - work.layer[ends.from]);
  }
  std::sort(spans.begin(), spans.end());
  long long budget = static_cast<long long>(options.waypointsPerNode) * work.realCount;
  int longest = 1;
  for (const int span : spans) {
    budget -= span - 1;
    if (budget < 0) break;
    longest = span;
  }
  return longest;
}

struct PortCounts {
  std::vector<int> outs;
  std::vector<int> ins;
};

PortCounts portCounts(const LayoutGraph& graph) {
  PortCounts counts{std::vector<int>(graph.nodes.size(), 1),
                    std::vector<int>(graph.nodes.size(), 1)};
  for (const LayoutEdge& edge : graph.edges) {
    if (!isUsable(edge, static_cast<int>(graph.nodes.size()))) continue;
    counts.outs[edge.from] = std::max(counts.outs[edge.from], edge.fromPort + 1);
    counts.ins[edge.to] = std::max(counts.ins[edge.to], edge.toPort + 1);
  }
  return counts;
}

float shiftOf(int port, int ports) {
  return (static_cast<float>(port) + 0.5F) / static_cast<float>(ports) - 0.5F;
}

void cutIntoSegments(const LayoutGraph& graph, const LayoutOptions& options, Work& work) {
  const int longest = longestBentSpan(graph, work, options);
  const PortCounts ports = portCounts(graph);
  work.chains.resize(graph.edges.size());
  for (std::size_t index = 0; index < graph.edges.size(); ++index) {
    const LayoutEdge& edge = graph.edges[index];
    if (!isUsable(edge, work.realCount)) continue;
    const Ends ends = endsOf(graph, work.reversed, static_cast<int>(index));
    const int span = work.layer[ends.to] - work.layer[ends.from];
    if (span > longest) continue;
    const float fromShift = shiftOf(edge.fromPort, ports.outs[edge.from]);
    const float toShift = shiftOf(edge.toPort, ports.ins[edge.to]);
    const bool turned = work.reversed[index];
    Segment segment{ends.from, ends.to, turned ? toShift : fromShift, 0};
    for (int step = 1; step < span; ++step) {
      const int bend = work.vertexCount();
      work.layer.push_back(work.layer[ends.from] + step);
      work.breadth.push_back(0);
      work.chains[index].push_back(bend);
      segment.lower = bend;
      work.segments.push_back(segment);
      segment = {bend, ends.to, 0, 0};
    }
    segment.lowerShift = turned ? fromShift : toShift;
    work.segments.push_back(segment);
  }
}

}  // namespace

bool assignLayers(const LayoutGraph& graph, const LayoutOptions& options, Work& work,
                  const std::stop_token& stop) {
  work.realCount = static_cast<int>(graph.nodes.size());
  work.reversed = backEdges(graph, adjacencyOf(graph, nullptr));
  if (stop.stop_requested()) return false;
  const Adjacency adjacency = adjacencyOf(graph, &work.reversed);
  work.layer = longestPathLayers(graph, adjacency, work.reversed);
  spreadLoners(adjacency, work.layer);
  if (stop.stop_requested()) return false;
  const bool down = options.flow == Flow::TopDown;
  for (const QSizeF& size : graph.nodes) {
    work.breadth.push_back(down ? size.width() : size.height());
  }
  cutIntoSegments(graph, options, work);
  const int segments = static_cast<int>(work.segments.size());
  work.above = grouped(work.vertexCount(), segments, [&](int s) { return work.segments[s].lower; });
  work.below = grouped(work.vertexCount(), segments, [&](int s) { return work.segments[s].upper; });
  return !stop.stop_requested();
}

}  // namespace tenon::ui::layout
