// SPDX-License-Identifier: Apache-2.0
// What weights start as: the spread of a model's values against that of PyTorch's modules
// (tests/reference/layers.json), constants exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "engine/graph/check.h"
#include "engine/graph/model.h"
#include "tests/engine/layers/layer_case.h"

namespace tenon::test {
namespace {

using Reference = nlohmann::json;

/// What the weights of a model hold that is this one layer, by name.
std::map<std::string, std::vector<double>> weightsOf(const Reference& c) {
  const LayerDef* def = findLayer(c.at("layer").get<std::string>());
  std::vector<PortShape> shapes;
  for (const Reference& input : c.at("inputs")) {
    const auto sizes = input.get<std::vector<int64_t>>();
    shapes.push_back(portShape({sizes.begin() + 1, sizes.end()},
                               def->takes == LayerTakes::Integers ? DType::I64 : DType::F32));
  }
  const LayerCase planned(def->id, paramsOf(c.at("params")), shapes);
  CheckedNode node;
  node.spec = std::make_shared<NodeSpec>(NodeSpec{"layer", def->id, planned.params});
  node.def = def;
  node.params = planned.params;
  node.inputShapes = shapes;
  node.plan = planned.plan();
  node.reaches = true;
  CheckedGraph graph;
  graph.nodes = {node};
  std::map<std::string, std::vector<double>> all;
  const Model model(graph, 11);
  for (const NamedTensor& named : model.tensors())
    all[named.name.substr(std::string("layer.").size())] = numbersOf(named.tensor);
  return all;
}

struct Spread {
  double min = 0, max = 0, mean = 0, std = 0;
};

Spread spreadOf(const std::vector<double>& values) {
  Spread s;
  s.min = *std::min_element(values.begin(), values.end());
  s.max = *std::max_element(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  s.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  for (double v : values) s.std += (v - s.mean) * (v - s.mean) / n;
  s.std = std::sqrt(s.std);
  return s;
}

void compare(const std::vector<double>& values, const Reference& wanted) {
  const auto n = static_cast<double>(values.size());
  ASSERT_EQ(values.size(), wanted.at("count").get<size_t>());
  const Spread got = spreadOf(values);
  const double std = wanted.at("std"), least = wanted.at("min"), most = wanted.at("max");
  if (std == 0) {
    EXPECT_EQ(got.min, least);
    EXPECT_EQ(got.max, most);
    return;
  }
  ASSERT_GE(n, 32) << "too few values to compare spreads";
  EXPECT_NEAR(got.std, std, std * 2.5 / std::sqrt(n));  // each has a deviation of up to 0.71
  EXPECT_NEAR(got.mean, 0, 4 * std / std::sqrt(n));
  const bool normal = most > 2.2 * std;  // of a uniform one it is 1.73
  EXPECT_EQ(got.max > 2.2 * got.std, normal);
  if (normal) return;
  EXPECT_NEAR(got.max, most, most * 12 / n);  // both within a few n-ths below the bound
  EXPECT_NEAR(got.min, least, most * 12 / n);
}

TEST(InitialValues, SpreadAsPyTorchs) {
  for (const Reference& c : layerReference("initial")) {
    const std::string layer = c.at("layer");
    SCOPED_TRACE(layer);
    const auto weights = weightsOf(c);
    ASSERT_EQ(weights.size(), c.at("weights").size());
    for (const auto& [name, wanted] : c.at("weights").items()) {
      SCOPED_TRACE(name);
      ASSERT_TRUE(weights.contains(name));
      compare(weights.at(name), wanted);
    }
  }
}

TEST(InitialValues, EveryLayerWithWeightsIsCompared) {
  std::set<std::string> seen;
  for (const Reference& c : layerReference("initial")) seen.insert(c.at("layer"));
  for (const Reference& c : layerReference("cases")) {
    if (c.at("weights").empty()) continue;
    EXPECT_TRUE(seen.contains(c.at("layer").get<std::string>())) << c.at("layer");
  }
}

TEST(InitialValues, APaddingTokenStartsAtZero) {
  for (const Reference& c : layerReference("initial")) {
    if (c.at("layer") != "embedding") continue;
    const std::vector<double> table = weightsOf(c).at("weight");
    const size_t width = 64, row = c.at("params").at("padding_index").get<size_t>();
    for (size_t i = 0; i < width; ++i) EXPECT_EQ(table[row * width + i], 0);
    EXPECT_NE(table[(row + 1) * width], 0);
    return;
  }
  FAIL() << "no case of an embedding with padding";
}

}  // namespace
}  // namespace tenon::test
