// SPDX-License-Identifier: Apache-2.0
// Graphs inside of layers under check: places of issues, shapes that must agree, bounds, totals.
#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/graph/flow_fixture.h"

namespace tenon::testing {
namespace {

using Graphs = std::map<std::string, GraphPtr>;

NodeSpec repeated(const std::string& id, int64_t times, const GraphPtr& body, bool shared = true) {
  return {id, "repeat", {{"times", times}, {"shared_weights", shared}}, {{"body", body}}};
}

TEST(FlowCheck, IssuesNameTheNodeAndThePathInside) {
  const GraphPtr inner =
      chain({{"conv1", "linear", {{"out_features", int64_t{2}}, {"bais", true}}}});
  const GraphSpec graph = *chain({{"block", "sequential", {}, Graphs{{"body", inner}}}});
  const CheckedGraph checked = checkGraph(graph, rows(2));
  ASSERT_FALSE(checked.ok());
  const Place& place = checked.issues[0].place;
  EXPECT_EQ(place.node, "block");
  EXPECT_EQ(place.field, "graphs.body.nodes.conv1.bais");
}

TEST(FlowCheck, IssuesOfAGraphTwoLevelsDown) {
  const GraphPtr bad = chain({{"what", "lineer", {}}});
  const GraphPtr middle =
      chain({{"inner", "residual", {}, Graphs{{"shortcut", bad}, {"body", bad}}}});
  const std::string all = issuesOf({{"outer", "sequential", {}, Graphs{{"body", middle}}}}, 2);
  EXPECT_NE(all.find("node 'outer': field "
                     "'graphs.body.nodes.inner.graphs.shortcut.nodes.what.type'"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("'linear'"), std::string::npos) << all;
}

TEST(FlowCheck, SlotsAreWantedAndKnown) {
  const std::string missing = issuesOf({{"block", "residual", {}}}, 2);
  EXPECT_NE(missing.find("graph.missing-slot: node 'block': field 'graphs': wants a graph 'body'"),
            std::string::npos)
      << missing;
  const GraphPtr same = chain({});
  const std::string unknown =
      issuesOf({{"block", "residual", {}, Graphs{{"body", same}, {"boddy", same}}}}, 2);
  EXPECT_NE(unknown.find("graph.unknown-slot: node 'block': field 'graphs.boddy'"),
            std::string::npos)
      << unknown;
  EXPECT_NE(unknown.find("body, shortcut"), std::string::npos) << unknown;
  const std::string none = issuesOf({{"act", "relu", {}, Graphs{{"body", same}}}}, 2);
  EXPECT_NE(none.find("a layer 'relu' has no graphs inside; got 'body'"), std::string::npos)
      << none;
}

TEST(FlowCheck, AnInnerGraphNeedsBothEnds) {
  auto open = std::make_shared<GraphSpec>();
  open->nodes.push_back(std::make_shared<NodeSpec>(NodeSpec{"x", "input", {}}));
  const std::string all = issuesOf({{"block", "sequential", {}, Graphs{{"body", open}}}}, 2);
  EXPECT_NE(all.find("field 'graphs.body': the graph inside has no 'output' node"),
            std::string::npos)
      << all;
}

TEST(FlowCheck, ShapesThatDifferAreBothNamed) {
  const GraphPtr three = chain({linearNode("fc", 3)});
  const GraphPtr four = chain({linearNode("fc", 4)});
  const auto tells = [](const NodeSpec& node, const std::string& text) {
    const std::string all = issuesOf({node}, 2);
    EXPECT_NE(all.find(text), std::string::npos) << all;
  };
  tells({"block", "residual", {}, Graphs{{"body", three}, {"shortcut", four}}},
        "body and shortcut must give one shape, got N×3 and N×4");
  tells({"block", "residual", {}, Graphs{{"body", three}}},
        "without a shortcut the body must give the shape it gets, N×2, but gives N×3");
  tells({"way", "condition", {}, Graphs{{"then", three}, {"else", four}}},
        "'then' and 'else' must give one shape, got N×3 and N×4");
  tells({"way", "condition", {}, Graphs{{"then", three}}},
        "without 'else' the graph 'then' must give the shape it gets, N×2, but gives N×3");
  const std::string repeat = issuesOf({repeated("again", 2, three)}, 2);
  EXPECT_NE(repeat.find("must give the shape it gets, N×2, but gives N×3"), std::string::npos)
      << repeat;
}

TEST(FlowCheck, TypesThatDifferAreBothNamed) {
  const GraphPtr table = chain(
      {{"table", "embedding", {{"num_embeddings", int64_t{4}}, {"embedding_dim", int64_t{2}}}},
       {"flat", "flatten", {}}});
  const CheckedGraph graph = checkGraph(*chain({{"way", "condition", {}, Graphs{{"then", table}}}}),
                                        {{{kFreeSize, 1}, DType::I64}, 0});
  const std::string all = issuesOf(graph);
  EXPECT_NE(all.find("it gets, i64 N×1, but gives f32 N×2"), std::string::npos) << all;
}

TEST(FlowCheck, NestedRepeatsAreBounded) {
  const auto nested = [](int64_t outer, int64_t inner) {
    const GraphPtr body = chain({repeated("in", inner, chain({linearNode("fc", 1)}))});
    return issuesOf({repeated("out", outer, body)}, 1);
  };
  EXPECT_EQ(nested(100, 100), "");
  EXPECT_EQ(nested(100, 101),
            "graph.turns: node 'out': field 'times': repeats inside of each other make 10100 turns "
            "in a call, at most 10000 can be\n");
  EXPECT_NE(issuesOf({repeated("out", 1001, chain({linearNode("fc", 1)}))}, 1).find("1000"),
            std::string::npos);
  // Three levels: the turns of the inner two are multiplied already.
  const GraphPtr two = chain({repeated("b", 100, chain({repeated("c", 10, chain({}))}))});
  EXPECT_EQ(issuesOf({repeated("a", 10, two)}, 1), "");
  EXPECT_NE(issuesOf({repeated("a", 11, two)}, 1).find("11000 turns"), std::string::npos);
}

TEST(FlowCheck, WeightsOfTurnsAreBounded) {
  std::vector<NodeSpec> layers;
  layers.reserve(101);
  for (int i = 0; i < 101; ++i) layers.push_back(linearNode("fc" + std::to_string(i), 1));
  EXPECT_EQ(issuesOf({repeated("again", 1000, chain(layers))}, 1), "");
  EXPECT_NE(issuesOf({repeated("again", 1000, chain(layers), false)}, 1)
                .find("have 101000 weights, at most 100000 can be"),
            std::string::npos);
}

TEST(FlowCheck, RandomTurnsHaveAnOrder) {
  NodeSpec node = repeated("again", 3, chain({}));
  node.params.set("decides", std::string("random"));
  node.params.set("at_least", int64_t{4});
  EXPECT_EQ(issuesOf({node}, 1),
            "graph.repeat: node 'again': field 'at_least': must be at most times, 3, got 4\n");
  node.params.set("decides", std::string("fixed"));
  EXPECT_EQ(issuesOf({node}, 1), "");
}

TEST(FlowCheck, NestingIsBounded) {
  GraphPtr graph = chain({linearNode("fc", 1)});
  for (int i = 0; i < kMostInnerGraphs; ++i)
    graph = chain({{"deep", "sequential", {}, Graphs{{"body", graph}}}});
  const CheckedGraph fits = checkGraph(*graph, rows(1));
  EXPECT_EQ(issuesOf(fits), "");
  std::string path;
  for (int i = 0; i < kMostInnerGraphs; ++i) path += "deep.";
  EXPECT_EQ(namesIn(Model(fits, 1)), std::vector<std::string>{path + "fc.weight"});
  graph = chain({{"deep", "sequential", {}, Graphs{{"body", graph}}}});
  const std::string all = issuesOf(checkGraph(*graph, rows(1)));
  EXPECT_NE(all.find("graph.too-deep"), std::string::npos) << all;
  EXPECT_NE(all.find("at most 12 deep"), std::string::npos) << all;
}

TEST(FlowCheck, NamesOfWeightsAreTheirOwn) {
  const GraphPtr fc = chain({linearNode("fc", 1)});
  const GraphPtr body = chain({{"shortcut", "sequential", {}, Graphs{{"body", fc}}}});
  const std::string all =
      issuesOf({{"block", "residual", {}, Graphs{{"body", body}, {"shortcut", fc}}}}, 1);
  EXPECT_NE(all.find("graph.duplicate-weight"), std::string::npos) << all;
  EXPECT_NE(all.find("'shortcut.fc.weight'"), std::string::npos) << all;
}

TEST(FlowCheck, PrecisionIsF32OrTheTrainings) {
  NodeSpec node = linearNode("fc", 1);
  node.precision = "f32";
  EXPECT_EQ(issuesOf({node}, 1), "");
  node.precision = "f8";
  const std::string all = issuesOf({node}, 1);
  EXPECT_NE(all.find("node 'fc': field 'precision'"), std::string::npos) << all;
  EXPECT_NE(all.find("f8"), std::string::npos) << all;
}

TEST(FlowCheck, TotalsCountInnerLayers) {
  const GraphPtr body = chain({linearNode("fc", 4)});
  const CheckedGraph once = checkGraph(*body, rows(4));
  const CheckedGraph graph = checkGraph(*chain({repeated("again", 5, body)}), rows(4));
  EXPECT_EQ(graph.totals.flops, 5 * once.totals.flops);
  EXPECT_EQ(graph.totals.parameters, 16);
  EXPECT_EQ(graph.totals.turns, 5);
  // The model's own input and output, as of any layer, beside those of the turns.
  EXPECT_EQ(graph.totals.activationBytesPerSample, 5 * 16 + 2 * 16);
  const CheckedGraph apart = checkGraph(*chain({repeated("again", 5, body, false)}), rows(4));
  EXPECT_EQ(apart.totals.parameters, 5 * 16);
  EXPECT_EQ(apart.totals.flops, graph.totals.flops);
}

TEST(FlowCheck, TotalsStopAtTheLargestNumber) {
  const GraphContext huge{{{kFreeSize, int64_t{1} << 50}, DType::F32}, 0};
  const GraphPtr inner = chain({repeated("in", 100, chain({{"act", "relu", {}}}))});
  const CheckedGraph graph = checkGraph(*chain({repeated("out", 100, inner)}), huge);
  EXPECT_TRUE(graph.ok()) << issuesOf(graph);
  EXPECT_EQ(graph.totals.activationBytesPerSample, std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace tenon::testing
