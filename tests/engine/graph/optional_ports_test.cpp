// SPDX-License-Identifier: Apache-2.0
// Inputs that need no wire: what a graph does where there is none and where there is one, and the
// further outputs of recurrent layers.
#include <gtest/gtest.h>

#include "engine/amp/autocast.h"
#include "engine/base/error.h"
#include "engine/ops/recurrent/recurrent.h"
#include "engine/ops/view/view.h"
#include "tests/engine/graph/flow_fixture.h"
#include "tests/support/reference_numbers.h"

namespace tenon {
namespace {

using testing::issuesOf;

/// A graph from nodes and wires, "node" or "node.port" at either end.
struct Wired {
  GraphSpec graph;

  Wired& node(const std::string& id, const std::string& type, const ParamMap& params = {}) {
    graph.nodes.push_back(std::make_shared<NodeSpec>(NodeSpec{id, type, params}));
    return *this;
  }
  Wired& wire(const std::string& from, const std::string& to) {
    const auto half = [](const std::string& end, bool port) {
      const size_t dot = end.find('.');
      if (dot == std::string::npos) return port ? std::string() : end;
      return port ? end.substr(dot + 1) : end.substr(0, dot);
    };
    graph.edges.push_back({half(from, false), half(from, true), half(to, false), half(to, true)});
    return *this;
  }
  CheckedGraph check(const PortShape& sample) const { return checkGraph(graph, {sample, 0}); }
};

const PortShape kSteps{{kFreeSize, 4, 3}, DType::F32};

Tensor drawn(const Shape& shape, int64_t seed) {
  const std::vector<double> numbers = test::drawnNumbers(shape.numel(), seed, 1, 0);
  return Tensor::fromValues(std::vector<float>(numbers.begin(), numbers.end()), shape);
}

/// x -> an LSTM "net" of two units -> y
Wired lstmAlone() {
  return Wired()
      .node("x", "input")
      .node("net", "lstm", {{"hidden_size", int64_t{2}}})
      .node("y", "output")
      .wire("x", "net")
      .wire("net", "y");
}

std::vector<RecurrentWeights> weightsOf(const Model& model) {
  const auto get = [&](const char* name) {
    return testing::tensorIn(model, std::string("net.") + name);
  };
  return {{get("weight_ih_l0"), get("weight_hh_l0"), get("bias_ih_l0"), get("bias_hh_l0")}};
}

RecurrentOptions batchFirst() {
  RecurrentOptions options;
  options.batchFirst = true;
  return options;
}

TEST(OptionalPorts, AnOpenOneIsNoErrorAndChangesNoBit) {
  const CheckedGraph graph = lstmAlone().check(kSteps);
  ASSERT_TRUE(graph.ok()) << issuesOf(graph);
  EXPECT_TRUE(graph.issues.empty()) << issuesOf(graph);
  const CheckedNode* net = graph.find("net");
  ASSERT_EQ(net->inputShapes.size(), 4u);
  EXPECT_EQ(net->inputShapes[0], kSteps);
  for (size_t port = 1; port < 4; ++port) EXPECT_TRUE(net->inputShapes[port].sizes.empty());
  const Model model(graph, 3);
  const Tensor x = drawn({5, 4, 3}, 1);
  const RecurrentResult wanted = recurrent(x, weightsOf(model), {}, batchFirst());
  EXPECT_EQ(model.forward(x, true).toVector<float>(), wanted.y.toVector<float>());
}

/// The start state is made of the input: x -> flatten -> linear -> unflatten -> "start".
Wired startMade(const std::string& port) {
  return lstmAlone()
      .node("flat", "flatten")
      .node("fc", "linear", {{"out_features", int64_t{2}}, {"bias", false}})
      .node("start", "unflatten", {{"sizes", std::vector<int64_t>{1, 2}}})
      .wire("x", "flat")
      .wire("flat", "fc")
      .wire("fc", "start")
      .wire("start", "net." + port);
}

TEST(OptionalPorts, AWireIsUsed) {
  for (const std::string port : {"h0", "c0"}) {
    SCOPED_TRACE(port);
    const Model model(startMade(port).check(kSteps), 3);
    const Tensor x = drawn({5, 4, 3}, 1);
    Tensor start;
    const Tensor y = model.forward(x, true, [&](const CheckedNode& node, const Tensor& output) {
      if (node.spec->id == "start") start = output;
    });
    ASSERT_TRUE(start.defined());
    RecurrentState state;
    (port == "h0" ? state.hidden : state.cell) = transpose(start, 0, 1);
    const RecurrentResult with = recurrent(x, weightsOf(model), state, batchFirst());
    const RecurrentResult without = recurrent(x, weightsOf(model), {}, batchFirst());
    EXPECT_EQ(y.toVector<float>(), with.y.toVector<float>());
    EXPECT_NE(y.toVector<float>(), without.y.toVector<float>());
    autograd::backward(y, drawn({5, 4, 2}, 2));
    EXPECT_FALSE(testing::gradientIn(model, "fc.weight").empty());
  }
}

TEST(OptionalPorts, LengthsOfTheInputAreUsed) {
  // The input is the lengths; an embedding makes the sequences of them.
  const Wired wired = Wired()
                          .node("x", "input")
                          .node("table", "embedding",
                                {{"num_embeddings", int64_t{5}}, {"embedding_dim", int64_t{12}}})
                          .node("steps", "unflatten", {{"sizes", std::vector<int64_t>{4, 3}}})
                          .node("net", "lstm", {{"hidden_size", int64_t{2}}})
                          .node("y", "output")
                          .wire("x", "table")
                          .wire("table", "steps")
                          .wire("steps", "net")
                          .wire("x", "net.lengths")
                          .wire("net", "y");
  const CheckedGraph graph = wired.check({{kFreeSize}, DType::I32});
  ASSERT_TRUE(graph.ok()) << issuesOf(graph);
  const Model model(graph, 3);
  const Tensor lengths = Tensor::fromValues<int32_t>({3, 1, 4}, {3});
  const std::vector<float> y = model.forward(lengths, false).toVector<float>();
  for (size_t row = 0; row < 3; ++row)
    for (size_t step = 0; step < 4; ++step) {
      const bool within = step < std::vector<size_t>{3, 1, 4}[row];
      EXPECT_EQ(y[(row * 4 + step) * 2] != 0, within) << row << ", " << step;
    }
  try {
    model.forward(Tensor::fromValues<int32_t>({3, 0}, {2}), false);
    ADD_FAILURE() << "a length of 0 was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Shape);
    EXPECT_NE(std::string(error.what()).find("lengths must be 1 .. 4, got 0"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("layer 'net'"), std::string::npos) << error.what();
  }
}

TEST(OptionalPorts, FurtherOutputsFeedOtherLayers) {
  for (const auto& [port, cell] : {std::pair("net.h_n", false), std::pair("net.c_n", true)}) {
    Wired wired = lstmAlone();
    wired.graph.edges.pop_back();
    const Model model(wired.wire(port, "y").check(kSteps), 3);
    const Tensor x = drawn({5, 4, 3}, 1);
    const RecurrentResult wanted = recurrent(x, weightsOf(model), {}, batchFirst());
    const Tensor state = transpose(cell ? wanted.end.cell : wanted.end.hidden, 0, 1);
    const Tensor y = model.forward(x, true);
    EXPECT_EQ(y.shape(), (Shape{5, 1, 2}));
    EXPECT_EQ(y.toVector<float>(), state.toVector<float>());
  }
}

TEST(OptionalPorts, AStateLeadsFromOneLayerIntoTheNext) {
  const Wired wired = lstmAlone()
                          .node("second", "lstm", {{"hidden_size", int64_t{2}}})
                          .wire("net", "second")
                          .wire("net.h_n", "second.h0")
                          .wire("net.c_n", "second.c0");
  GraphSpec graph = wired.graph;
  graph.edges[1] = {"second", "", "y", ""};
  const CheckedGraph checked = checkGraph(graph, {kSteps, 0});
  EXPECT_TRUE(checked.find("second")->planned) << issuesOf(checked);
}

TEST(OptionalPorts, TwoWiresIntoOneAreRefused) {
  EXPECT_EQ(issuesOf(startMade("h0").wire("start", "net.h0").check(kSteps)),
            "graph.two-wires: node 'net': input 'h0' has two wires\n");
}

TEST(OptionalPorts, ThoseThatNeedAWireAreStillRefusedWithoutOne) {
  const Wired wired = Wired()
                          .node("x", "input")
                          .node("net", "multi_head_attention", {{"num_heads", int64_t{1}}})
                          .node("y", "output")
                          .wire("x", "net.query")
                          .wire("x", "net.key")
                          .wire("net", "y");
  EXPECT_EQ(issuesOf(wired.check(kSteps)),
            "graph.open-input: node 'net': has an input with no wire\n");
  Wired whole = wired;
  const CheckedGraph graph = whole.wire("x", "net.value").check(kSteps);
  EXPECT_TRUE(graph.ok()) << issuesOf(graph);
}

TEST(OptionalPorts, WhatDoesNotFitIsNamedWithItsPort) {
  EXPECT_EQ(issuesOf(lstmAlone().wire("x", "net.lengths").check(kSteps)),
            "graph.type: node 'net': 'lengths' wants whole numbers, such as i64, got f32 N×4×3\n");
  EXPECT_EQ(issuesOf(lstmAlone().wire("x", "net.h0").check(kSteps)),
            "graph.optional-input: node 'net': 'h0' wants f32 N×1×2, got f32 N×4×3\n");
  EXPECT_EQ(issuesOf(lstmAlone().wire("x", "net.h1").check(kSteps)),
            "graph.unknown-port: node 'net': has no input port 'h1'\n");
}

TEST(OptionalPorts, AnErrorBeforeAnOptionalOneIsToldOnce) {
  Wired wired = startMade("h0");
  wired.graph.nodes.back() = std::make_shared<NodeSpec>(
      NodeSpec{"start", "unflatten", {{"sizes", std::vector<int64_t>{3}}}});
  const CheckedGraph graph = wired.check(kSteps);
  EXPECT_EQ(graph.issues.size(), 1u) << issuesOf(graph);
  EXPECT_FALSE(graph.find("net")->planned);
}

TEST(OptionalPorts, StayOpenInALayerThatWorksInF32) {
  NodeSpec net{"net", "lstm", {{"hidden_size", int64_t{2}}}};
  for (const bool exact : {false, true}) {
    if (exact) net.precision = "f32";
    const auto graph = testing::chain({testing::linearNode("fc", 3), net});
    const Model model(checkGraph(*graph, {kSteps, 0}), 3);
    DType before = DType::Bool;
    const amp::AutocastGuard autocast(DType::BF16);
    const Tensor y = model.forward(drawn({5, 4, 3}, 1), true,
                                   [&](const CheckedNode& node, const Tensor& output) {
                                     if (node.spec->id == "fc") before = output.dtype();
                                   });
    EXPECT_EQ(before, DType::BF16);
    EXPECT_EQ(y.dtype(), exact ? DType::F32 : DType::BF16);
  }
}

TEST(OptionalPorts, StayOpenInsideOfALayer) {
  NodeSpec block{"block", "sequential", {}};
  block.graphs["body"] = testing::chain({{"net", "lstm", {{"hidden_size", int64_t{2}}}}});
  const CheckedGraph graph = checkGraph(*testing::chain({block}), {kSteps, 0});
  ASSERT_TRUE(graph.ok()) << issuesOf(graph);
  EXPECT_EQ(Model(graph, 1).forward(drawn({5, 4, 3}, 1), true).shape(), (Shape{5, 4, 2}));
}

TEST(OptionalPorts, AreTheLastInputsAndHaveNoDefaultInVariadicLayers) {
  for (const LayerDef* def : allLayers()) {
    SCOPED_TRACE(def->id);
    EXPECT_LE(def->optionalInputs, def->inputs.size());
    EXPECT_LT(def->sideOutputs, std::max<size_t>(def->outputs.size(), 1));
    EXPECT_LE(def->inputTakes.size(), def->inputs.size());
    EXPECT_TRUE(!def->variadic || def->optionalInputs == 0);
    for (size_t port = 0; port < def->inputs.size(); ++port)
      EXPECT_EQ(def->isOptional(port), port >= def->inputs.size() - def->optionalInputs);
  }
}

}  // namespace
}  // namespace tenon
