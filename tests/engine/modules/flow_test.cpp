// SPDX-License-Identifier: Apache-2.0
// Modules that decide while they run: values and gradients by hand, names, what did not run.
#include "engine/modules/flow.h"

#include <gtest/gtest.h>

#include "engine/autograd/autograd.h"
#include "engine/modules/state_dict.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/modules/module_fixture.h"

namespace tenon {
namespace {

using Values = std::vector<float>;

/// x -> w x
nn::ModulePtr factor(float w) {
  nn::ModulePtr module = nn::linear(1, 1, false);
  nn::StateDict state = module->state();
  state[0].tensor = Tensor::fromValues<float>({w}, {1, 1});
  loadState(*module, state);
  return module;
}

Tensor row(float x) { return Tensor::fromValues<float>({x}, {1, 1}); }

Values gradientOf(const nn::Module& module, size_t i = 0) {
  const Tensor gradient = autograd::gradOf(module.parameters()[i].tensor);
  return gradient.defined() ? gradient.toVector<float>() : Values();
}

TEST(ModuleFlow, AResidualAddsItsInputOrItsShortcut) {
  const nn::ModulePtr plain = nn::residual(factor(3));
  EXPECT_EQ(plain->parameters()[0].name, "body.weight");
  EXPECT_EQ((*plain)(row(2)).toVector<float>(), (Values{8}));
  const nn::ModulePtr both = nn::residual(factor(3), factor(10));
  EXPECT_EQ(both->parameters()[1].name, "shortcut.weight");
  EXPECT_EQ((*both)(row(2)).toVector<float>(), (Values{26}));
}

TEST(ModuleFlow, ARepeatSharesItsBody) {
  nn::Repeat again(factor(2), 3);
  EXPECT_EQ(again.parameters().size(), 1U);
  const Tensor y = again(row(5));
  EXPECT_EQ(y.toVector<float>(), (Values{40}));
  autograd::backward(sum(y));
  EXPECT_EQ(gradientOf(again), (Values{60}));  // 3 w^2 x
}

TEST(ModuleFlow, ARepeatMayHaveABodyForEachTurn) {
  nn::Repeat again({factor(2), factor(3)});
  EXPECT_EQ(again.parameters()[1].name, "1.weight");
  EXPECT_EQ(again(row(5)).toVector<float>(), (Values{30}));
}

TEST(ModuleFlow, TurnsAreDecidedWhileRunning) {
  nn::Repeat again(factor(2), [](const Tensor& x, bool training) {
    return training ? static_cast<int64_t>(x.toVector<float>()[0]) : 1;
  });
  EXPECT_EQ(again(row(3)).toVector<float>(), (Values{24}));
  EXPECT_EQ(again(row(0)).toVector<float>(), (Values{0}));
  again.eval();
  EXPECT_EQ(again(row(3)).toVector<float>(), (Values{6}));
  nn::Repeat settles(factor(0.5F), 10);
  settles.until([](const Tensor& before, const Tensor& after) {
    return mean(abs(sub(after, before))).toVector<float>()[0] < 0.2F;
  });
  EXPECT_EQ(settles(row(1)).toVector<float>(), (Values{0.125F}));
}

TEST(ModuleFlow, AConditionRunsOnePart) {
  nn::Condition way([](const Tensor& x, bool) { return x.toVector<float>()[0] > 0; }, factor(10),
                    factor(100));
  const Tensor y = way(row(-1));
  EXPECT_EQ(y.toVector<float>(), (Values{-100}));
  autograd::backward(sum(y));
  EXPECT_EQ(way.parameters()[0].name, "then.weight");
  EXPECT_EQ(gradientOf(way, 0), Values());
  EXPECT_EQ(gradientOf(way, 1), (Values{-1}));
  nn::Condition open([](const Tensor&, bool training) { return training; }, factor(10));
  EXPECT_EQ(open(row(2)).toVector<float>(), (Values{20}));
  open.eval();
  EXPECT_EQ(open(row(2)).toVector<float>(), (Values{2}));
}

TEST(ModuleFlow, WhatIsMissingIsRefused) {
  EXPECT_THROW(nn::residual(nullptr), Error);
  EXPECT_THROW(nn::Repeat(nn::ModulePtr(), 2), Error);
  EXPECT_THROW(nn::Condition(nullptr, factor(1)), Error);
  nn::Repeat again(factor(2), 3);
  const std::vector<Tensor> two = {row(1), row(2)};
  EXPECT_THROW(again.call(two), Error);
}

}  // namespace
}  // namespace tenon
