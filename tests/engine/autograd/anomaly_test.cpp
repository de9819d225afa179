// SPDX-License-Identifier: Apache-2.0
// Anomaly mode: names of the calls in which NaN and Inf arise, in both passes.
#include "engine/autograd/anomaly.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/autograd/autograd_fixture.h"

namespace tenon {
namespace {

using autograd::AnomalyGuard;
using autograd::backward;

/// Runs `call` as part of a layer.
template <class F>
Tensor inLayer(const char* name, F&& call) {
  memory::Scope scope = memory::currentScope();
  scope.layer = memory::internName(name);
  const memory::ScopeGuard scoped(scope);
  return call();
}

Tensor zerosLike(const Tensor& x) { return Tensor::zeros(x.shape(), x.dtype()); }

TEST(Anomaly, NamesTheCallsOfBothPasses) {
  const AnomalyGuard guard;
  const Tensor x = leaf({1, 0}, {2});
  const Tensor logs = inLayer("features", [&] { return log(x); });            // 0, -Inf
  const Tensor y = inLayer("head", [&] { return mul(logs, zerosLike(x)); });  // 0, NaN
  const std::string text = errorOf([&] { backward(sum(y)); });
  // The gradient of log is 0 / x: NaN at the second element.
  EXPECT_TRUE(hasAll(text, {"backward of 'log' (layer 'features') gave NaN as gradient of its "
                            "input 0, f64 [2] cpu, element 1",
                            "first NaN of the forward pass: output 0 of 'mul' (layer 'head'), f64 "
                            "[2] cpu, element 1, which got Inf as input 0",
                            "first Inf of the forward pass: output 0 of 'log' (layer 'features'), "
                            "f64 [2] cpu, element 1"}))
      << text;
}

TEST(Anomaly, SaysWhenTheForwardPassWasFinite) {
  const AnomalyGuard guard;
  const Tensor x = leaf({4, 0}, {2});
  const Tensor loss = sum(mul(sqrt(x), zerosLike(x)));  // the gradient of sqrt is 0 / 0
  const std::string text = errorOf([&] { backward(loss); });
  EXPECT_TRUE(hasAll(text, {"backward of 'sqrt' gave NaN", "element 1",
                            "all values of the forward pass were finite"}))
      << text;
}

TEST(Anomaly, InfIsFlaggedOnRequestOnly) {
  const Tensor x = leaf({0, 4}, {2});
  {
    const AnomalyGuard guard;
    backward(sum(sqrt(x)));
    EXPECT_TRUE(std::isinf(gradient(x)[0]));
  }
  const AnomalyGuard guard({.infinite = true});
  const std::string text = errorOf([&] { backward(sum(sqrt(x))); });
  EXPECT_TRUE(hasAll(text, {"backward of 'sqrt' gave Inf", "element 0"})) << text;
}

TEST(Anomaly, NothingIsLookedAtWithoutAGuard) {
  const Tensor x = leaf({4, 0}, {2});
  { const AnomalyGuard guard; }
  EXPECT_TRUE(gate::threadState().listeners.empty());
  backward(sum(mul(sqrt(x), zerosLike(x))));
  EXPECT_TRUE(std::isnan(gradient(x)[1]));
}

TEST(Anomaly, EveryPassIsToldItsOwnForwardPass) {
  const AnomalyGuard guard;
  const Tensor x = leaf({4, 0}, {2});
  const auto finite = [&] { backward(sum(mul(sqrt(x), zerosLike(x)))); };
  backward(sum(add(x, log(zerosLike(x)))));  // Inf forward, gradients of 1
  EXPECT_TRUE(hasAll(errorOf(finite), {"all values of the forward pass were finite"}));
  EXPECT_TRUE(hasAll(errorOf([&] { backward(sum(mul(log(x), zerosLike(x)))); }), {"'log'"}));
  EXPECT_TRUE(hasAll(errorOf(finite), {"all values of the forward pass were finite"}));
}

TEST(Anomaly, APassThatFailsOtherwiseEndsItsForwardPassToo) {
  const AnomalyGuard guard;
  const Tensor x = leaf({4, 0}, {2});
  const Tensor y = exp(x);
  const Tensor z = add(mul(y, y), log(mulScalar(x, -1)));  // NaN at the first element
  addInPlace(y, y);
  EXPECT_TRUE(hasAll(errorOf([&] { backward(sum(z)); }), {"input 0 of 'mul' was changed"}));
  const std::string text = errorOf([&] { backward(sum(mul(sqrt(x), zerosLike(x)))); });
  EXPECT_TRUE(hasAll(text, {"'sqrt' gave NaN", "all values of the forward pass were finite"}))
      << text;
}

constexpr const char* kNotSeen =
    "nothing is known of forward calls before anomaly mode began or the last backward pass ended";

TEST(Anomaly, WhatWasForgottenIsNotCalledFinite) {
  const AnomalyGuard guard;
  const Tensor x = leaf({1, 0}, {2});
  const Tensor loss = sum(mul(log(x), zerosLike(x)));
  const auto pass = [&] { return errorOf([&] { backward(loss, {}, {.retainGraph = true}); }); };
  const std::string first = pass();
  EXPECT_TRUE(hasAll(first, {"first Inf of the forward pass: output 0 of 'log'"})) << first;
  EXPECT_FALSE(hasAll(first, {kNotSeen})) << first;
  const std::string second = pass();
  EXPECT_TRUE(hasAll(second, {"backward of 'log' gave NaN", kNotSeen})) << second;
  EXPECT_FALSE(hasAll(second, {"were finite"})) << second;
  // Newer calls on top are known, those below them are not.
  const std::string third = errorOf([&] { backward(mul(loss, log(zerosLike(loss)))); });
  EXPECT_TRUE(hasAll(third, {"first Inf of the forward pass: output 0 of 'log'", kNotSeen}))
      << third;
}

TEST(Anomaly, AGuardThatComesLateHasSeenNothing) {
  const Tensor x = leaf({1, 0}, {2});
  const Tensor loss = sum(mul(log(x), zerosLike(x)));
  const AnomalyGuard guard;
  const std::string text = errorOf([&] { backward(loss); });
  EXPECT_TRUE(hasAll(text, {"backward of 'log' gave NaN", kNotSeen})) << text;
  EXPECT_FALSE(hasAll(text, {"were finite"})) << text;
}

TEST(Anomaly, ErrorsOfGradientRulesGetTheCallAsContext) {
  const AnomalyGuard guard;
  const Tensor x = leaf(2);
  const Tensor y = exp(x);
  const Tensor z = inLayer("square", [&] { return mul(y, y); });
  addInPlace(y, y);
  const std::string text = errorOf([&] { backward(sum(z)); });
  EXPECT_TRUE(hasAll(text, {"backward of 'mul' (layer 'square'): input 0 of 'mul' was changed"}))
      << text;
}

TEST(Anomaly, LooksAtHalves) {
  const AnomalyGuard guard;
  const Tensor x = Tensor::full({1, 3, 2, 2}, 0, DType::BF16);
  autograd::setRequiresGrad(x);
  const std::string text = errorOf([&] {
    backward(sum(mul(log(x), Tensor::full({1, 3, 2, 2}, 0, DType::BF16))));
  });
  EXPECT_TRUE(hasAll(text, {"backward of 'log' gave NaN", "bf16 [1, 3, 2, 2]", "element 0"}))
      << text;
}

}  // namespace
}  // namespace tenon
