// SPDX-License-Identifier: Apache-2.0
// Edges to port sources, and the order of execution (Kahn's algorithm, smallest file position
// first).
#include "engine/graph/wiring.h"

#include <algorithm>
#include <map>
#include <queue>

#include "engine/base/issues.h"

namespace tenon {

Issue graphIssue(std::string code, std::string text, std::vector<std::string> args,
                 std::string node, std::string field) {
  Issue issue = fieldIssue(std::move(code), std::move(text), std::move(args), std::move(field));
  issue.place.node = std::move(node);
  return issue;
}

namespace {

/// Number of the port called `name` (empty: the first), or -1.
int portOf(const std::vector<std::string>& ports, const std::string& name) {
  if (name.empty()) return ports.empty() ? -1 : 0;
  const auto found = std::find(ports.begin(), ports.end(), name);
  return found == ports.end() ? -1 : static_cast<int>(found - ports.begin());
}

class Wiring {
 public:
  explicit Wiring(CheckedGraph& graph) : graph_(graph) {
    for (size_t i = 0; i < graph.nodes.size(); ++i)
      index_[graph.nodes[i].spec->id] = static_cast<int>(i);
    for (CheckedNode& node : graph.nodes)
      if (node.def && !node.def->variadic) node.inputs.resize(node.def->inputs.size());
  }

  void add(const EdgeSpec& edge) {
    const int from = nodeOf(edge.from, edge, "from");
    const int to = nodeOf(edge.to, edge, "to");
    if (from < 0 || to < 0) return;
    const LayerDef* source = graph_.nodes[static_cast<size_t>(from)].def;
    const LayerDef* target = graph_.nodes[static_cast<size_t>(to)].def;
    // A layer that is not known may have any port; its wires count, or its neighbours would seem
    // to lack one.
    const int fromPort = source ? portOf(source->outputs, edge.fromPort) : 0;
    const int toPort = target ? portOf(target->inputs, edge.toPort) : 0;
    if (fromPort < 0) return refusePort(edge.from, "output", edge.fromPort);
    if (toPort < 0) return refusePort(edge.to, "input", edge.toPort);
    plug(graph_.nodes[static_cast<size_t>(to)], toPort, {from, fromPort});
  }

  void checkOpen() {
    for (CheckedNode& node : graph_.nodes) {
      if (!node.def) continue;
      const bool open = node.def->variadic ? node.inputs.size() < 2 : lacksWire(node);
      if (!open) continue;
      graph_.issues.push_back(graphIssue(
          "graph.open-input",
          node.def->variadic ? TENON_TEXT("wants at least two wires into its input, has {0}")
                             : TENON_TEXT("has an input with no wire"),
          {std::to_string(node.inputs.size())}, node.spec->id));
    }
  }

 private:
  static bool lacksWire(const CheckedNode& node) {
    for (size_t port = 0; port < node.inputs.size(); ++port)
      if (node.inputs[port].node < 0 && !node.def->isOptional(port)) return true;
    return false;
  }
  int nodeOf(const std::string& id, const EdgeSpec& edge, const char* end) {
    const auto found = index_.find(id);
    if (found != index_.end()) return found->second;
    graph_.issues.push_back(
        graphIssue("graph.unknown-node",
                   TENON_TEXT("the wire {0} -> {1} names the node '{2}', which does not exist"),
                   {edge.from, edge.to, id}, "", end));
    return -1;
  }
  void refusePort(const std::string& node, const char* kind, const std::string& port) {
    graph_.issues.push_back(
        graphIssue("graph.unknown-port", TENON_TEXT("has no {0} port '{1}'"), {kind, port}, node));
  }
  void plug(CheckedNode& node, int port, GraphSource source) {
    if (!node.def || node.def->variadic) {
      node.inputs.push_back(source);
    } else if (node.inputs[static_cast<size_t>(port)].node >= 0) {
      graph_.issues.push_back(graphIssue("graph.two-wires", TENON_TEXT("input '{0}' has two wires"),
                                         {node.def->inputs[static_cast<size_t>(port)]},
                                         node.spec->id));
    } else {
      node.inputs[static_cast<size_t>(port)] = source;
    }
  }

  CheckedGraph& graph_;
  std::map<std::string, int> index_;
};

/// Positions in running order; nodes in a circle are left out.
std::vector<int> runningOrder(const CheckedGraph& graph) {
  const size_t n = graph.nodes.size();
  std::vector<int> waiting(n, 0);
  std::vector<std::vector<int>> followers(n);
  for (size_t i = 0; i < n; ++i)
    for (const GraphSource& source : graph.nodes[i].inputs)
      if (source.node >= 0) {
        ++waiting[i];
        followers[static_cast<size_t>(source.node)].push_back(static_cast<int>(i));
      }
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (size_t i = 0; i < n; ++i)
    if (waiting[i] == 0) ready.push(static_cast<int>(i));
  std::vector<int> order;
  while (!ready.empty()) {
    const int at = ready.top();
    ready.pop();
    order.push_back(at);
    for (int next : followers[static_cast<size_t>(at)])
      if (--waiting[static_cast<size_t>(next)] == 0) ready.push(next);
  }
  return order;
}

}  // namespace

void connect(const GraphSpec& spec, CheckedGraph& graph) {
  Wiring wiring(graph);
  for (const EdgeSpec& edge : spec.edges) wiring.add(edge);
  wiring.checkOpen();
}

void sortByOrder(CheckedGraph& graph) {
  std::vector<int> order = runningOrder(graph);
  std::vector<int> place(graph.nodes.size(), -1);
  for (size_t i = 0; i < order.size(); ++i)
    place[static_cast<size_t>(order[i])] = static_cast<int>(i);
  std::string circle;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (place[i] >= 0) continue;
    place[i] = static_cast<int>(order.size());
    order.push_back(static_cast<int>(i));
    circle += (circle.empty() ? "" : ", ") + graph.nodes[i].spec->id;
  }
  if (!circle.empty())
    graph.issues.push_back(graphIssue(
        "graph.circle", TENON_TEXT("the wires form a circle through or before: {0}"), {circle}));
  std::vector<CheckedNode> sorted;
  for (int from : order) sorted.push_back(std::move(graph.nodes[static_cast<size_t>(from)]));
  for (CheckedNode& node : sorted)
    for (GraphSource& source : node.inputs)
      if (source.node >= 0) source.node = place[static_cast<size_t>(source.node)];
  graph.nodes = std::move(sorted);
}

}  // namespace tenon
