// SPDX-License-Identifier: Apache-2.0
// Optional inputs of recurrent and attention layers beside PyTorch's values: what is not read, what
// sees nothing, autocast, and heads that share keys and values.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/amp/autocast.h"
#include "engine/autograd/autograd.h"
#include "engine/layers/planning.h"
#include "engine/ops/gate/cast.h"
#include "tests/engine/layers/layer_case.h"
#include "tests/support/reference_numbers.h"

namespace tenon::test {
namespace {

Tensor drawn(const Shape& shape, int64_t seed) {
  return tensorOf(drawnNumbers(shape.numel(), seed, 1, 0), shape, DType::F32);
}

Tensor bools(const std::vector<int64_t>& values, const Shape& shape) {
  return cast(Tensor::fromValues(values, shape), DType::Bool);
}

std::vector<Tensor> weightsFor(const LayerPlan& plan) {
  std::vector<Tensor> weights;
  for (const WeightPlan& weight : plan.weights) {
    weights.push_back(drawn(weight.shape, 20 + static_cast<int64_t>(weights.size())));
    autograd::setRequiresGrad(weights.back());
  }
  return weights;
}

/// x with other numbers in the last steps of row 1.
Tensor changedBehind(const Tensor& x, int64_t steps) {
  std::vector<float> values = x.toVector<float>();
  const int64_t row = x.size(1) * x.size(2);
  for (int64_t i = row + steps * x.size(2); i < 2 * row; ++i) values[static_cast<size_t>(i)] += 3;
  return Tensor::fromValues(values, x.shape());
}

TEST(OptionalInputs, StepsBehindALengthAreNotRead) {
  for (const char* id : {"rnn", "lstm", "gru"}) {
    SCOPED_TRACE(id);
    const LayerCase layer(
        id, {{"hidden_size", int64_t{3}}, {"num_layers", int64_t{2}}, {"bidirectional", true}},
        {portShape({5, 4}), portShape({}, DType::I64)});
    const std::vector<Tensor> weights = weightsFor(layer.plan());
    const Tensor lengths = Tensor::fromValues<int64_t>({5, 2}, {2}), x = drawn({2, 5, 4}, 1);
    const auto run = [&](const Tensor& in) { return layer.runAll({in, lengths}, weights, true); };
    const std::vector<Tensor> outputs = run(x), others = run(changedBehind(x, 2));
    for (size_t i = 0; i < outputs.size(); ++i)
      EXPECT_EQ(numbersOf(outputs[i]), numbersOf(others[i])) << i;
    EXPECT_NE(numbersOf(outputs[0]), numbersOf(run(changedBehind(x, 1))[0]));
  }
}

TEST(OptionalInputs, HiddenKeysAreNotRead) {
  const LayerCase layer("self_attention", {{"num_heads", int64_t{2}}},
                        {portShape({3, 4}), portShape({3}, DType::Bool)});
  const std::vector<Tensor> weights = weightsFor(layer.plan());
  const Tensor x = drawn({2, 3, 4}, 1), mask = bools({1, 1, 1, 1, 1, 0}, {2, 3});
  const std::vector<double> y = numbersOf(layer.run({x, mask}, weights, true));
  std::vector<double> other = numbersOf(layer.run({changedBehind(x, 2), mask}, weights, true));
  std::copy(y.end() - 4, y.end(), other.end() - 4);  // what the hidden step itself gives
  EXPECT_EQ(other, y);
}

TEST(OptionalInputs, AStepThatSeesNoKeyGivesTheBias) {
  const std::vector<PortShape> shapes = {portShape({2, 4}), portShape({2}, DType::Bool)};
  for (const bool causal : {false, true}) {
    const LayerCase layer("self_attention", {{"num_heads", int64_t{2}}, {"causal", causal}},
                          shapes);
    const std::vector<Tensor> weights = weightsFor(layer.plan());
    ASSERT_EQ(layer.plan().weights.back().name, "out_proj.bias");
    const std::vector<double> bias = numbersOf(weights.back());
    const Tensor mask = bools({0, 0, 0, 1}, {2, 2});
    const std::vector<double> y = numbersOf(layer.run({drawn({2, 2, 4}, 1), mask}, weights, true));
    const auto stepIsBias = [&](size_t step) {
      return std::equal(bias.begin(), bias.end(),
                        y.begin() + static_cast<std::ptrdiff_t>(4 * step));
    };
    EXPECT_TRUE(stepIsBias(0));
    EXPECT_TRUE(stepIsBias(1));
    EXPECT_EQ(stepIsBias(2), causal);  // the second row's first key is hidden
    EXPECT_FALSE(stepIsBias(3));
  }
}

TEST(OptionalInputs, AsManyHeadsOfKeysChangeNoWeightAndNoBit) {
  const std::vector<PortShape> shapes = {portShape({3, 8})};
  const LayerCase plain("transformer_encoder", {{"dropout", 0.0}}, shapes);
  const LayerCase named("transformer_encoder", {{"dropout", 0.0}, {"kv_heads", int64_t{8}}},
                        shapes);
  const LayerPlan a = plain.plan(), b = named.plan();
  ASSERT_EQ(a.weights.size(), b.weights.size());
  for (size_t i = 0; i < a.weights.size(); ++i) {
    EXPECT_EQ(a.weights[i].name, b.weights[i].name);
    EXPECT_EQ(a.weights[i].shape, b.weights[i].shape);
    EXPECT_EQ(a.weights[i].init.scale, b.weights[i].init.scale);
  }
  EXPECT_EQ(a.flops, b.flops);
  const std::vector<Tensor> weights = weightsFor(a);
  const Tensor x = drawn({2, 3, 8}, 1);
  EXPECT_EQ(numbersOf(plain.run({x}, weights, true)), numbersOf(named.run({x}, weights, true)));
}

/// 2 of 4 heads of 2 features: keys and values have 4 of the 8 features.
TEST(OptionalInputs, SharedHeadsHaveSmallerWeights) {
  const ParamMap params = {{"num_heads", int64_t{4}}, {"kv_heads", int64_t{2}}};
  const LayerPlan packed = LayerCase("self_attention", params, {portShape({5, 8})}).plan();
  ASSERT_EQ(packed.weights.size(), 4u);
  EXPECT_EQ(packed.weights[0].shape, (Shape{16, 8}));
  EXPECT_EQ(packed.weights[1].shape, (Shape{16}));
  EXPECT_EQ(packed.weights[2].shape, (Shape{8, 8}));
  EXPECT_EQ(packed.flops, 2.0 * 5 * 8 * (8 + 4 + 4 + 8) + 2.0 * 2 * 5 * 5 * 8);
  const LayerPlan apart = LayerCase("multi_head_attention", params,
                                    {portShape({5, 8}), portShape({3, 6}), portShape({3, 7})})
                              .plan();
  ASSERT_EQ(apart.weights.size(), 6u);
  EXPECT_EQ(apart.weights[0].shape, (Shape{8, 8}));
  EXPECT_EQ(apart.weights[1].shape, (Shape{4, 6}));
  EXPECT_EQ(apart.weights[2].shape, (Shape{4, 7}));
  EXPECT_EQ(apart.weights[3].shape, (Shape{16}));
}

void expectFiniteUnderAutocast(const LayerCase& layer, const std::vector<Tensor>& inputs) {
  ASSERT_FALSE(hasErrors(layer.plan().issues)) << layer.issue();
  const std::vector<Tensor> weights = weightsFor(layer.plan());
  std::vector<Tensor> outputs;
  {
    const amp::AutocastGuard autocast(DType::BF16);
    outputs = layer.runAll(inputs, weights, true);
  }
  for (const Tensor& y : outputs)
    for (const double number : numbersOf(y)) ASSERT_TRUE(std::isfinite(number));
  autograd::backward(outputs[0], cast(drawn(outputs[0].shape(), 50), outputs[0].dtype()));
  for (const Tensor& weight : weights) {
    const Tensor gradient = autograd::gradOf(weight);
    ASSERT_TRUE(gradient.defined());
    EXPECT_EQ(gradient.dtype(), DType::F32);
  }
}

TEST(OptionalInputs, RunUnderAutocast) {
  for (const DType type : {DType::F32, DType::BF16}) {
    SCOPED_TRACE(dtypeName(type));
    const Tensor x = cast(drawn({2, 5, 4}, 1), type);
    expectFiniteUnderAutocast(
        LayerCase("lstm", {{"hidden_size", int64_t{3}}},
                  {portShape({5, 4}), portShape({}, DType::I32), portShape({1, 3}), {}}),
        {x, Tensor::fromValues<int32_t>({5, 2}, {2}), drawn({2, 1, 3}, 2), {}});
    for (const bool causal : {false, true})
      expectFiniteUnderAutocast(
          LayerCase("self_attention",
                    {{"num_heads", int64_t{2}}, {"kv_heads", int64_t{1}}, {"causal", causal}},
                    {portShape({5, 4}), portShape({5})}),
          {x, drawn({2, 5}, 2)});
  }
}

std::string typeIssue(const LayerCase& layer) {
  const LayerPlan plan = planLayer(*layer.def, layer.request());
  EXPECT_TRUE(plan.outputs.empty());
  return plan.issues.empty() ? "" : issueLine(plan.issues.front());
}

TEST(OptionalInputs, EachHasTypesOfItsOwn) {
  const auto masked = [](DType type) {
    return LayerCase("self_attention", {}, {portShape({5, 8}), portShape({5}, type)});
  };
  EXPECT_EQ(typeIssue(masked(DType::I64)),
            "'mask' wants true and false or floating numbers, such as f32, got i64 N×5");
  EXPECT_EQ(typeIssue(masked(DType::F64)), "'mask' wants bool or f32, N×5 or N×5×5, got f64 N×5");
  EXPECT_FALSE(
      hasErrors(planLayer(*masked(DType::Bool).def, masked(DType::Bool).request()).issues));
  EXPECT_EQ(typeIssue(LayerCase("lstm", {}, {portShape({5, 8}), portShape({}, DType::Bool)})),
            "'lengths' wants whole numbers, such as i64, got bool N");
  EXPECT_EQ(typeIssue(LayerCase("lstm", {}, {portShape({5, 8}, DType::I64)})),
            "wants floating numbers, such as f32, got i64 N×5×8");
  EXPECT_EQ(typeIssue(LayerCase("gru", {{"hidden_size", int64_t{2}}},
                                {portShape({5, 8}), {}, portShape({1, 2}, DType::F64)})),
            "'h0' wants f32 N×1×2, got f64 N×1×2");
}

}  // namespace
}  // namespace tenon::test
