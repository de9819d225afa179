// SPDX-License-Identifier: Apache-2.0
// Graphs inside of nodes and a layer's precision in the project file: written and read back, errors
// at their place, settings by path, comparison.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/project/project_file.h"
#include "engine/project/settings.h"

namespace tenon {
namespace {

/// As projectText() writes it, but for what surrounds the graph.
constexpr const char* kNested = R"({
  "format_version": 1,
  "graph": {
    "nodes": [
      {"id": "x", "type": "input"},
      {
        "id": "block",
        "type": "residual",
        "precision": "f32",
        "graphs": {
          "body": {
            "nodes": [
              {"id": "x", "type": "input"},
              {
                "id": "again",
                "type": "repeat",
                "times": 3,
                "graphs": {
                  "body": {
                    "nodes": [
                      {"id": "fc", "type": "linear", "out_features": 4}
                    ],
                    "edges": []
                  }
                }
              }
            ],
            "edges": [
              {"from": "x", "to": "again"}
            ],
            "x_note": "kept"
          }
        }
      }
    ],
    "edges": [
      {"from": "x", "to": "block"}
    ]
  }
})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

ProjectSpec nested() {
  const ReadResult read = readProjectText(kNested, "p.tenon");
  EXPECT_TRUE(read.ok());
  return read.project;
}

/// The first error, as a line.
std::string errorOf(const std::string& text) {
  const ReadResult read = readProjectText(text, "p.tenon");
  for (const Issue& issue : read.issues)
    if (issue.severity == Severity::Error) return issueLine(issue);
  return "";
}

TEST(InnerGraphs, AreReadWithTheirNodesAndPrecision) {
  const ProjectSpec project = nested();
  const NodeSpec& block = *project.graph->find("block");
  EXPECT_EQ(block.precision, "f32");
  EXPECT_TRUE(block.params.empty());
  ASSERT_EQ(block.graphs.size(), 1U);
  const NodeSpec* again = block.graphs.at("body")->find("again");
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->params.getInt("times"), 3);
  EXPECT_EQ(again->precision, "");
  EXPECT_EQ(again->graphs.at("body")->find("fc")->params.getInt("out_features"), 4);
}

TEST(InnerGraphs, AreWrittenAsTheyWereRead) {
  const std::string text = projectText(nested());
  const ReadResult read = readProjectText(text);
  EXPECT_TRUE(read.project == nested());
  EXPECT_EQ(projectText(read.project), text);
  EXPECT_NE(text.find(R"("precision": "f32")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("x_note": "kept")"), std::string::npos) << text;
}

TEST(InnerGraphs, AreNotWrittenWhereThereAreNone) {
  const std::string text = projectText(
      readProjectText(R"({"format_version": 1, "graph": {"nodes": [{"id": "a", "type": "relu"}]}})")
          .project);
  EXPECT_EQ(text.find("graphs"), std::string::npos);
  EXPECT_EQ(text.find(R"("a", "type": "relu", "precision")"), std::string::npos);
}

TEST(InnerGraphs, ErrorsStandAtTheirPlace) {
  EXPECT_EQ(errorOf(replaced(kNested, R"("type": "linear")", R"("type": 7)")),
            "p.tenon:21:44: node 'block': field "
            "'graphs.body.nodes.again.graphs.body.nodes.fc.type': 'type' expects a text, got 7");
  EXPECT_EQ(errorOf(replaced(kNested, R"("to": "again")", R"("to": "agan")")),
            "p.tenon:29:35: node 'block': field 'graphs.body.edges.0.to': there is no node 'agan'; "
            "did you mean 'again'?");
  const std::string graphs = errorOf(
      R"({"format_version": 1, "graph": {"nodes": [{"id": "a", "type": "b", "graphs": [1]}]}})");
  EXPECT_NE(graphs.find("node 'a': field 'graphs': 'graphs' expects"), std::string::npos) << graphs;
  const std::string slot = errorOf(
      R"({"format_version": 1,
          "graph": {"nodes": [{"id": "a", "type": "b", "graphs": {"body": 4}}]}})");
  EXPECT_NE(slot.find("field 'graphs.body': 'body' expects"), std::string::npos) << slot;
}

TEST(InnerGraphs, APrecisionThatIsNone) {
  const std::string error =
      errorOf(replaced(kNested, R"("precision": "f32")", R"("precision": "f64")"));
  EXPECT_NE(error.find("node 'block': field 'precision'"), std::string::npos) << error;
  EXPECT_NE(error.find("f64"), std::string::npos) << error;
}

std::string nestedText(int depth) {
  std::string text = R"({"nodes": [{"id": "fc", "type": "linear", "axes": [1, 2]}]})";
  for (int i = 0; i < depth; ++i)
    text = R"({"nodes": [{"id": "n", "type": "sequential", "graphs": {"body": )" + text + "}}]}";
  return R"({"format_version": 1, "graph": )" + text + "}";
}

TEST(InnerGraphs, AreBoundedInDepth) {
  EXPECT_EQ(errorOf(nestedText(kMostInnerGraphs)), "");
  const std::string error = errorOf(nestedText(kMostInnerGraphs + 1));
  EXPECT_NE(error.find("graphs inside of graphs go at most 12 deep"), std::string::npos) << error;
  EXPECT_NE(errorOf(nestedText(2000)), "");
}

TEST(InnerGraphs, AreEqualByValue) {
  const ProjectSpec a = nested();
  EXPECT_TRUE(a == nested());
  EXPECT_FALSE(a == readProjectText(replaced(kNested, "\"times\": 3", "\"times\": 4")).project);
  EXPECT_FALSE(a == readProjectText(replaced(kNested, R"("precision": "f32",)", "")).project);
}

TEST(InnerGraphs, SettingsAreSetByPath) {
  const std::string path = "graph.nodes.block.graphs.body.nodes.again";
  const SetResult times = setByPath(nested(), path + ".times", "7");
  ASSERT_TRUE(times.ok()) << issueLine(times.issues.front());
  const NodeSpec* again = times.project.graph->find("block")->graphs.at("body")->find("again");
  EXPECT_EQ(again->params.getInt("times"), 7);
  const SetResult precision = setByPath(nested(), path + ".precision", "f32");
  ASSERT_TRUE(precision.ok());
  EXPECT_EQ(precision.project.graph->find("block")->graphs.at("body")->find("again")->precision,
            "f32");
  EXPECT_FALSE(setByPath(nested(), path + ".precision", "f64").ok());
  EXPECT_FALSE(setByPath(nested(), path + ".tims", "7").ok());
}

TEST(InnerGraphs, DifferencesNameThePath) {
  const ProjectSpec after =
      readProjectText(replaced(kNested, "\"times\": 3", "\"times\": 4")).project;
  const std::vector<SettingChange> changes = diffSpecs(nested(), after);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0],
            (SettingChange{"graph.nodes.block.graphs.body.nodes.again.times", "3", "4"}));
  const std::string wire = R"({"from": "x", "to": "again"})";
  const std::string other = R"({"from": "again", "to": "x"})";
  const auto wires = diffSpecs(nested(), readProjectText(replaced(kNested, wire, other)).project);
  ASSERT_EQ(wires.size(), 2U);
  EXPECT_EQ(wires[0].path, "graph.nodes.block.graphs.body.edges.x -> again");
  EXPECT_EQ(wires[1].path, "graph.nodes.block.graphs.body.edges.again -> x");
  EXPECT_NE(runHash(nested()), runHash(after));
  EXPECT_EQ(runHash(nested()),
            runHash(readProjectText(replaced(kNested, "\"kept\"", "\"other\"")).project));
}

}  // namespace
}  // namespace tenon
