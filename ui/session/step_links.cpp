// SPDX-License-Identifier: GPL-3.0-or-later
// From times, layers and operators to the node behind a block.
#include "ui/session/step_links.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "ui/session/step_memory.h"

namespace tenon::ui {

/// One kernel in time.
struct StepLinks::Interval {
  qint64 begin;
  qint64 end;
  int node;

  /// How far a tick is away; 0 within.
  [[nodiscard]] qint64 distance(qint64 tick) const {
    return tick < begin ? begin - tick : std::max<qint64>(0, tick - end);
  }
};

StepLinks::StepLinks(const GraphRecording& graph, const StepMemory& memory)
    : nodes_(memory.blocks().size(), -1) {
  linkByKernel(graph, memory);
  linkByName(graph, memory);
}

/// Of the calls of that operator in that layer the one nearest in time: the clocks of both
/// recordings fit together to a few microseconds only.
void StepLinks::linkByKernel(const GraphRecording& graph, const StepMemory& memory) {
  std::map<std::pair<std::string, std::string>, std::vector<Interval>> calls;
  for (const RecordedNode& node : graph.nodes)
    for (const RecordedKernel& kernel : node.kernels)
      calls[{node.layer, kernel.op}].push_back({kernel.startNs, kernel.endNs, node.id});
  for (auto& [call, intervals] : calls)
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  const std::vector<std::string>& names = memory.recording().names;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const StepBlock& block = memory.blocks()[i];
    const memory::Event& birth = memory.birth(i);
    // The loader asks for batches while kernels run; those requests carry no operator.
    if (!block.made || birth.op == 0) continue;
    const auto found = calls.find({names[birth.layer], names[birth.op]});
    if (found == calls.end()) continue;
    const std::vector<Interval>& intervals = found->second;
    auto next = std::upper_bound(
        intervals.begin(), intervals.end(), block.begin,
        [](qint64 tick, const Interval& interval) { return tick < interval.begin; });
    if (next == intervals.end() ||
        (next != intervals.begin() &&
         std::prev(next)->distance(block.begin) <= next->distance(block.begin)))
      --next;
    nodes_[i] = next->node;
    blocks_[next->node].push_back(static_cast<int>(i));
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
