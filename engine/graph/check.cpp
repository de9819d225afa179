// SPDX-License-Identifier: Apache-2.0
// Checks nodes, wires, order, then plans each node from its inputs.
#include "engine/graph/check.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/graph/inner_graphs.h"
#include "engine/graph/wiring.h"
#include "engine/layers/flow.h"
#include "engine/layers/planning.h"
#include "engine/project/catalog.h"
#include "engine/schema/validate.h"

namespace tenon {

int64_t CheckedNode::weightCount() const {
  int64_t n = 0;
  for (const WeightPlan& weight : plan.weights) n += weight.shape.numel();
  return n;
}

int64_t CheckedNode::trainableCount() const {
  int64_t n = 0;
  for (const WeightPlan& weight : plan.weights)
    if (weight.trainable) n += weight.shape.numel();
  return n;
}

const CheckedNode* CheckedGraph::find(std::string_view id) const {
  for (const CheckedNode& node : nodes)
    if (node.spec->id == id) return &node;
  return nullptr;
}

namespace {

void checkParams(CheckedNode& node, Issues& issues) {
  Place at;
  at.node = node.spec->id;
  const Issues found = validate(node.def->schema, node.spec->params, at);
  issues.insert(issues.end(), found.begin(), found.end());
  node.valid = !hasErrors(found);
  if (node.valid) node.params = completeParams(node.def->schema, node.spec->params, at);
}

/// The graphs inside of a node: those that its layer has slots for, not too deep.
void checkGraphs(CheckedNode& node, const GraphContext& context, Issues& issues) {
  const NodeSpec& spec = *node.spec;
  Issues found = checkSlots(spec, node.def->slots);
  if (!spec.graphs.empty() && context.depth >= kMostInnerGraphs)
    found.push_back(graphIssue("graph.too-deep",
                               TENON_TEXT("graphs inside of graphs go at most {0} deep"),
                               {std::to_string(kMostInnerGraphs)}, "", "graphs"));
  if (ParamCheck precision = checkParam(nodePrecisionParam(), spec.precision); precision.issue)
    found.push_back(*std::move(precision.issue));
  if (hasErrors(found)) node.valid = false;
  for (Issue& issue : found) {
    issue.place.node = spec.id;
    issues.push_back(std::move(issue));
  }
  const std::string path = context.path.empty() ? spec.id : context.path + "." + spec.id;
  if (node.valid) node.graphs = innerGraphsOf(spec, path, context.depth + 1);
}

std::vector<CheckedNode> makeNodes(const GraphSpec& graph, const GraphContext& context,
                                   Issues& issues) {
  std::vector<CheckedNode> nodes;
  std::set<std::string> seen;
  for (const auto& spec : graph.nodes) {
    if (!seen.insert(spec->id).second) {
      issues.push_back(graphIssue("graph.duplicate-id", TENON_TEXT("two nodes have the id '{0}'"),
                                  {spec->id}, spec->id));
      continue;
    }
    CheckedNode node;
    node.spec = spec;
    node.def = findLayer(spec->type);
    if (node.def) {
      checkParams(node, issues);
      checkGraphs(node, context, issues);
    } else {
      Issue unknown = unknownLayer(spec->type);
      unknown.place.node = spec->id;
      unknown.place.field = "type";
      issues.push_back(std::move(unknown));
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

/// Weights of different inner layers may come to one name: those of 'shortcut', and those of a
/// layer of the body that is called so.
void checkNames(const CheckedNode& node, Issues& issues) {
  std::set<std::string> seen;
  for (const WeightPlan& weight : node.plan.weights) {
    if (seen.insert(weight.name).second) continue;
    issues.push_back(
        graphIssue("graph.duplicate-weight",
                   TENON_TEXT("two weights inside have the name '{0}': a layer must not be called "
                              "as a graph beside it"),
                   {weight.name}, node.spec->id, "graphs"));
    return;
  }
}

/// Plans a node whose inputs are all known. The input node takes the data's shape.
void planNode(CheckedGraph& graph, size_t index, const GraphContext& context) {
  CheckedNode& node = graph.nodes[index];
  if (!node.def || !node.valid) return;
  node.inputShapes.clear();
  const bool isInput = node.def->id == "input";
  if (isInput && !context.sample.sizes.empty()) node.inputShapes.push_back(context.sample);
  for (size_t port = 0; port < node.inputs.size(); ++port) {
    const GraphSource& source = node.inputs[port];
    if (source.node < 0) {
      if (!node.def->isOptional(port)) return;
      node.inputShapes.emplace_back();  // no sizes: no wire
      continue;
    }
    const CheckedNode& from = graph.nodes[static_cast<size_t>(source.node)];
    if (!from.planned) return;
    node.inputShapes.push_back(from.plan.outputs[static_cast<size_t>(source.port)]);
  }
  if (node.inputShapes.empty() && !isInput) return;
  node.plan = planLayer(*node.def, node.request());
  for (Issue& issue : node.plan.issues) {
    issue.place.node = node.spec->id;
    graph.issues.push_back(issue);
  }
  if (!node.graphs.empty()) checkNames(node, graph.issues);
  node.planned = !hasErrors(node.plan.issues) && !node.plan.outputs.empty();
}

void findEnds(CheckedGraph& graph, bool inner) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const std::string& type = graph.nodes[i].spec->type;
    int* end = type == "input" ? &graph.inputNode : type == "output" ? &graph.outputNode : nullptr;
    if (!end) continue;
    if (*end >= 0) {
      graph.issues.push_back(graphIssue(
          "graph.two-ends", TENON_TEXT("there is more than one '{0}' node: this one and '{1}'"),
          {type, graph.nodes[static_cast<size_t>(*end)].spec->id}, graph.nodes[i].spec->id));
    } else {
      *end = static_cast<int>(i);
    }
  }
  if (graph.inputNode < 0)
    graph.issues.push_back(graphIssue("graph.no-input",
                                      inner ? TENON_TEXT("the graph inside has no 'input' node")
                                            : TENON_TEXT("the model has no 'input' node"),
                                      {}));
  if (graph.outputNode < 0)
    graph.issues.push_back(graphIssue("graph.no-output",
                                      inner ? TENON_TEXT("the graph inside has no 'output' node")
                                            : TENON_TEXT("the model has no 'output' node"),
                                      {}));
}

/// Marks what leads to the output; the rest is warned about.
void markReaching(CheckedGraph& graph) {
  if (graph.outputNode < 0) return;
  std::vector<int> stack = {graph.outputNode};
  while (!stack.empty()) {
    CheckedNode& node = graph.nodes[static_cast<size_t>(stack.back())];
    stack.pop_back();
    if (node.reaches) continue;
    node.reaches = true;
    for (const GraphSource& source : node.inputs)
      if (source.node >= 0) stack.push_back(source.node);
  }
  for (const CheckedNode& node : graph.nodes) {
    if (node.reaches) continue;
    Issue issue =
        graphIssue("graph.unused", TENON_TEXT("does not lead to the output and will not run"), {},
                   node.spec->id);
    issue.severity = Severity::Warning;
    graph.issues.push_back(std::move(issue));
  }
}

void checkClasses(CheckedGraph& graph, const GraphContext& context) {
  if (graph.outputNode < 0 || context.classes <= 0) return;
  const CheckedNode& output = graph.nodes[static_cast<size_t>(graph.outputNode)];
  if (!output.planned) return;
  const PortShape& shape = output.inputShapes[0];
  const bool oneWillDo = context.oneOutputForTwo && context.classes == 2;
  const int64_t columns = shape.sizes.size() == 2 ? shape.sizes[1] : -1;
  if (columns == context.classes || (oneWillDo && columns == 1)) return;
  const char* text =
      oneWillDo
          ? TENON_TEXT("the data has {0} classes, so the output must be N×{0} or N×1; it is {1}")
          : TENON_TEXT("the data has {0} classes, so the output must be N×{0}; it is {1}");
  graph.issues.push_back(graphIssue(
      "graph.classes", text, {std::to_string(context.classes), toString(shape)}, output.spec->id));
}

/// @param inner ends of an inner graph only pass on what the layers around it hold
void addTotals(CheckedGraph& graph, bool inner) {
  for (const CheckedNode& node : graph.nodes) {
    if (!node.planned || !node.reaches) continue;
    const int64_t trainable = node.trainableCount();
    graph.totals.parameters += trainable;
    graph.totals.buffers += node.weightCount() - trainable;
    for (const WeightPlan& weight : node.plan.weights)
      graph.totals.weightBytes +=
          weight.shape.numel() * static_cast<int64_t>(dtypeBytes(weight.dtype));
    graph.totals.flops += node.plan.flops;
    graph.totals.turns = flow::plus(graph.totals.turns, node.plan.turns);
    if (inner && node.def->family == LayerFamily::Data) continue;
    int64_t outputs = 0;
    for (const PortShape& out : node.plan.outputs)
      outputs += out.perSample() * static_cast<int64_t>(dtypeBytes(out.dtype));
    int64_t& bytes = graph.totals.activationBytesPerSample;
    bytes = flow::plus(bytes, node.plan.activationBytes.value_or(outputs));
  }
}

}  // namespace

CheckedGraph checkGraph(const GraphSpec& spec, const GraphContext& context) {
  CheckedGraph graph;
  graph.nodes = makeNodes(spec, context, graph.issues);
  connect(spec, graph);
  sortByOrder(graph);
  findEnds(graph, context.depth > 0);
  for (size_t i = 0; i < graph.nodes.size(); ++i) planNode(graph, i, context);
  markReaching(graph);
  checkClasses(graph, context);
  addTotals(graph, context.depth > 0);
  return graph;
}

}  // namespace tenon
