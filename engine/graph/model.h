// SPDX-License-Identifier: Apache-2.0
// Model: a checked graph with its weights, ready to run as operator calls.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/graph/check.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// A tensor of a model: "conv1.weight" of layer "conv1", "block.conv1.weight" of layer
/// "block.conv1" inside of "block".
struct NamedTensor {
  std::string name;
  std::string layer;
  Tensor tensor;
  bool trainable = true;
  bool decays = true;
  bool optional = false;  ///< older checkpoints may lack it: it is zero then
};

class TENON_API Model {
 public:
  /// Makes and initializes the weights. The same seed gives the same weights on every device.
  /// @param graph must be ok(). @throws Error(Code::Input) listing its errors otherwise;
  /// Error(Code::Memory).
  Model(CheckedGraph graph, uint64_t seed, Device device = {});
  ~Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  /// Sees every layer's output as it is made, e.g. for probes. May be empty.
  using OutputWatcher = std::function<void(const CheckedNode& node, const Tensor& output)>;

  /// Runs the graph. Values are freed as soon as nobody needs them.
  /// @param x the batch, [N, ...] as the input node's shape; @param training chooses batch
  /// statistics and dropout.
  /// @returns the output node's value, e.g. logits [N, classes].
  /// @throws Error(Code::Shape) if x does not fit; errors of layers with context "layer 'id'".
  Tensor forward(const Tensor& x, bool training, const OutputWatcher& watcher = {}) const;

  /// Every weight and buffer, in running order.
  const std::vector<NamedTensor>& tensors() const;
  /// The trainable ones.
  std::vector<NamedTensor> parameters() const;
  const CheckedGraph& graph() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
