// SPDX-License-Identifier: Apache-2.0
// Graphs under check: shapes, costs, every issue with its node; models from them.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/autograd/autograd.h"
#include "engine/graph/check.h"
#include "engine/graph/model.h"
#include "engine/layers/initial_values.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/project/project_file.h"

namespace tenon {
namespace {

struct GraphText {
  GraphSpec graph;
  GraphText& node(const std::string& id, const std::string& type, const ParamMap& params = {}) {
    graph.nodes.push_back(std::make_shared<NodeSpec>(NodeSpec{id, type, params}));
    return *this;
  }
  GraphText& wire(const std::string& from, const std::string& to) {
    graph.edges.push_back({from, "", to, ""});
    return *this;
  }
};

GraphContext images(int64_t classes = 10) {
  return {{{kFreeSize, 1, 28, 28}, DType::F32}, classes};
}

GraphText smallNet() {
  return GraphText()
      .node("x", "input")
      .node("conv", "conv2d", {{"out_channels", int64_t{4}}})
      .node("act", "relu")
      .node("flat", "flatten")
      .node("fc", "linear", {{"out_features", int64_t{10}}})
      .node("y", "output")
      .wire("x", "conv")
      .wire("conv", "act")
      .wire("act", "flat")
      .wire("flat", "fc")
      .wire("fc", "y");
}

/// Text of the first issue with that code, "" if there is none.
std::string issueOf(const CheckedGraph& graph, const std::string& code) {
  for (const Issue& issue : graph.issues)
    if (issue.code == code) return issueLine(issue);
  return "";
}

TEST(Graph, ShapesCostsAndOrder) {
  GraphText text = smallNet();
  std::reverse(text.graph.nodes.begin(),
               text.graph.nodes.end());  // the file's order does not matter
  const CheckedGraph graph = checkGraph(text.graph, images());
  EXPECT_TRUE(graph.ok()) << issueLine(graph.issues.front());
  EXPECT_EQ(graph.nodes.front().spec->id, "x");
  EXPECT_EQ(toString(graph.find("conv")->plan.outputs[0]), "N×4×26×26");
  EXPECT_EQ(toString(graph.find("flat")->plan.outputs[0]), "N×2704");
  EXPECT_EQ(graph.totals.parameters, 4 * 9 + 4 + 2704 * 10 + 10);
  // conv: 4*26*26 outputs of 9 multiply-adds and a bias; relu: one each; linear: 10 of 2704
  // multiply-adds and a bias
  EXPECT_DOUBLE_EQ(graph.totals.flops, 4 * 26 * 26 * 19 + 4 * 26 * 26 + 10 * (2 * 2704 + 1));
}

TEST(Graph, TheSampleProjectIsThePeersCnn) {
  const ReadResult read = readProject(TENON_SOURCE_DIR "/projects/fashion-mnist/project.tenon");
  ASSERT_TRUE(read.ok());
  const CheckedGraph graph = checkGraph(*read.project.graph, images());
  EXPECT_TRUE(graph.ok());
  // Counted from the peer script's Cnn by hand: 320+64 + 9248+64 + 18496+128 + 36928+128 + 401536 +
  // 1290
  EXPECT_EQ(graph.totals.parameters, 468202);
}

TEST(Graph, AllIssuesComeAtOnce) {
  const GraphText text = GraphText()
                             .node("x", "input")
                             .node("bad", "conv2dd")
                             .node("fc", "linear", {{"out_features", int64_t{7}}})
                             .node("y", "output")
                             .node("lost", "relu")
                             .wire("x", "fc")
                             .wire("fc", "y")
                             .wire("x", "nowhere");
  const CheckedGraph graph = checkGraph(text.graph, {{{kFreeSize, 16}, DType::F32}, 10});
  EXPECT_EQ(issueOf(graph, "graph.unknown-layer"),
            "node 'bad': field 'type': there is no layer 'conv2dd'; did you mean 'conv2d'?");
  EXPECT_EQ(issueOf(graph, "graph.unknown-node"),
            "field 'to': the wire x -> nowhere names the node 'nowhere', which does not exist");
  EXPECT_EQ(issueOf(graph, "graph.classes"),
            "node 'y': the data has 10 classes, so the output must be N×10; it is N×7");
  EXPECT_EQ(issueOf(graph, "graph.open-input"), "node 'lost': has an input with no wire");
}

TEST(Graph, WiresOfAnUnknownLayerCount) {
  const GraphText text = GraphText()
                             .node("x", "input")
                             .node("act", "relu")
                             .node("bad", "conv2dd")
                             .node("sum", "add")
                             .node("y", "output")
                             .wire("x", "act")
                             .wire("act", "bad")
                             .wire("x", "bad")
                             .wire("bad", "sum")
                             .wire("act", "sum")
                             .wire("sum", "y");
  const CheckedGraph graph = checkGraph(text.graph, images());
  // One fault, one issue: nobody lacks a wire or leads nowhere because of it.
  ASSERT_EQ(graph.issues.size(), 1u) << issueLine(graph.issues.back());
  EXPECT_EQ(graph.issues[0].code, "graph.unknown-layer");
  EXPECT_EQ(graph.find("bad")->inputs.size(), 2u);
  EXPECT_EQ(graph.find("sum")->inputs.size(), 2u);
  EXPECT_FALSE(graph.find("sum")->planned);
}

TEST(Graph, TypesAreCheckedBeforeShapes) {
  const auto net = [](const ParamMap& input, const char* layer) {
    return GraphText()
        .node("x", "input", input)
        .node("layer", layer)
        .node("y", "output")
        .wire("x", "layer")
        .wire("layer", "y")
        .graph;
  };
  const PortShape tokens{{kFreeSize, 12}, DType::I64}, numbers{{kFreeSize, 12}, DType::F32};
  EXPECT_EQ(issueOf(checkGraph(net({}, "linear"), {tokens, 0}), "graph.type"),
            "node 'layer': wants floating numbers, such as f32, got i64 N×12");
  EXPECT_EQ(issueOf(checkGraph(net({}, "embedding"), {numbers, 0}), "graph.type"),
            "node 'layer': wants whole numbers, such as i64, got f32 N×12");
  EXPECT_TRUE(checkGraph(net({}, "embedding"), {tokens, 0}).ok());
  EXPECT_TRUE(checkGraph(net({}, "flatten"), {tokens, 0}).ok());
  EXPECT_EQ(issueOf(checkGraph(net({{"dtype", std::string("i64")}}, "embedding"), {numbers, 0}),
                    "graph.type"),
            "node 'x': field 'dtype': is declared as i64, the data gives f32");
  // Without data the declared type counts.
  const ParamMap declared{{"shape", std::vector<int64_t>{12}}, {"dtype", std::string("i64")}};
  EXPECT_TRUE(checkGraph(net(declared, "embedding"), {}).ok());
}

TEST(Graph, ShapeErrorsNameNodeWantedAndGot) {
  GraphText text = smallNet();
  text.graph.nodes[1] = std::make_shared<NodeSpec>(
      NodeSpec{"conv", "conv2d", {{"kernel_size", std::vector<int64_t>{31, 31}}}});
  const CheckedGraph graph = checkGraph(text.graph, images());
  EXPECT_EQ(issueOf(graph, "graph.kernel-too-large"),
            "node 'conv': field 'kernel_size': kernel 31x31 does not fit into the input N×1×28×28 "
            "with its padding");
  EXPECT_FALSE(graph.find("fc")->planned);  // hidden behind the error, not another error
  EXPECT_EQ(std::count_if(graph.issues.begin(), graph.issues.end(),
                          [](const Issue& i) { return i.severity == Severity::Error; }),
            1);

  const CheckedGraph flat = checkGraph(smallNet().graph, {{{kFreeSize, 784}, DType::F32}, 10});
  EXPECT_EQ(issueOf(flat, "graph.rank"),
            "node 'conv': wants an input with 4 axes (N×C×H×W), got 2 (N×784)");
}

TEST(Graph, AnAddOfTwoShapesNamesNodeWantedAndGot) {
  GraphText text;
  text.node("x", "input").node("flat", "flatten").node("sum", "add").node("y", "output");
  text.wire("x", "sum").wire("x", "flat").wire("flat", "sum").wire("sum", "y");
  const CheckedGraph graph = checkGraph(text.graph, images());
  EXPECT_FALSE(graph.ok());
  EXPECT_EQ(issueOf(graph, "graph.shape-mismatch"),
            "node 'sum': inputs must have one shape, got N×1×28×28 and N×784");
  EXPECT_FALSE(graph.find("y")->planned);
  EXPECT_EQ(graph.issues.size(), 1U);  // the output says nothing of its own
}

TEST(Graph, CirclesTwoWiresAndMissingEnds) {
  const GraphText circle = GraphText()
                               .node("x", "input")
                               .node("a", "add")
                               .node("b", "relu")
                               .node("y", "output")
                               .wire("x", "a")
                               .wire("b", "a")
                               .wire("a", "b")
                               .wire("a", "y");
  EXPECT_NE(issueOf(checkGraph(circle.graph, images()), "graph.circle").find("a, b"),
            std::string::npos);

  GraphText twice = smallNet();
  twice.wire("x", "act");
  EXPECT_EQ(issueOf(checkGraph(twice.graph, images()), "graph.two-wires"),
            "node 'act': input 'in' has two wires");

  const CheckedGraph none = checkGraph(GraphSpec(), images());
  EXPECT_NE(issueOf(none, "graph.no-input"), "");
  EXPECT_NE(issueOf(none, "graph.no-output"), "");
}

TEST(Graph, ParametersAreValidated) {
  GraphText text = smallNet();
  text.graph.nodes[1] =
      std::make_shared<NodeSpec>(NodeSpec{"conv", "conv2d", {{"out_chanels", int64_t{4}}}});
  const CheckedGraph graph = checkGraph(text.graph, images());
  EXPECT_FALSE(graph.ok());
  EXPECT_NE(issueLine(graph.issues.front()).find("out_channels"), std::string::npos);
}

TEST(Model, SameSeedSameWeightsOtherSeedOthers) {
  const CheckedGraph graph = checkGraph(smallNet().graph, images());
  const Model a(graph, 7);
  const Model b(graph, 7);
  const Model c(graph, 8);
  ASSERT_EQ(a.tensors().size(), 4U);
  EXPECT_EQ(a.tensors()[0].name, "conv.weight");
  EXPECT_EQ(a.tensors()[0].tensor.toVector<float>(), b.tensors()[0].tensor.toVector<float>());
  EXPECT_NE(a.tensors()[0].tensor.toVector<float>(), c.tensors()[0].tensor.toVector<float>());
  for (const float value : a.tensors()[0].tensor.toVector<float>())
    EXPECT_LE(std::abs(value), 1.0F / 3);  // 1/sqrt(9)
}

TEST(Model, ACountOfBatchesIsABufferAndTakesNoRandomNumbers) {
  GraphText text;
  text.node("x", "input")
      .node("flat", "flatten")
      .node("norm", "batch_norm1d")
      .node("fc", "linear", {{"out_features", int64_t{10}}})
      .node("y", "output")
      .wire("x", "flat")
      .wire("flat", "norm")
      .wire("norm", "fc")
      .wire("fc", "y");
  const CheckedGraph graph = checkGraph(text.graph, images());
  EXPECT_EQ(graph.totals.parameters, 2 * 784 + 7850);
  EXPECT_EQ(graph.totals.buffers, 2 * 784 + 1);
  EXPECT_EQ(graph.totals.weightBytes, 4 * (4 * 784 + 7850) + 8);
  const Model model(graph, 7);
  const NamedTensor& count = model.tensors().at(4);
  EXPECT_EQ(count.name, "norm.num_batches_tracked");
  EXPECT_EQ(count.tensor.dtype(), DType::I64);
  EXPECT_TRUE(!count.trainable && count.optional);
  const Tensor wanted = Tensor::empty({10, 784});  // the norm's four floating tensors come before
  fillUniform(wanted, -1.0 / 28, 1.0 / 28, {philox::makeKey(7, philox::Purpose::Init), 4});
  EXPECT_EQ(model.tensors().at(5).tensor.toVector<float>(), wanted.toVector<float>());
  for (const bool training : {true, false, true})
    model.forward(Tensor::full({3, 1, 28, 28}, 0.5), training);
  EXPECT_EQ(count.tensor.toVector<int64_t>(), std::vector<int64_t>{2});
}

TEST(Model, ForwardGivesLogitsAndGradientsReachEveryWeight) {
  const Model model(checkGraph(smallNet().graph, images()), 1);
  const Tensor out = model.forward(Tensor::full({3, 1, 28, 28}, 0.5), true);
  EXPECT_EQ(out.shape(), (Shape{3, 10}));
  autograd::backward(sum(out));
  for (const NamedTensor& named : model.tensors())
    EXPECT_TRUE(autograd::gradOf(named.tensor).defined()) << named.name;
}

TEST(Model, AWrongBatchIsRefused) {
  const Model model(checkGraph(smallNet().graph, images()), 1);
  try {
    model.forward(Tensor::full({3, 1, 27, 28}, 0.5), true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the model wants f32 N×1×28×28, got f32 [3, 1, 27, 28] cpu");
  }
}

/// Ids of the operators that run.
struct OpNames final : gate::Listener {
  std::vector<std::string> ops;
  void onCall(const gate::CallInfo& info) override { ops.emplace_back(info.op.id); }
  int64_t count(std::string_view op) const { return std::count(ops.begin(), ops.end(), op); }
};

/// `layer` and a ReLU after it, side by side or with a layer between that keeps them apart.
CheckedGraph rectifiedNet(const std::string& layer, const ParamMap& params, bool apart) {
  GraphText text;
  text.node("x", "input").node("layer", layer, params).node("act", "relu").node("flat", "flatten");
  text.node("y", "output").wire("x", "layer");
  if (apart) text.node("id", "identity").wire("layer", "id").wire("id", "act");
  if (!apart) text.wire("layer", "act");
  text.wire("act", "flat").wire("flat", "y");
  return checkGraph(text.graph, {{{kFreeSize, 3, 9, 8}, DType::F32}, 0});
}

TEST(Model, AReluRunsInsideItsSourceAndEqualsTwoLayers) {
  const std::pair<std::string, ParamMap> layers[] = {
      {"batch_norm2d", {}},
      {"conv2d", {{"out_channels", int64_t{8}}}},
      {"linear", {{"out_features", int64_t{5}}}},
  };
  for (const auto& [layer, params] : layers) {
    SCOPED_TRACE(layer);
    const Tensor x = Tensor::empty({2, 3, 9, 8}, DType::F32);
    for (int64_t i = 0; i < x.numel(); ++i)
      x.data<float>()[i] = static_cast<float>((i * 37) % 101) / 50.0F - 1.0F;
    const Model one(rectifiedNet(layer, params, false), 3),
        two(rectifiedNet(layer, params, true), 3);
    OpNames names;
    std::vector<Tensor> results[2];
    for (const Model* model : {&one, &two}) {
      const gate::ListenerGuard guard(names);
      const Tensor y = model->forward(x, true);
      autograd::backward(sum(y));
      std::vector<Tensor>& all = results[model == &two];
      all.push_back(y);
      for (const NamedTensor& weight : model->parameters())
        all.push_back(autograd::gradOf(weight.tensor));
      EXPECT_EQ(names.count("relu"), model == &two) << "a pass of its own only if kept apart";
    }
    ASSERT_EQ(results[0].size(), results[1].size());
    for (size_t i = 0; i < results[0].size(); ++i)
      EXPECT_EQ(results[0][i].toVector<float>(), results[1][i].toVector<float>()) << i;
  }
}

TEST(Model, AReluThatIsNotTheOnlyReaderStaysALayer) {
  GraphText text;
  text.node("x", "input").node("fc", "linear", {{"out_features", int64_t{4}}}).node("act", "relu");
  text.node("both", "add").node("y", "output").wire("x", "fc").wire("fc", "act");
  text.wire("fc", "both").wire("act", "both").wire("both", "y");
  const Model model(checkGraph(text.graph, {{{kFreeSize, 3}, DType::F32}, 0}), 3);
  OpNames names;
  const gate::ListenerGuard guard(names);
  model.forward(Tensor::full({2, 3}, 0.5), true);
  EXPECT_EQ(names.count("linear"), 1);
  EXPECT_EQ(names.count("relu"), 1);
}

TEST(Model, EveryLayerHasWhatThePaletteNeeds) {
  for (const LayerDef* layer : allLayers()) {
    EXPECT_FALSE(layer->title.empty()) << layer->id;
    EXPECT_FALSE(layer->help.empty()) << layer->id;
    EXPECT_FALSE(layer->icon.empty()) << layer->id;
    EXPECT_NE(layer->plan, nullptr) << layer->id;
    EXPECT_NE(layer->make, nullptr) << layer->id;
    for (const ParamSpec& spec : layer->schema)
      EXPECT_FALSE(spec.help.empty()) << layer->id << "." << spec.name;
  }
}

}  // namespace
}  // namespace tenon
