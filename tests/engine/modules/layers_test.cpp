// SPDX-License-Identifier: Apache-2.0
// Layer definitions as modules: values, initial weights, modes, other input sizes, refusals.
#include "engine/modules/layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/autograd/autograd.h"
#include "engine/layers/initial_values.h"
#include "engine/modules/state_dict.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/modules/module_fixture.h"

namespace tenon {
namespace {

using Values = std::vector<float>;

void expectNear(const Tensor& got, const Values& wanted, double tolerance = 2e-6) {
  const Values values = got.toVector<float>();
  ASSERT_GE(values.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(values[i], wanted[i], tolerance) << i;
}

TEST(Layers, ASmallNetAgreesWithTorch) {
  // torch 1.13 in f64: Sequential(Linear(3, 4), Tanh, LayerNorm(4), Linear(4, 2)) whose k-th
  // parameter value (all in a row, from 1) is sin(k) / 2; x = k / 4 - 0.5, targets 1 and 0.
  nn::Sequential net{nn::linear(3, 4), nn::layer("tanh"), nn::layerNorm(4), nn::linear(4, 2)};
  nn::StateDict state = net.state();
  int k = 0;
  for (nn::NamedState& each : state) {
    Values values;
    for (int64_t i = 0; i < each.tensor.numel(); ++i)
      values.push_back(static_cast<float>(std::sin(++k) / 2));
    each.tensor = Tensor::fromValues(values, each.tensor.shape());
  }
  loadState(net, state);
  const Tensor x = Tensor::fromValues<float>({-0.5F, -0.25F, 0, 0.25F, 0.5F, 0.75F}, {2, 3});
  const Tensor y = net(x);
  expectNear(y, {-0.09200548F, 0.22132483F, 0.20561114F, -0.04415739F});
  const Tensor loss = crossEntropy(y, Tensor::fromValues<int64_t>({1, 0}, {2}));
  EXPECT_NEAR(loss.toVector<float>()[0], 0.56237245, 1e-6);
  autograd::backward(loss);
  const Values wanted[] = {{0.04403868F, 0.02619308F, 0.00834748F, 0.02906553F},
                           {-0.07138241F, 0.07814984F, 0.05059510F, -0.00864232F},
                           {-0.09852662F, 0.35171937F, -0.22000954F, -0.04102855F},
                           {-0.00206913F, -0.00681786F, -0.00529827F, 0.00109252F},
                           {0.17503336F, -0.15084994F, -0.02094283F, 0.13705283F},
                           {-0.00778921F, 0.00778921F}};
  const auto parameters = net.parameters();
  ASSERT_EQ(parameters.size(), 6u);
  EXPECT_EQ(parameters[2].name, "2.weight");
  for (size_t i = 0; i < 6; ++i) {
    SCOPED_TRACE(parameters[i].name);
    expectNear(autograd::gradOf(parameters[i].tensor), wanted[i]);
  }
}

TEST(Layers, WeightsStartAsTheDefinitionSays) {
  const Seeded seed(1);
  const auto parameters = nn::linear(100, 50)->parameters();
  const Values values = parameters[0].tensor.toVector<float>();
  EXPECT_GT(*std::max_element(values.begin(), values.end()), 0.0995F);  // bound 1 / sqrt(100)
  EXPECT_LE(*std::max_element(values.begin(), values.end()), 0.1F);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -0.1F);
  EXPECT_TRUE(parameters[0].decays);
  EXPECT_FALSE(parameters[1].decays);
  EXPECT_NE(values, nn::linear(100, 50)->parameters()[0].tensor.toVector<float>());
  const Seeded same(1);
  EXPECT_EQ(values, nn::linear(100, 50)->parameters()[0].tensor.toVector<float>());
  EXPECT_EQ(nn::linear(3, 2, false)->parameters().size(), 1u);
}

TEST(Layers, ConvolutionsTakeImagesOfAnySize) {
  const nn::ModulePtr conv = nn::conv2d(2, 3, 3, {.stride = 2, .padding = 1, .bias = false});
  ASSERT_EQ(conv->parameters().size(), 1u);
  EXPECT_EQ(conv->parameters()[0].tensor.shape(), (Shape{3, 2, 3, 3}));
  for (const int64_t size : {8, 5, 8})
    EXPECT_EQ((*conv)(Tensor::full({4, 2, size, size}, 1)).shape(),
              (Shape{4, 3, (size + 1) / 2, (size + 1) / 2}));
  const std::string text = errorOf([&] { (*conv)(Tensor::zeros({4, 5, 8, 8})); });
  EXPECT_TRUE(hasAll(text, {"layer 'conv2d' has a weight of shape [3, 2, 3, 3]",
                            "N×5×8×8 would need [3, 5, 3, 3]"}))
      << text;
  EXPECT_TRUE(hasAll(errorOf([&] {
                       (*conv)(Tensor::zeros({4, 2}));
                     }),
                     {"layer 'conv2d' on N×2", "4 axes"}));
}

TEST(Layers, BatchNormFollowsTheMode) {
  const nn::ModulePtr norm = nn::batchNorm2d(1);
  const Tensor x = Tensor::fromValues<float>({1, 3, 5, 7}, {1, 1, 2, 2});
  norm->eval();
  expectNear((*norm)(x), {1, 3, 5, 7}, 1e-4);  // mean 0, variance 1
  norm->train();
  expectNear((*norm)(x), {-1.341639F, -0.447213F, 0.447213F, 1.341639F}, 1e-5);
  // 0.9 * 0 + 0.1 * 4, and 0.9 + 0.1 * 20 / 3 (unbiased).
  EXPECT_NEAR(norm->buffers()[0].tensor.toVector<float>()[0], 0.4, 1e-6);
  EXPECT_NEAR(norm->buffers()[1].tensor.toVector<float>()[0], 0.9 + 2.0 / 3, 1e-6);
  EXPECT_EQ(norm->buffers()[2].name, "num_batches_tracked");
  EXPECT_EQ(norm->buffers()[2].tensor.toVector<int64_t>(), std::vector<int64_t>{1});
}

/// Momentum 1/n: after n batches the plain average of their means and unbiased variances.
TEST(Layers, BatchNormWithoutAMomentumAverages) {
  const nn::ModulePtr norm = nn::batchNorm2d(1, std::nullopt);
  double means = 0, variances = 0;
  for (int n = 1; n <= 5; ++n) {
    const auto k = static_cast<float>(n * n);
    (*norm)(Tensor::fromValues<float>({k, 3 * k, 5 * k, 7 * k}, {1, 1, 2, 2}));
    means += 4 * k;
    variances += 20.0 / 3 * k * k;
    EXPECT_NEAR(norm->buffers()[0].tensor.toVector<float>()[0], means / n, 1e-5 * means);
    EXPECT_NEAR(norm->buffers()[1].tensor.toVector<float>()[0], variances / n, 1e-5 * variances);
    EXPECT_EQ(norm->buffers()[2].tensor.toVector<int64_t>()[0], n);
    norm->eval();
    (*norm)(Tensor::full({1, 1, 2, 2}, 100));  // counts only in training
    norm->train();
  }
}

TEST(Layers, ACountOfBatchesTakesNoRandomNumbers) {
  const Seeded seed(3);
  nn::batchNorm2d(2);
  const nn::ModulePtr after = nn::linear(4, 3);
  const Tensor wanted = Tensor::empty({3, 4});  // batch norm's four floating tensors come before
  fillUniform(wanted, -0.5, 0.5, {philox::makeKey(3, philox::Purpose::Init), 4});
  EXPECT_EQ(after->parameters()[0].tensor.toVector<float>(), wanted.toVector<float>());
}

TEST(Layers, DropoutFollowsTheMode) {
  const Seeded seed(1);
  const nn::ModulePtr dropout = nn::dropout(0.5);
  const Tensor x = Tensor::full({1000}, 1);
  const Values values = (*dropout)(x).toVector<float>();
  const auto kept = std::count(values.begin(), values.end(), 2.0F);
  EXPECT_EQ(kept + std::count(values.begin(), values.end(), 0.0F), 1000);
  EXPECT_NEAR(static_cast<double>(kept), 500, 5.8 * std::sqrt(250.0));
  dropout->eval();
  EXPECT_EQ((*dropout)(x).toVector<float>(), Values(1000, 1));
}

TEST(Layers, EmbeddingsLookUpRows) {
  const Seeded seed(1);
  const nn::ModulePtr table = nn::embedding(5, 3, 2);
  const Tensor weight = table->parameters()[0].tensor;
  const Values rows = weight.toVector<float>();
  EXPECT_EQ(Values(rows.begin() + 6, rows.begin() + 9), Values(3, 0));
  const Tensor y = (*table)(Tensor::fromValues<int64_t>({4, 2, 4, 0}, {2, 2}));
  EXPECT_EQ(y.shape(), (Shape{2, 2, 3}));
  EXPECT_EQ(y.toVector<float>()[0], rows[12]);
  autograd::backward(sum(y));
  EXPECT_EQ(autograd::gradOf(weight).toVector<float>(),
            (Values{1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2}));
  EXPECT_TRUE(hasAll(errorOf([] { nn::embedding(5, 3, 5); }), {"padding token 5", "the 5 tokens"}));
}

TEST(Layers, TakeTheTypesOfTheirDefinition) {
  const nn::ModulePtr table = nn::embedding(5, 3);
  const std::string text = errorOf([&] { (*table)(Tensor::full({1, 2}, 3.7)); });
  EXPECT_TRUE(
      hasAll(text, {"layer 'embedding' on N×2", "wants whole numbers, such as i64, got f32 N×2"}))
      << text;
  const nn::ModulePtr linear = nn::linear(2, 1);
  EXPECT_TRUE(hasAll(errorOf([&] {
                       (*linear)(Tensor::zeros({1, 2}, DType::I64));
                     }),
                     {"layer 'linear' on N×2", "wants floating numbers, such as f32, got i64"}));
}

TEST(Layers, SequentialRunsALeNet) {
  const Seeded seed(1);
  nn::Sequential net{nn::conv2d(1, 4, 3, {.padding = 1}), nn::batchNorm2d(4), nn::relu(),
                     nn::maxPool2d(2), nn::flatten()};
  net.add(nn::linear(4 * 4 * 4, 10));
  EXPECT_EQ(net.size(), 6u);
  const Tensor y = net(Tensor::full({2, 1, 8, 8}, 0.5));
  EXPECT_EQ(y.shape(), (Shape{2, 10}));
  autograd::backward(sum(y));
  for (const OptimizedParameter& each : net.parameters())
    EXPECT_TRUE(autograd::gradOf(each.tensor).defined()) << each.name;
  EXPECT_EQ(net.state().back().name, "5.bias");
}

TEST(Layers, MergesTakeSeveralInputs) {
  const nn::ModulePtr add = nn::layer("add");
  const Tensor inputs[] = {Tensor::full({2, 3}, 1), Tensor::full({2, 3}, 2)};
  EXPECT_EQ(add->call(inputs)[0].toVector<float>(), Values(6, 3));
  EXPECT_TRUE(hasAll(errorOf([&] { (*add)(inputs[0]); }), {"'add' wants 2 or more inputs, got 1"}));
  const Tensor other[] = {inputs[0], Tensor::full({2, 4}, 2)};
  EXPECT_TRUE(hasAll(errorOf([&] { add->call(other); }), {"one shape", "N×3", "N×4"}));
}

TEST(Layers, MistakesAreNamed) {
  EXPECT_TRUE(
      hasAll(errorOf([] { nn::layer("conv2"); }), {"no layer 'conv2'", "did you mean 'conv2d'?"}));
  EXPECT_TRUE(hasAll(errorOf([] { nn::layer("dropout", {{"p", 1.5}}); }), {"'p'", "1.5"}));
  EXPECT_TRUE(hasAll(errorOf([] { nn::layer("dropout", {{"q", 0.5}}); }), {"'q'"}));
  const nn::ModulePtr lazy = nn::layer("linear", {{"out_features", int64_t{2}}});
  EXPECT_TRUE(hasAll(errorOf([&] {
                       (*lazy)(Tensor::zeros({1, 3}));
                     }),
                     {"layer 'linear' has weights", "give the input's shape"}));
  EXPECT_TRUE(hasAll(errorOf([&] { nn::relu()->call({}); }), {"'relu' wants 1 inputs, got 0"}));
}

TEST(Layers, OptionalInputsMayBeLeftOut) {
  const nn::ModulePtr lstm =
      nn::layer("lstm", {{"hidden_size", int64_t{2}}}, {PortShape{{kFreeSize, 3, 4}, DType::F32}});
  const Tensor x = Tensor::full({2, 3, 4}, 0.5), lengths = Tensor::fromValues<int64_t>({3, 1}, {2});
  const nn::Tensors all = lstm->call(std::vector<Tensor>{x});
  ASSERT_EQ(all.size(), 3u);  // the sequence and both states
  EXPECT_EQ(all[1].shape(), (Shape{2, 1, 2}));
  const nn::Tensors within = lstm->call(std::vector<Tensor>{x, lengths});
  EXPECT_EQ(within[0].toVector<float>()[11], 0);
  EXPECT_NE(all[0].toVector<float>()[11], 0);
  const nn::Tensors open = lstm->call(std::vector<Tensor>{x, Tensor(), Tensor(), Tensor()});
  EXPECT_EQ(open[0].toVector<float>(), all[0].toVector<float>());
  const nn::Tensors next = lstm->call(std::vector<Tensor>{x, Tensor(), all[1], all[2]});
  EXPECT_NE(next[0].toVector<float>(), all[0].toVector<float>());
  EXPECT_TRUE(hasAll(errorOf([&] { lstm->call(std::vector<Tensor>(5, x)); }),
                     {"'lstm' wants 1 to 4 inputs, got 5"}));
}

TEST(Layers, ASequentialPassesOnResultsWithoutStates) {
  const auto lstm = [] {
    return nn::layer("lstm", {{"hidden_size", int64_t{4}}},
                     {PortShape{{kFreeSize, 3, 4}, DType::F32}});
  };
  const Tensor x = Tensor::full({2, 3, 4}, 0.5);
  nn::Sequential net{lstm(), nn::linear(4, 5)};
  EXPECT_EQ(net(x).shape(), (Shape{2, 3, 5}));
  const auto inner = std::make_shared<nn::Sequential>(std::initializer_list<nn::ModulePtr>{lstm()});
  EXPECT_EQ(inner->call(std::vector<Tensor>{x}).size(), 3u);
  nn::Sequential nested{inner, lstm(), nn::linear(4, 5)};
  EXPECT_EQ(nested(x).shape(), (Shape{2, 3, 5}));
  // A hook may leave the result alone.
  const nn::ModulePtr hooked = lstm();
  hooked->addForwardHook([](nn::Module&, std::span<const Tensor>, const nn::Tensors& out) {
    return nn::Tensors{out[0]};
  });
  nn::Sequential after{hooked, nn::linear(4, 5)};
  EXPECT_EQ(after(x).shape(), (Shape{2, 3, 5}));
}

}  // namespace
}  // namespace tenon
