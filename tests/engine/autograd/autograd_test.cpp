// SPDX-License-Identifier: Apache-2.0
// Autograd: accumulation, freed and retained graphs, in-place rules, hooks, views, higher order.
// Values by hand.
#include "engine/autograd/autograd.h"

#include <gtest/gtest.h>

#include "engine/autograd/gradcheck.h"
#include "engine/base/error.h"
#include "engine/memory/cpu_allocator.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "tests/engine/autograd/autograd_fixture.h"

namespace tenon {
namespace {

using autograd::backward;
using autograd::gradOf;
using autograd::setRequiresGrad;

TEST(Autograd, ProductRuleAndAccumulation) {
  const Tensor x = leaf({2, 3}, {2});
  const Tensor y = leaf({5, 7}, {2});
  backward(sum(mul(x, y)));
  EXPECT_EQ(gradient(x), (std::vector<double>{5, 7}));
  EXPECT_EQ(gradient(y), (std::vector<double>{2, 3}));
  backward(sum(mul(x, x)));  // adds 2x
  EXPECT_EQ(gradient(x), (std::vector<double>{9, 13}));
}

TEST(Autograd, OneTensorUsedTwiceAddsUp) {
  const Tensor x = leaf({3}, {1});
  const Tensor y = mul(x, x);
  backward(sum(add(y, mul(y, x))));  // x^2 + x^3: 2x + 3x^2 = 33
  EXPECT_EQ(gradient(x), (std::vector<double>{33}));
}

TEST(Autograd, BroadcastGradientIsSummed) {
  const Tensor x = leaf({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor b = leaf({10, 20, 30}, {3});
  backward(sum(mul(x, b)));
  EXPECT_EQ(gradient(b), (std::vector<double>{5, 7, 9}));
  EXPECT_EQ(gradient(x), (std::vector<double>{10, 20, 30, 10, 20, 30}));
}

TEST(Autograd, NoGradAndDetachCutTheGraph) {
  const Tensor x = leaf(2);
  {
    const gate::NoGradGuard noGrad;
    EXPECT_FALSE(mul(x, x).requiresGrad());
  }
  backward(sum(mul(autograd::detach(x), x)));
  EXPECT_EQ(gradient(x), (std::vector<double>{2}));  // as if the first factor were constant
}

TEST(Autograd, SecondBackwardNeedsARetainedGraph) {
  const Tensor x = leaf(3);
  const Tensor loss = sum(mul(x, x));
  backward(loss, {}, {true, false});
  backward(loss);
  EXPECT_EQ(gradient(x), (std::vector<double>{12}));
  const std::string text = errorOf([&] { backward(loss); });
  EXPECT_NE(text.find("backward a second time through"), std::string::npos) << text;
}

TEST(Autograd, AGraphThatSavesNothingCanBeWalkedTwice) {
  const Tensor x = leaf(3);
  const Tensor loss = add(x, x);
  backward(loss);
  backward(loss);
  EXPECT_EQ(gradient(x), (std::vector<double>{4}));
}

TEST(Autograd, RootsAreChecked) {
  const Tensor plain = Tensor::full({1}, 1.0, DType::F64);
  EXPECT_NE(errorOf([&] { backward(plain); }).find("wants no gradient"), std::string::npos);
  const Tensor x = leaf({1, 2}, {2});
  EXPECT_NE(errorOf([&] { backward(mul(x, x)); }).find("several elements"), std::string::npos);
  const std::string shape =
      errorOf([&] { backward(mul(x, x), Tensor::full({3}, 1.0, DType::F64)); });
  EXPECT_NE(shape.find("[3]"), std::string::npos) << shape;
  EXPECT_NE(shape.find("[2]"), std::string::npos) << shape;
}

TEST(Autograd, FlagsBelongToFloatingLeaves) {
  const Tensor x = leaf(1);
  EXPECT_NE(errorOf([&] { setRequiresGrad(mul(x, x), false); }).find("detach it first"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { setRequiresGrad(Tensor::full({1}, 1, DType::I64)); }).find("floating"),
            std::string::npos);
}

TEST(Autograd, InPlaceOnALeafIsRefused) {
  const Tensor x = leaf(1);
  EXPECT_NE(errorOf([&] { addInPlace(x, x); }).find("a leaf that requires a gradient"),
            std::string::npos);
  const gate::NoGradGuard noGrad;
  addInPlace(x, Tensor::full({1}, 1.0, DType::F64));
  EXPECT_EQ(x.toVector<double>()[0], 2);
}

TEST(Autograd, InPlaceOnASavedTensorIsFound) {
  const Tensor x = leaf(2);
  const Tensor y = mul(x, Tensor::full({1}, 3.0, DType::F64));
  const Tensor z = mul(y, y);  // saves y
  addInPlace(y, Tensor::full({1}, 1.0, DType::F64));
  const std::string text = errorOf([&] { backward(sum(z)); });
  EXPECT_NE(text.find("changed in place after it was saved"), std::string::npos) << text;
  EXPECT_NE(text.find("'mul'"), std::string::npos) << text;
}

TEST(Autograd, InPlaceOnAnIntermediateKeepsTheGradientRight) {
  const Tensor x = leaf(2);
  const Tensor y = add(x, x);  // saves nothing
  addInPlace(y, x);            // y = 3x
  backward(sum(y));
  EXPECT_EQ(gradient(x), (std::vector<double>{3}));
}

TEST(Autograd, AViewOfAChangedTensorIsRefused) {
  const Tensor x = leaf({1, 2, 3, 4}, {4});
  const Tensor base = add(x, x);
  const Tensor view = reshape(base, {2, 2});
  addInPlace(base, x);
  EXPECT_NE(errorOf([&] { sum(view); }).find("a view of a tensor that was changed in place"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              addInPlace(reshape(base, {2, 2}), Tensor::full({2, 2}, 1.0, DType::F64));
            }).find("a view"),
            std::string::npos);
}

TEST(Autograd, HooksSeeAndReplaceGradients) {
  const Tensor x = leaf(2);
  const Tensor y = mul(x, x);
  std::vector<double> seen;
  autograd::addHook(y, [&](const Tensor& grad) {
    seen = grad.toVector<double>();
    return mulScalar(grad, 10);
  });
  autograd::retainGrad(y);
  int written = 0;
  autograd::addPostAccumulateHook(
      x, [&](const Tensor& t) { written += gradient(t) == std::vector<double>{120}; });
  backward(sum(mulScalar(y, 3)));
  EXPECT_EQ(seen, (std::vector<double>{3}));
  EXPECT_EQ(gradient(y), (std::vector<double>{30}));  // after the hook before it
  EXPECT_EQ(gradient(x), (std::vector<double>{120}));
  EXPECT_EQ(written, 1);
}

TEST(Autograd, ATensorMayDieBeforeItsRetainedGradientComes) {
  const Tensor x = leaf(2);
  Tensor loss;
  {
    const Tensor y = mul(x, x);
    autograd::retainGrad(y);
    loss = sum(y);
  }
  backward(loss);
  EXPECT_EQ(gradient(x), (std::vector<double>{4}));
}

TEST(Autograd, GradLeavesLeavesAlone) {
  const Tensor x = leaf(3);
  const Tensor y = leaf(5);
  const Tensor mid = mul(x, y);
  const Tensor out = sum(mul(mid, mid));
  const std::vector<Tensor> wanted = {x, mid};
  const auto grads = autograd::grad({&out, 1}, wanted);
  EXPECT_EQ(grads[0].toVector<double>(), (std::vector<double>{150}));  // 2 x y^2
  EXPECT_EQ(grads[1].toVector<double>(), (std::vector<double>{30}));
  EXPECT_FALSE(gradOf(x).defined());
  EXPECT_FALSE(gradOf(y).defined());
}

TEST(Autograd, UnusedInputsAreNamed) {
  const Tensor x = leaf(3);
  const Tensor other = leaf(1);
  const Tensor out = sum(mul(x, x));
  const std::vector<Tensor> wanted = {x, other};
  const std::string text = errorOf([&] {
    autograd::grad({&out, 1}, wanted, {}, {true, false, false});
  });
  EXPECT_NE(text.find("do not depend on input 1"), std::string::npos) << text;
  const auto grads = autograd::grad({&out, 1}, wanted, {}, {false, false, true});
  EXPECT_TRUE(grads[0].defined());
  EXPECT_FALSE(grads[1].defined());
}

TEST(Autograd, SecondAndThirdDerivative) {
  const Tensor x = leaf(2);
  Tensor y = mul(mul(x, x), mul(x, x));             // x^4
  for (const double wanted : {32.0, 48.0, 48.0}) {  // 4x^3, 12x^2, 24x
    y = autograd::grad({&y, 1}, {&x, 1}, {}, {true, true, false})[0];
    EXPECT_DOUBLE_EQ(y.toVector<double>()[0], wanted);
  }
}

TEST(Autograd, GradgradcheckOfAComposite) {
  const std::vector<Tensor> inputs = {leaf({0.3, -0.7, 1.1}, {3}), leaf({0.5, 0.2, -0.4}, {3})};
  const autograd::CheckedFunction f = [](std::span<const Tensor> at) {
    return std::vector<Tensor>{mul(tanh(mul(at[0], at[1])), exp(at[0]))};
  };
  const auto first = autograd::gradcheck(f, inputs);
  EXPECT_TRUE(first.ok) << first.text;
  const auto second = autograd::gradgradcheck(f, inputs);
  EXPECT_TRUE(second.ok) << second.text;
}

TEST(Autograd, GradcheckFindsAWrongGradient) {
  const std::vector<Tensor> inputs = {leaf({0.3, -0.7}, {2})};
  const auto result = autograd::gradcheck(
      [](std::span<const Tensor> at) {
        return std::vector<Tensor>{
            mul(at[0], autograd::detach(at[0]))};  // half of the gradient is missing
      },
      inputs);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.text.find("analytic"), std::string::npos);
}

TEST(Autograd, AChainOfAHundredThousandNeedsNoDeepStack) {
  const Tensor x = leaf(1);
  const Tensor one = Tensor::full({1}, 1.0, DType::F64);
  Tensor y = x;
  for (int i = 0; i < 100000; ++i) y = mul(y, one);
  backward(sum(y));
  EXPECT_EQ(gradient(x), (std::vector<double>{1}));
  Tensor again = x;
  for (int i = 0; i < 100000; ++i) again = mul(again, one);
  again = Tensor();  // freed without backward
  Tensor doubled = x;
  for (int i = 0; i < 100000; ++i) doubled = mul(doubled, doubled);
  doubled = Tensor();  // each node is held twice by the next
}

TEST(Autograd, NothingIsLeftOver) {
  const Tensor x = leaf({1, 2, 3}, {3});
  const auto round = [&] {
    const Tensor y = exp(mul(x, x));
    const Tensor z = relu(y);
    backward(sum(z));
    autograd::setGrad(x, {});
  };
  round();
  const size_t before = memory::cpuAllocator().allocatedBytes();
  for (int i = 0; i < 100; ++i) round();
  EXPECT_EQ(memory::cpuAllocator().allocatedBytes(), before);
}

TEST(Autograd, SavedTensorsAndGradientsAreRetagged) {
  const Tensor x = leaf({1, 2}, {2});
  const Tensor y = mul(x, x);
  const Tensor z = exp(y);  // saves its output
  EXPECT_EQ(z.impl()->storage->block().category, memory::Category::Activation);
  backward(sum(z));
  EXPECT_EQ(gradOf(x).impl()->storage->block().category, memory::Category::Gradient);
}

}  // namespace
}  // namespace tenon
