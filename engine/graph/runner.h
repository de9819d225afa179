// SPDX-License-Identifier: Apache-2.0
// Runner: the layers of a checked graph in running order; a model's, and those of graphs inside of
// layers.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/check.h"
#include "engine/memory/scope.h"
#include "engine/tensor/tensor.h"

namespace tenon {

class Runner {
 public:
  /// Sees every layer's output as it is made. May be empty.
  using OutputWatcher = std::function<void(const CheckedNode& node, const Tensor& output)>;

  /// @param graph without errors
  /// @param path of the layer that holds the graph; "" for a model. Layers are recorded and named
  /// in errors as "path.conv1".
  Runner(CheckedGraph graph, std::string path);

  /// Runs the graph. Values are freed as soon as nobody needs them.
  /// @param weights of all nodes that run, in their order, as planned
  /// @returns the output node's value
  Tensor run(const Tensor& x, std::span<const Tensor> weights, bool training,
             const OutputWatcher& watcher = {}) const;

  const CheckedGraph& graph() const { return graph_; }
  /// "conv1", or "path.conv1".
  std::string pathOf(const CheckedNode& node) const;

 private:
  using Values = std::vector<std::vector<Tensor>>;

  /// One layer on its way through run().
  struct Step {
    std::unique_ptr<Layer> layer;  // null: absorbed by the one before, passes its input on
    size_t firstWeight = 0;
    size_t weights = 0;
    memory::NameId name = 0;
    size_t outputs = 1;
  };

  void makeSteps();
  void absorbActivations();
  void step(size_t index, Values& values, std::span<const Tensor> weights, bool training) const;

  CheckedGraph graph_;
  std::string path_;
  std::vector<Step> steps_;
  std::vector<int> readers_;  // how many inputs read each node's output
};

}  // namespace tenon
