// SPDX-License-Identifier: Apache-2.0
// State dictionaries: what is loaded, what is reported, and that a refusal changes nothing.
#include "engine/modules/state_dict.h"

#include <gtest/gtest.h>

#include "engine/autograd/autograd.h"
#include "engine/modules/layers.h"
#include "tests/engine/modules/module_fixture.h"

namespace tenon {
namespace {

using nn::LoadReport;
using nn::loadState;
using nn::StateDict;
using Names = std::vector<std::string>;

std::shared_ptr<nn::Sequential> net() {
  return std::make_shared<nn::Sequential>(
      std::initializer_list<nn::ModulePtr>{nn::linear(3, 2), nn::relu(), nn::linear(2, 1)});
}

Tensor filled(const Shape& shape, double value) { return Tensor::full(shape, value); }

StateDict whole(const std::string& prefix = "") {
  return {{prefix + "0.weight", filled({2, 3}, 1)},
          {prefix + "0.bias", filled({2}, 2)},
          {prefix + "2.weight", filled({1, 2}, 3)},
          {prefix + "2.bias", filled({1}, 4)}};
}

std::vector<float> firstOfEach(const nn::Module& module) {
  std::vector<float> values;
  for (const nn::NamedState& each : module.state())
    values.push_back(each.tensor.toVector<float>()[0]);
  return values;
}

TEST(StateDict, RoundTripsAndSharesMemory) {
  const auto first = net();
  const auto second = net();
  const LoadReport report = loadState(*second, first->state());
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.loaded, 4u);
  EXPECT_EQ(firstOfEach(*second), firstOfEach(*first));
  EXPECT_FALSE(first->state()[0].tensor.requiresGrad());
  EXPECT_EQ(first->state()[0].tensor.rawData(), first->parameters()[0].tensor.rawData());
  EXPECT_TRUE(second->parameters()[0].tensor.requiresGrad());
  EXPECT_TRUE(autograd::isLeaf(second->parameters()[0].tensor));
}

TEST(StateDict, StrictLoadingListsEverythingAndChangesNothing) {
  const auto module = net();
  const std::vector<float> before = firstOfEach(*module);
  StateDict state = whole();
  state[1].name = "0.bais";
  state[2].tensor = filled({1, 4}, 3);
  state.push_back({"3.weight", filled({1}, 0)});
  const std::string text = errorOf([&] { loadState(*module, state); });
  EXPECT_TRUE(hasAll(text, {"does not fit the module", "missing: 0.bias", "unexpected: 0.bais",
                            "unexpected: 3.weight", "2.weight: wanted f32 [1, 2], got f32 [1, 4]"}))
      << text;
  EXPECT_EQ(firstOfEach(*module), before);
}

TEST(StateDict, NonStrictLoadingReports) {
  const auto module = net();
  StateDict state = whole();
  state[1].name = "0.bais";
  const LoadReport report = loadState(*module, state, {.strict = false});
  EXPECT_EQ(report.missing, (Names{"0.bias"}));
  EXPECT_EQ(report.unexpected, (Names{"0.bais"}));
  EXPECT_TRUE(report.mismatched.empty());
  EXPECT_EQ(report.loaded, 3u);
  const std::vector<float> values = firstOfEach(*module);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[2], 3);
  EXPECT_EQ(values[3], 4);
}

TEST(StateDict, OtherShapesAreLeftOutOnRequestOnly) {
  const auto module = net();
  const float kept = firstOfEach(*module)[2];
  StateDict state = whole();
  state[2].tensor = filled({5, 2}, 3);
  EXPECT_TRUE(hasAll(errorOf([&] { loadState(*module, state, {.strict = false}); }),
                     {"2.weight: wanted f32 [1, 2], got f32 [5, 2]"}));
  const LoadReport report = loadState(*module, state, {.skipMismatched = true});
  ASSERT_EQ(report.mismatched.size(), 1u);
  EXPECT_EQ(report.mismatched[0].name, "2.weight");
  EXPECT_EQ(report.mismatched[0].wanted.shape, (Shape{1, 2}));
  EXPECT_EQ(report.mismatched[0].got.shape, (Shape{5, 2}));
  EXPECT_TRUE(report.missing.empty());
  EXPECT_EQ(report.loaded, 3u);
  EXPECT_EQ(firstOfEach(*module), (std::vector<float>{1, 2, kept, 4}));
}

TEST(StateDict, PrefixesAreCut) {
  const auto module = net();
  StateDict state = whole("module.");
  EXPECT_FALSE(errorOf([&] { loadState(*module, state); }).empty());
  state[3].name = "2.bias";  // one without it
  EXPECT_TRUE(loadState(*module, state, {.stripPrefix = "module."}).complete());
  EXPECT_EQ(firstOfEach(*module), (std::vector<float>{1, 2, 3, 4}));
  state.push_back({"module.2.bias", filled({1}, 5)});
  EXPECT_TRUE(hasAll(errorOf([&] { loadState(*module, state, {.stripPrefix = "module."}); }),
                     {"two entries '2.bias'"}));
}

TEST(StateDict, TypesAreConverted) {
  const auto module = net();
  StateDict state = whole();
  state[0].tensor = Tensor::full({2, 3}, 1.5, DType::F64);
  state[1].tensor = Tensor::full({2}, 7, DType::I64);
  EXPECT_TRUE(loadState(*module, state).complete());
  EXPECT_EQ(firstOfEach(*module), (std::vector<float>{1.5, 7, 3, 4}));
  EXPECT_EQ(module->parameters()[0].tensor.dtype(), DType::F32);
}

TEST(StateDict, BuffersAreLoadedToo) {
  const nn::ModulePtr norm = nn::batchNorm2d(2);
  EXPECT_EQ(norm->buffers().size(), 3u);
  StateDict state = norm->state();
  state[2].tensor = filled({2}, 9);
  EXPECT_EQ(state[2].name, "running_mean");
  EXPECT_TRUE(loadState(*norm, state).complete());
  EXPECT_EQ(norm->buffers()[0].tensor.toVector<float>(), (std::vector<float>{9, 9}));
}

int64_t batchesOf(const nn::Module& norm) {
  return norm.buffers()[2].tensor.toVector<int64_t>()[0];
}

/// PyTorch's rule for states of before version 2 of batch norm (_NormBase._load_from_state_dict).
TEST(StateDict, AMissingCountOfBatchesIsZero) {
  const nn::ModulePtr norm = nn::batchNorm2d(2);
  StateDict state = norm->state();
  ASSERT_EQ(state.size(), 5u);
  EXPECT_EQ(state[4].name, "num_batches_tracked");
  EXPECT_EQ(state[4].tensor.dtype(), DType::I64);
  EXPECT_EQ(state[4].tensor.shape(), Shape());
  state[4].tensor = Tensor::full({}, 7, DType::I64);
  EXPECT_EQ(loadState(*norm, state).loaded, 5u);
  EXPECT_EQ(batchesOf(*norm), 7);
  state[3].name = "running_vra";
  state.pop_back();
  const std::string text = errorOf([&] { loadState(*norm, state); });
  EXPECT_TRUE(hasAll(text, {"missing: running_var", "unexpected: running_vra"})) << text;
  EXPECT_EQ(text.find("num_batches"), std::string::npos) << text;
  EXPECT_EQ(batchesOf(*norm), 7);  // a refusal changes nothing
  state[3].name = "running_var";
  const LoadReport report = loadState(*norm, state);
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.loaded, 4u);
  EXPECT_EQ(batchesOf(*norm), 0);
}

}  // namespace
}  // namespace tenon
