// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded step made by hand, small enough to count in the head.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/observe/graph_recording.h"
#include "engine/observe/memory_recording.h"

namespace tenon::testing {

inline RecordedTensor tensor(std::string name, std::vector<int64_t> shape, uint64_t block) {
  RecordedTensor made;
  made.name = std::move(name);
  made.dtype = "f32";
  made.bytes = 4;
  for (const int64_t size : shape) made.bytes *= size;
  made.shape = std::move(shape);
  made.block = block;
  return made;
}

/// conv -> act -> loss, back to conv with its weight, then an update. Blocks: 1 weight, 10 batch,
/// 20 conv's output, 21 act's output, 30 gradient of the weight.
inline GraphRecording handGraph() {
  GraphRecording graph;
  graph.step = 7;
  const auto add = [&](RecordedKind kind, const char* op, const char* layer, const char* phase) {
    RecordedNode node;
    node.id = static_cast<int32_t>(graph.nodes.size());
    node.kind = kind;
    node.op = op;
    node.layer = layer;
    node.phase = phase;
    graph.nodes.push_back(node);
    return &graph.nodes.back();
  };
  const auto kernel = [](RecordedNode* node, const char* op, int64_t begin, int64_t end) {
    node->kernels.push_back({op, "simd", begin, end});
  };
  graph.nodes.reserve(8);
  RecordedNode* conv = add(RecordedKind::Forward, "conv2d", "conv", "forward");
  conv->inputs = {tensor("batch", {256}, 10), tensor("conv.weight", {128}, 1)};
  conv->outputs = {tensor("", {1024}, 20)};
  conv->parameters = R"({"padding": [1, 1], "stride": 2})";
  conv->partner = 5;
  kernel(conv, "conv2d", 150, 200);
  RecordedNode* act = add(RecordedKind::Forward, "relu", "act", "forward");
  act->inputs = {tensor("x", {1024}, 20)};
  act->outputs = {tensor("", {1024}, 21)};
  act->partner = 4;
  kernel(act, "relu", 210, 260);
  RecordedNode* loss = add(RecordedKind::Forward, "cross_entropy", "", "loss");
  loss->inputs = {tensor("logits", {1024}, 21)};
  loss->outputs = {tensor("", {}, 0)};
  loss->partner = 3;
  kernel(loss, "cross_entropy", 300, 320);
  RecordedNode* back = add(RecordedKind::Backward, "cross_entropy", "", "backward");
  back->outputs = {tensor("d logits", {1024}, 0)};
  back->saved = {tensor("logits", {1024}, 21)};
  back->partner = 2;
  kernel(back, "cross_entropy_backward", 400, 410);
  RecordedNode* actBack = add(RecordedKind::Backward, "relu", "act", "backward");
  actBack->outputs = {tensor("d x", {1024}, 0)};
  actBack->saved = {tensor("output 0", {1024}, 21)};
  actBack->partner = 1;
  kernel(actBack, "relu_backward", 420, 430);
  RecordedNode* convBack = add(RecordedKind::Backward, "conv2d", "conv", "backward");
  convBack->outputs = {tensor("d x", {256}, 0), tensor("d w", {128}, 0)};
  convBack->saved = {tensor("batch", {256}, 10), tensor("conv.weight", {128}, 1)};
  convBack->partner = 0;
  kernel(convBack, "conv2d_backward_weight", 440, 500);
  RecordedNode* leaf = add(RecordedKind::Leaf, "accumulate_grad", "conv", "backward");
  leaf->inputs = {tensor("conv.weight", {128}, 1)};
  RecordedNode* update = add(RecordedKind::Optimizer, "sgd_step", "", "optimizer");
  update->inputs = {tensor("conv.weight", {128}, 1), tensor("", {128}, 30)};
  kernel(update, "sgd_step", 540, 560);
  graph.edges = {{0, 0, 1, 0}, {1, 0, 2, 0}, {3, 0, 4, 0}, {4, 0, 5, 0}, {5, 1, 6, 0}};
  graph.kernelsLaunched = 7;
  graph.durationNs = 600;
  return graph;
}

/// The allocator meanwhile; the step began at 1000 on its clock. Peak 9728 bytes at 220.
inline MemoryRecording handMemory() {
  using memory::Category;
  using memory::EventKind;
  MemoryRecording recording;
  recording.step = 7;
  recording.names = {"", "conv", "conv2d", "act", "relu", "conv2d_backward_weight"};
  const auto event = [](EventKind kind, uint64_t block, uint64_t bytes, Category category,
                        int64_t time) {
    memory::Event made;
    made.kind = kind;
    made.block = block;
    made.bytes = bytes;
    made.requested = bytes - 12;
    made.category = category;
    made.timeNs = time;
    made.address = 4096 * block;
    return made;
  };
  const auto by = [](memory::Event made, uint32_t layer, uint32_t op, memory::Phase phase) {
    made.layer = layer;
    made.op = op;
    made.phase = phase;
    return made;
  };
  recording.trace.initial = {
      by(event(EventKind::Alloc, 1, 512, Category::Parameter, 10), 1, 0, memory::Phase::None),
      by(event(EventKind::Alloc, 10, 1024, Category::Input, 20), 0, 0, memory::Phase::Data)};
  memory::Event first = by(event(EventKind::Alloc, 20, 4096, Category::Temporary, 1150), 1, 2,
                           memory::Phase::Forward);
  first.stream = 3;
  first.pool = {1, 2};
  recording.trace.events = {first,
                            by(event(EventKind::Alloc, 21, 4096, Category::Temporary, 1220), 3, 4,
                               memory::Phase::Forward),
                            event(EventKind::Retag, 21, 4096, Category::Activation, 1230),
                            event(EventKind::Free, 20, 4096, Category::Temporary, 1270),
                            by(event(EventKind::Alloc, 30, 512, Category::Temporary, 1450), 1, 5,
                               memory::Phase::Backward),
                            event(EventKind::Retag, 30, 512, Category::Gradient, 1510),
                            // The clock did not move between these two.
                            event(EventKind::Free, 21, 4096, Category::Activation, 1510)};
  recording.peakBytes = 9728;
  recording.reservedBytes = 20480;
  return recording;
}

}  // namespace tenon::testing
