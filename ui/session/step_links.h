// SPDX-License-Identifier: GPL-3.0-or-later
// StepLinks: which node of a recorded step asked for which block, and the way back.
#pragma once

#include <QHash>
#include <vector>

#include "engine/observe/graph_recording.h"

namespace tenon::ui {

class StepMemory;

/**
 * A block belongs to the node in whose kernel it was asked for (same operator, layer and time); one
 * from before the step or without operator to the first node that names it: as output, input or
 * saved tensor. Immutable.
 */
class StepLinks final {
 public:
  StepLinks() = default;
  StepLinks(const GraphRecording& graph, const StepMemory& memory);

  /// Node of a block by its index in StepMemory::blocks(), -1: none.
  [[nodiscard]] int nodeOf(int block) const {
    return block >= 0 && static_cast<size_t>(block) < nodes_.size()
               ? nodes_[static_cast<size_t>(block)]
               : -1;
  }
  /// Indexes of the blocks that a node asked for, in order of allocation.
  [[nodiscard]] std::vector<int> blocksOf(int node) const { return blocks_.value(node); }

 private:
  struct Interval;

  void linkByKernel(const GraphRecording& graph, const StepMemory& memory);
  void linkByName(const GraphRecording& graph, const StepMemory& memory);

  std::vector<int> nodes_;
  QHash<int, std::vector<int>> blocks_;
};

}  // namespace tenon::ui
