// SPDX-License-Identifier: Apache-2.0
// From a GraphSpec to a checked graph: order, shapes, weights, cost, and every issue at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/layers/layer_def.h"
#include "engine/project/specs.h"

namespace tenon {

/// Where an input of a node comes from.
struct GraphSource {
  int node = -1;  ///< index into CheckedGraph::nodes; -1: nothing is connected
  int port = 0;
};

/// One node after checking. Shapes are empty where an error before it hides them.
struct CheckedNode {
  std::shared_ptr<const NodeSpec> spec;
  const LayerDef* def = nullptr;  ///< null: unknown layer
  ParamMap params;                ///< with defaults filled in; empty if not valid
  bool valid = true;              ///< the parameters fit the schema
  std::vector<GraphSource> inputs;
  std::vector<PortShape> inputShapes;
  InnerGraphs graphs;  ///< inside of it, by slot
  LayerPlan plan;
  bool planned = false;  ///< shapes are known
  bool reaches = false;  ///< leads to an output
  TENON_API int64_t weightCount() const;
  TENON_API int64_t trainableCount() const;
  /// What the layer is planned and made with; refers to this node.
  PlanRequest request() const { return {params, inputShapes, &graphs}; }
};

struct GraphTotals {
  int64_t parameters = 0;  ///< trainable numbers
  int64_t buffers = 0;
  int64_t weightBytes = 0;               ///< of parameters and buffers
  double flops = 0;                      ///< forward, one sample; a multiply-add counts as 2
  int64_t activationBytesPerSample = 0;  ///< of all layer outputs, those of inner layers too
  int64_t turns = 0;                     ///< of repeats in one call, at most
};

struct CheckedGraph {
  std::vector<CheckedNode>
      nodes;  ///< each after those it reads from (as far as there is no circle)
  Issues issues;
  GraphTotals totals;
  int inputNode = -1;
  int outputNode = -1;
  bool ok() const { return !hasErrors(issues); }
  TENON_API const CheckedNode* find(std::string_view id) const;
};

/// What the data pipeline offers and wants of the graph.
struct GraphContext {
  PortShape sample;              ///< with kFreeSize first; empty sizes: unknown
  int64_t classes = 0;           ///< size wanted of the output's last axis; 0: not known
  bool oneOutputForTwo = false;  ///< for two classes a size of 1 will do too
  std::string path = {};         ///< of the layer that holds the graph; "": it is the model's
  int depth = 0;                 ///< graphs around this one
};

/// Checks a graph and those inside of its nodes. Never throws for what a user can get wrong. Issues
/// of an inner graph name the node of this graph that holds it, and the path from there as field:
/// "graphs.body.nodes.conv1.kernel_size".
TENON_API CheckedGraph checkGraph(const GraphSpec& graph, const GraphContext& context);

}  // namespace tenon
