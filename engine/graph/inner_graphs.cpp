// SPDX-License-Identifier: Apache-2.0
// An inner graph is checked and run as a model is, on the shape its layer gives it.
#include "engine/graph/inner_graphs.h"

#include "engine/graph/check.h"
#include "engine/graph/runner.h"
#include "engine/graph/wiring.h"

namespace tenon {
namespace {

class GraphRun final : public InnerRun {
 public:
  GraphRun(CheckedGraph graph, std::string path) : runner_(std::move(graph), std::move(path)) {}

  Tensor call(const Tensor& x, std::span<const Tensor> weights, bool training) const override {
    return runner_.run(x, weights, training);
  }

 private:
  Runner runner_;
};

/// Where an issue of the graph stands, as a path within it.
std::string fieldOf(const Place& place) {
  if (place.node.empty()) return place.field.empty() ? "" : "edges";
  return "nodes." + place.node + (place.field.empty() ? "" : "." + place.field);
}

/// Weights of all nodes that run, named by them.
void addWeights(const CheckedGraph& graph, LayerPlan& plan) {
  for (const CheckedNode& node : graph.nodes) {
    if (!node.reaches) continue;
    const std::string& id = node.spec->id;
    plan.weights.reserve(plan.weights.size() + node.plan.weights.size());
    for (const WeightPlan& weight : node.plan.weights) {
      plan.weights.push_back(weight);
      plan.weights.back().name = id + "." + weight.name;
      plan.weights.back().layer = weight.layer.empty() ? id : id + "." + weight.layer;
    }
  }
}

class SpecGraph final : public InnerGraph {
 public:
  SpecGraph(std::shared_ptr<const GraphSpec> spec, std::string path, int depth)
      : spec_(std::move(spec)), path_(std::move(path)), depth_(depth) {}

  LayerPlan plan(const PortShape& input) const override {
    const CheckedGraph graph = checkedOn(input, path_);
    LayerPlan plan;
    plan.issues.reserve(graph.issues.size());
    for (Issue issue : graph.issues) {
      issue.place.field = fieldOf(issue.place);
      issue.place.node.clear();
      plan.issues.push_back(std::move(issue));
    }
    if (!graph.ok()) return plan;
    const CheckedNode& output = graph.nodes[static_cast<size_t>(graph.outputNode)];
    if (!output.planned) return plan;
    plan.outputs = {output.inputShapes[0]};
    addWeights(graph, plan);
    plan.flops = graph.totals.flops;
    plan.activationBytes = graph.totals.activationBytesPerSample;
    plan.turns = graph.totals.turns;
    return plan;
  }

  std::unique_ptr<InnerRun> make(const PortShape& input, const std::string& within) const override {
    const std::string path = within.empty() ? path_ : path_ + "." + within;
    return std::make_unique<GraphRun>(checkedOn(input, path), path);
  }

 private:
  CheckedGraph checkedOn(const PortShape& input, const std::string& path) const {
    return checkGraph(*spec_, {.sample = input, .path = path, .depth = depth_});
  }

  std::shared_ptr<const GraphSpec> spec_;
  std::string path_;
  int depth_;
};

}  // namespace

InnerGraphs innerGraphsOf(const NodeSpec& node, const std::string& path, int depth) {
  InnerGraphs graphs;
  for (const auto& [slot, graph] : node.graphs)
    graphs[slot] = std::make_shared<SpecGraph>(graph, path, depth);
  return graphs;
}

}  // namespace tenon
