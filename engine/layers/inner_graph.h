// SPDX-License-Identifier: Apache-2.0
// Graphs inside of a layer as the layer sees them: planned on an input, then run. engine/graph
// makes them from the project.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "engine/layers/layer_def.h"

namespace tenon {

/// An inner graph that is ready to run. @thread any: nothing in it changes.
class TENON_API InnerRun {
 public:
  virtual ~InnerRun();
  /// @param x as the shape the graph was made for
  /// @param weights those of its plan, in that order
  /// @throws what its layers throw, with their paths as context
  virtual Tensor call(const Tensor& x, std::span<const Tensor> weights, bool training) const = 0;
};

/// A graph with one input and one output that a layer runs as a part of itself.
class TENON_API InnerGraph {
 public:
  virtual ~InnerGraph();
  /// Names of weights are paths within the graph ("conv1.weight"); fields of issues are paths too
  /// ("nodes.conv1.kernel_size"). One output unless there are errors.
  virtual LayerPlan plan(const PortShape& input) const = 0;
  /// For an input whose plan has no errors. Layers are recorded as "owner.within.conv1".
  /// @param within part of the path between the owner and the graph's layers; may be empty
  virtual std::unique_ptr<InnerRun> make(const PortShape& input,
                                         const std::string& within) const = 0;
};

}  // namespace tenon
