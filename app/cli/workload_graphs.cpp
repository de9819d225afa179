// SPDX-License-Identifier: Apache-2.0
// Builds the graphs node by node, each behind the one before unless said otherwise.
#include "app/cli/workload_graphs.h"

#include <fmt/format.h>

#include <array>

namespace tenon::cli {
namespace {

std::vector<int64_t> both(int64_t side) { return {side, side}; }

/// A graph that grows at its last node.
class GrowingGraph {
 public:
  GrowingGraph() { then("input"); }

  GrowingGraph& then(const std::string& type, const ParamMap& params = {}) {
    const std::string id = fmt::format("{}{}", type, graph_.nodes.size());
    if (!last_.empty()) graph_.edges.push_back({last_, "", id, ""});
    graph_.nodes.push_back(std::make_shared<NodeSpec>(NodeSpec{id, type, params}));
    last_ = id;
    return *this;
  }
  GrowingGraph& linear(int64_t out) { return then("linear", {{"out_features", out}}); }
  GrowingGraph& relu() { return then("relu"); }
  /// The sum of the last node and that one.
  GrowingGraph& plus(const std::string& other) {
    then("add");
    graph_.edges.push_back({other, "", last_, ""});
    return *this;
  }

  const std::string& last() const { return last_; }
  /// What comes next goes behind that node.
  void goTo(const std::string& node) { last_ = node; }
  GraphSpec end() {
    then("output");
    return graph_;
  }

 private:
  GraphSpec graph_;
  std::string last_;
};

struct Filter {
  int64_t out = 0;
  int64_t kernel = 3;
  int64_t stride = 1;
};

/// A convolution without bias that keeps the size but for its stride, and batch norm.
GrowingGraph& normed(GrowingGraph& graph, const Filter& filter) {
  return graph
      .then("conv2d", {{"out_channels", filter.out},
                       {"kernel_size", both(filter.kernel)},
                       {"stride", both(filter.stride)},
                       {"padding", both(filter.kernel / 2)},
                       {"bias", false}})
      .then("batch_norm2d");
}

struct Block {
  int64_t in = 0;
  int64_t planes = 0;
  int64_t stride = 1;
};

/// Adds a block's input, brought to the shape of the last node if it has another, and ends it.
void closeBlock(GrowingGraph& graph, const std::string& input, const Block& block, int64_t out) {
  std::string beside = input;
  if (block.stride != 1 || block.in != out) {
    const std::string inner = graph.last();
    graph.goTo(input);
    beside = normed(graph, {out, 1, block.stride}).last();
    graph.goTo(inner);
  }
  graph.plus(beside).relu();
}

/// Two convolutions of 3x3. Returns the channels that come out.
int64_t basicBlock(GrowingGraph& graph, const Block& block) {
  const std::string input = graph.last();
  normed(graph, {block.planes, 3, block.stride}).relu();
  normed(graph, {block.planes, 3});
  closeBlock(graph, input, block, block.planes);
  return block.planes;
}

/// Narrow, 3x3, wide. Returns the channels that come out.
int64_t bottleneck(GrowingGraph& graph, const Block& block) {
  const std::string input = graph.last();
  const int64_t out = 4 * block.planes;
  normed(graph, {block.planes, 1}).relu();
  normed(graph, {block.planes, 3, block.stride}).relu();
  normed(graph, {out, 1});
  closeBlock(graph, input, block, out);
  return out;
}

/// Four stages of blocks behind a stem of 64 channels, then the mean of each channel.
GraphSpec residualNet(GrowingGraph& graph, int64_t (*block)(GrowingGraph&, const Block&),
                      const std::array<int, 4>& counts, int64_t classes) {
  int64_t channels = 64;
  for (size_t stage = 0; stage < counts.size(); ++stage)
    for (int i = 0; i < counts[stage]; ++i)
      channels =
          block(graph, {channels, int64_t{64} << stage, stage > 0 && i == 0 ? int64_t{2} : 1});
  graph.then("adaptive_avg_pool2d", {{"output_size", both(1)}}).then("flatten");
  return graph.linear(classes).end();
}

void convNormRelu(GrowingGraph& graph, int64_t out) {
  graph.then("conv2d", {{"out_channels", out}, {"padding", both(1)}});
  graph.then("batch_norm2d").relu();
}

}  // namespace

GraphSpec mlpGraph() {
  return GrowingGraph().linear(512).relu().linear(512).relu().linear(10).end();
}

GraphSpec tinyMlpGraph() {
  return GrowingGraph().linear(32).relu().linear(32).relu().linear(2).end();
}

GraphSpec cnnGraph() {
  GrowingGraph graph;
  for (const int64_t channels : {32, 64}) {
    convNormRelu(graph, channels);
    convNormRelu(graph, channels);
    graph.then("max_pool2d");
  }
  return graph.then("flatten").linear(128).relu().linear(10).end();
}

GraphSpec resnet18CifarGraph() {
  GrowingGraph graph;
  normed(graph, {64, 3}).relu();
  return residualNet(graph, &basicBlock, {2, 2, 2, 2}, 10);
}

GraphSpec resnet50Graph() {
  GrowingGraph graph;
  normed(graph, {64, 7, 2}).relu();
  graph.then("max_pool2d", {{"kernel_size", both(3)}, {"stride", both(2)}, {"padding", both(1)}});
  return residualNet(graph, &bottleneck, {3, 4, 6, 3}, 1000);
}

}  // namespace tenon::cli
