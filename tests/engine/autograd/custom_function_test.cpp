// SPDX-License-Identifier: Apache-2.0
// Custom functions: gradients of both orders, what is saved, and what is refused. Values by hand.
#include "engine/autograd/custom_function.h"

#include <gtest/gtest.h>

#include "engine/autograd/gradcheck.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/autograd/autograd_fixture.h"

namespace tenon {
namespace {

using autograd::backward;
using autograd::CustomFunction;
using autograd::FunctionContext;
using Tensors = std::vector<Tensor>;
using Inputs = std::span<const Tensor>;

Tensors call(CustomFunction function, const Tensors& inputs) {
  return autograd::apply(std::make_shared<const CustomFunction>(std::move(function)), inputs);
}

CustomFunction square() {
  return {"square",
          [](FunctionContext& context, Inputs in) {
            context.save({in[0]});
            return Tensors{mul(in[0], in[0])};
          },
          [](FunctionContext& context, Inputs grad) {
            return Tensors{mul(grad[0], mulScalar(context.saved()[0], 2))};
          }};
}

/// exp by way of its saved output.
CustomFunction expOfOutput() {
  return {"my_exp",
          [](FunctionContext& context, Inputs in) {
            const Tensor y = exp(in[0]);
            context.save({y});
            return Tensors{y};
          },
          [](FunctionContext& context, Inputs grad) {
            return Tensors{mul(grad[0], context.saved()[0])};
          }};
}

TEST(CustomFunction, GradientsOfBothOrders) {
  const std::vector<Tensor> inputs = {leaf({0.3, -0.7, 1.1}, {3})};
  for (const auto& make : {&square, &expOfOutput}) {
    const autograd::CheckedFunction f = [&](std::span<const Tensor> at) {
      return call(make(), {mulScalar(at[0], 2)});
    };
    const auto first = autograd::gradcheck(f, inputs);
    EXPECT_TRUE(first.ok) << first.text;
    const auto second = autograd::gradgradcheck(f, inputs);
    EXPECT_TRUE(second.ok) << second.text;
  }
}

TEST(CustomFunction, TheRuleGivenIsTheRuleUsed) {
  CustomFunction wrong = square();
  wrong.backward = [](FunctionContext&, Inputs grad) { return Tensors{mulScalar(grad[0], 5)}; };
  const Tensor x = leaf({2, 3}, {2});
  const Tensor y = call(wrong, {x})[0];
  EXPECT_EQ(y.toVector<double>(), (std::vector<double>{4, 9}));
  EXPECT_STREQ(autograd::nodeOf(y)->name(), "square");
  backward(sum(y));
  EXPECT_EQ(gradient(x), (std::vector<double>{5, 5}));
}

TEST(CustomFunction, SeveralInputsAndOutputs) {
  std::vector<bool> defined;
  std::vector<bool> needed;
  CustomFunction both = {"both",
                         [](FunctionContext& context, Inputs in) {
                           context.save({in[0], in[1]});
                           return Tensors{mul(in[0], in[1]), add(in[0], in[1])};
                         },
                         [&](FunctionContext& context, Inputs grad) {
                           defined = {grad[0].defined(), grad[1].defined()};
                           needed = {context.needsGrad(0), context.needsGrad(1)};
                           Tensors out(2);
                           out[0] = grad[1];
                           if (grad[0]) out[0] = add(mul(grad[0], context.saved()[1]), grad[1]);
                           return out;
                         }};
  const Tensor x = leaf(2);
  const Tensor constant = Tensor::full({1}, 5, DType::F64);
  backward(call(both, {x, constant})[0]);
  EXPECT_EQ(defined, (std::vector<bool>{true, true}));  // zeros for the sum
  EXPECT_EQ(needed, (std::vector<bool>{true, false}));
  EXPECT_EQ(gradient(x), (std::vector<double>{5}));
  EXPECT_FALSE(constant.requiresGrad());

  const auto forward = both.forward;
  both.forward = [forward](FunctionContext& context, Inputs in) {
    context.keepUndefinedGradients();
    return forward(context, in);
  };
  backward(call(both, {x, constant})[1]);
  EXPECT_EQ(defined, (std::vector<bool>{false, true}));
  EXPECT_EQ(gradient(x), (std::vector<double>{6}));
}

TEST(CustomFunction, OutputsThatCarryNoGradient) {
  const CustomFunction split = {
      "split",
      [](FunctionContext& context, Inputs in) {
        context.markNonDifferentiable(1);
        return Tensors{mulScalar(in[0], 2), floor(in[0]), cast(in[0], DType::I64)};
      },
      [](FunctionContext&, Inputs grad) { return Tensors{mulScalar(grad[0], 2)}; }};
  const Tensor x = leaf(2.5);
  const Tensors out = call(split, {x});
  EXPECT_TRUE(out[0].requiresGrad());
  EXPECT_FALSE(out[1].requiresGrad());
  EXPECT_FALSE(out[2].requiresGrad());
  backward(out[0]);
  EXPECT_EQ(gradient(x), (std::vector<double>{2}));
}

TEST(CustomFunction, SavedOutputsThatCarryNoGradientAreConstants) {
  size_t connected = 0;
  const CustomFunction steps = {"steps",
                                [](FunctionContext& context, Inputs in) {
                                  const Tensor m = floor(in[0]);
                                  const Tensor whole = cast(m, DType::I64);
                                  context.markNonDifferentiable(1);
                                  context.keepUndefinedGradients();
                                  context.save({m, whole});
                                  return Tensors{mul(in[0], m), m, whole};
                                },
                                [&](FunctionContext& context, Inputs grad) {
                                  for (const Tensor& saved : context.saved())
                                    connected += saved.requiresGrad();
                                  return Tensors{mul(grad[0], context.saved()[0])};
                                }};
  const Tensor x = leaf(2.5);
  const Tensor factor = leaf(3);
  const Tensor y = mul(call(steps, {x})[0], factor);
  const Tensor first = autograd::grad({&y, 1}, {&x, 1}, {}, {.createGraph = true})[0];
  EXPECT_EQ(first.toVector<double>(), (std::vector<double>{6}));
  EXPECT_EQ(connected, 0u);
  backward(first);  // leads to the factor only
  EXPECT_EQ(gradient(factor), (std::vector<double>{2}));
  EXPECT_FALSE(autograd::gradOf(x).defined());
}

TEST(CustomFunction, ListenersHearTheCall) {
  struct Calls final : gate::Listener {
    std::vector<std::string> names;
    const void *from = nullptr, *to = nullptr, *node = nullptr;
    void onCall(const gate::CallInfo& info) override {
      names.emplace_back(info.op.id);
      from = info.inputs[0]->impl();
      to = info.outputs[0].impl();
      node = info.node;
    }
  } calls;
  const gate::ListenerGuard listening(calls);
  const Tensor x = leaf(3);
  const Tensor y = call(square(), {x})[0];
  EXPECT_EQ(calls.names, (std::vector<std::string>{"mul", "square"}));
  EXPECT_EQ(calls.from, x.impl());
  EXPECT_EQ(calls.to, y.impl());
  EXPECT_EQ(calls.node, autograd::nodeOf(y));
  const gate::NoGradGuard noGrad;
  calls.names.clear();
  call(square(), {x});
  EXPECT_EQ(calls.names, (std::vector<std::string>{"mul"}));
}

TEST(CustomFunction, AnInputComesBackAsAView) {
  const CustomFunction identity = {
      "identity", [](FunctionContext&, Inputs in) { return Tensors(in.begin(), in.end()); },
      [](FunctionContext&, Inputs grad) {
        return Tensors{mulScalar(grad[0], 3), grad[1]};
      }};
  const Tensor x = leaf(2);
  const Tensor plain = Tensor::full({1}, 5, DType::F64);
  const Tensors out = call(identity, {x, plain});
  EXPECT_TRUE(autograd::isLeaf(x));
  EXPECT_FALSE(plain.requiresGrad());
  EXPECT_EQ(out[0].rawData(), x.rawData());
  EXPECT_TRUE(hasAll(errorOf([&] { addInPlace(out[0], plain); }), {"a view"}));
  backward(out[0]);
  EXPECT_EQ(gradient(x), (std::vector<double>{3}));
}

TEST(CustomFunction, SecondDerivativesCanBeRefused) {
  CustomFunction once = square();
  once.backwardDifferentiable = false;
  const Tensor x = leaf(3);
  const Tensor y = call(once, {x})[0];
  const Tensor first = autograd::grad({&y, 1}, {&x, 1}, {}, {false, true, false})[0];
  EXPECT_EQ(first.toVector<double>(), (std::vector<double>{6}));
  const std::string text = errorOf([&] { autograd::grad({&first, 1}, {&x, 1}); });
  EXPECT_TRUE(hasAll(text, {"[square] has no second derivative"})) << text;
  EXPECT_TRUE(hasAll(errorOf([&] { backward(first); }), {"[square] has no second derivative"}));
}

TEST(CustomFunction, WrongRulesAreRefused) {
  const Tensor x = leaf(3);
  CustomFunction function = square();
  function.backward = [](FunctionContext&, Inputs grad) { return Tensors{grad[0], grad[0]}; };
  EXPECT_TRUE(hasAll(errorOf([&] { backward(call(function, {x})[0]); }),
                     {"[square]", "2 gradients for 1 inputs"}));
  function.backward = [](FunctionContext&, Inputs) {
    return Tensors{Tensor::zeros({4}, DType::F64)};
  };
  const Tensor wide = leaf({1, 2, 3}, {3});
  EXPECT_TRUE(
      hasAll(errorOf([&] { backward(sum(call(function, {wide})[0])); }), {"[4]", "wanted [3]"}));
  function.forward = [](FunctionContext&, Inputs) { return Tensors(1); };
  EXPECT_TRUE(
      hasAll(errorOf([&] { call(function, {x}); }), {"[square]", "output 0 of 1 undefined"}));
  function.forward = [](FunctionContext&, Inputs in) {
    mulScalarInPlace(in[0], 2);
    return Tensors{clone(in[0])};
  };
  EXPECT_TRUE(hasAll(errorOf([&] { call(function, {mulScalar(x, 1)}); }),
                     {"[square]", "changed its input 0 in place"}));
  function.forward = [](FunctionContext& context, Inputs in) {
    context.save({Tensor()});
    return Tensors{clone(in[0])};
  };
  EXPECT_TRUE(hasAll(errorOf([&] { call(function, {x}); }), {"undefined tensor can't be saved"}));
  EXPECT_TRUE(
      hasAll(errorOf([&] { call(square(), Tensors(65, x)); }), {"at most 64 inputs, got 65"}));
}

TEST(CustomFunction, SavedTensorsAreGuardedLikeAnyOther) {
  const Tensor x = leaf(3);
  const Tensor middle = mulScalar(x, 2);
  const Tensor y = call(square(), {middle})[0];
  addInPlace(middle, Tensor::full({1}, 1, DType::F64));
  EXPECT_TRUE(hasAll(errorOf([&] { backward(y); }), {"input 0 of 'square' was changed in place"}));

  const Tensor twice = call(square(), {x})[0];
  backward(twice);
  EXPECT_TRUE(hasAll(errorOf([&] { backward(twice); }), {"a second time through 'square'"}));

  int packed = 0;
  const autograd::SavedTensorHooksGuard guard(
      {[&](const Tensor& tensor) {
         ++packed;
         return std::any(tensor);
       },
       [](const std::any& kept) { return std::any_cast<Tensor>(kept); }});
  call(square(), {x});
  EXPECT_EQ(packed, 1);
}

TEST(CustomFunction, WithoutGradientsNothingIsRecorded) {
  const Tensor x = leaf(3);
  const int64_t before = autograd::liveNodes();
  const gate::NoGradGuard noGrad;
  const Tensor y = call(square(), {x})[0];
  EXPECT_FALSE(y.requiresGrad());
  EXPECT_EQ(y.toVector<double>(), (std::vector<double>{9}));
  EXPECT_EQ(autograd::liveNodes(), before);
}

}  // namespace
}  // namespace tenon
