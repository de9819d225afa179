// SPDX-License-Identifier: Apache-2.0
// Graphs of layers one after the other, for tests of layers with graphs inside of them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/project/specs.h"

namespace tenon::testing {

using GraphPtr = std::shared_ptr<const GraphSpec>;

/// input "x" -> the nodes in their order -> output "y"
inline GraphPtr chain(const std::vector<NodeSpec>& nodes) {
  auto graph = std::make_shared<GraphSpec>();
  const auto add = [&graph](const NodeSpec& node) {
    if (!graph->nodes.empty()) graph->edges.push_back({graph->nodes.back()->id, "", node.id, ""});
    graph->nodes.push_back(std::make_shared<NodeSpec>(node));
  };
  add({"x", "input", {}});
  for (const NodeSpec& node : nodes) add(node);
  add({"y", "output", {}});
  return graph;
}

/// A linear layer of so many features.
inline NodeSpec linearNode(const std::string& id, int64_t features, bool bias = false) {
  return {id, "linear", {{"out_features", features}, {"bias", bias}}};
}

}  // namespace tenon::testing
