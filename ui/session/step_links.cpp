// SPDX-License-Identifier: GPL-3.0-or-later
// From times, layers and operators to the node behind a block.
#include "ui/session/step_links.h"

#include <algorithm>
#include <string>

#include "ui/session/step_memory.h"

namespace tenon::ui {

/// One kernel in time.
struct StepLinks::Interval {
  qint64 begin;
  qint64 end;
  int node;
  const std::string* op;
};

StepLinks::StepLinks(const GraphRecording& graph, const StepMemory& memory)
    : nodes_(memory.blocks().size(), -1) {
  linkByKernel(graph, memory);
  linkByName(graph, memory);
}

void StepLinks::linkByKernel(const GraphRecording& graph, const StepMemory& memory) {
  std::vector<Interval> kernels;
  for (const RecordedNode& node : graph.nodes)
    for (const RecordedKernel& kernel : node.kernels)
      kernels.push_back({kernel.startNs, kernel.endNs, node.id, &kernel.op});
  std::sort(kernels.begin(), kernels.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  const std::vector<std::string>& names = memory.recording().names;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const StepBlock& block = memory.blocks()[i];
    const memory::Event& birth = memory.birth(i);
    // The loader asks for batches while kernels run; those requests carry no operator.
    if (!block.made || birth.op == 0) continue;
    // Kernels of one step follow each other; only a layout change runs within another's call.
    auto after =
        std::upper_bound(kernels.begin(), kernels.end(), block.begin,
                         [](qint64 tick, const Interval& kernel) { return tick < kernel.begin; });
    constexpr int kNested = 4;
    int inside = -1;
    for (int back = 0; back < kNested && after != kernels.begin(); ++back) {
      const Interval& kernel = *--after;
      if (block.begin > kernel.end) continue;
      const bool sameLayer =
          graph.nodes[static_cast<size_t>(kernel.node)].layer == names[birth.layer];
      if (!sameLayer) continue;
      if (*kernel.op == names[birth.op]) {
        inside = kernel.node;
        break;
      }
      if (inside < 0) inside = kernel.node;
    }
    if (inside < 0) continue;
    nodes_[i] = inside;
    blocks_[inside].push_back(static_cast<int>(i));
  }
}

void StepLinks::linkByName(const GraphRecording& graph, const StepMemory& memory) {
  for (const auto tensors : {&RecordedNode::outputs, &RecordedNode::inputs, &RecordedNode::saved}) {
    for (const RecordedNode& node : graph.nodes) {
      for (const RecordedTensor& tensor : node.*tensors) {
        const int block = tensor.block ? memory.find(tensor.block) : -1;
        if (block < 0 || nodes_[static_cast<size_t>(block)] >= 0) continue;
        // An output in place belongs to nobody: who reads a weight first stands for it.
        const bool asked = memory.blocks()[static_cast<size_t>(block)].made;
        if (tensors == &RecordedNode::outputs && !asked) continue;
        nodes_[static_cast<size_t>(block)] = node.id;
        if (tensors == &RecordedNode::outputs) blocks_[node.id].push_back(block);
      }
    }
  }
}

}  // namespace tenon::ui
