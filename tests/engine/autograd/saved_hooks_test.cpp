// SPDX-License-Identifier: Apache-2.0
// Saved-tensor hooks: what they see, when they run, and what is refused. Values by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/autograd/autograd_fixture.h"

namespace tenon {
namespace {

using autograd::backward;
using autograd::SavedTensorHooks;
using autograd::SavedTensorHooksGuard;

/// Copies out and back, counting.
struct Counting {
  int packed = 0;
  int unpacked = 0;
  SavedTensorHooks hooks() {
    return {[this](const Tensor& tensor) {
              ++packed;
              return std::any(clone(tensor));
            },
            [this](const std::any& kept) {
              ++unpacked;
              return std::any_cast<Tensor>(kept);
            }};
  }
};

TEST(SavedTensorHooks, PackWhatIsSavedAndUnpackItOnce) {
  const Tensor x = leaf({2, 3}, {2});
  const Tensor y = leaf({5, 7}, {2});
  Counting counting;
  Tensor loss;
  {
    const SavedTensorHooksGuard guard(counting.hooks());
    loss = sum(mul(x, y));  // mul saves both
  }
  EXPECT_EQ(counting.packed, 2);
  EXPECT_EQ(counting.unpacked, 0);
  mul(x, y);  // the guard is gone
  EXPECT_EQ(counting.packed, 2);
  backward(loss);
  EXPECT_EQ(counting.unpacked, 2);
  EXPECT_EQ(gradient(x), (std::vector<double>{5, 7}));
  EXPECT_EQ(gradient(y), (std::vector<double>{2, 3}));
}

TEST(SavedTensorHooks, WhatUnpackGivesIsUsed) {
  const Tensor x = leaf(3);
  const SavedTensorHooksGuard guard(
      {[](const Tensor& tensor) { return std::any(tensor.toVector<double>()); },
       [](const std::any& kept) {
         auto values = std::any_cast<std::vector<double>>(kept);
         for (double& value : values) value *= 10;
         return Tensor::fromValues(values, {1});
       }});
  backward(sum(mul(x, x)));
  EXPECT_EQ(gradient(x), (std::vector<double>{60}));  // 2x, each factor ten times as large
}

TEST(SavedTensorHooks, TheInnermostPairAloneCounts) {
  const Tensor x = leaf(3);
  Counting outer;
  Counting inner;
  const SavedTensorHooksGuard first(outer.hooks());
  {
    const SavedTensorHooksGuard second(inner.hooks());
    exp(x);
  }
  exp(x);
  EXPECT_EQ(inner.packed, 1);
  EXPECT_EQ(outer.packed, 1);
}

TEST(SavedTensorHooks, BelongToTheirThread) {
  const Tensor x = leaf(3);
  Counting counting;
  const SavedTensorHooksGuard guard(counting.hooks());
  std::thread([] {
    const Tensor other = leaf(3);
    backward(sum(mul(other, other)));
    EXPECT_EQ(gradient(other), (std::vector<double>{6}));
  }).join();
  EXPECT_EQ(counting.packed, 0);
}

TEST(SavedTensorHooks, VersionsAreNotChecked) {
  const Tensor x = leaf(2);
  const Tensor y = mul(x, Tensor::full({1}, 3.0, DType::F64));
  Counting counting;
  Tensor z;
  {
    const SavedTensorHooksGuard guard(counting.hooks());
    z = mul(y, y);
  }
  addInPlace(y, Tensor::full({1}, 1.0, DType::F64));
  backward(sum(z));
  EXPECT_EQ(gradient(x), (std::vector<double>{36}));  // 2 * 6 * 3: of the copies
}

TEST(SavedTensorHooks, APackHookMayNotChangeWhatItGets) {
  const Tensor x = leaf(2);
  const SavedTensorHooksGuard guard(
      {[](const Tensor& tensor) {
         mulScalarInPlace(tensor, 2);
         return std::any(tensor);
       },
       [](const std::any& kept) { return std::any_cast<Tensor>(kept); }});
  const std::string text = errorOf([&] { exp(x); });
  EXPECT_TRUE(hasAll(text, {"pack hook", "changed in place", "f64 [1]"})) << text;
}

TEST(SavedTensorHooks, WhatComesBackMustFit) {
  const Tensor x = leaf({2, 3}, {2});
  const auto unpackTo = [&](const Tensor& given) {
    const SavedTensorHooksGuard guard(
        {[](const Tensor&) { return std::any(); }, [given](const std::any&) { return given; }});
    return errorOf([&] { backward(sum(exp(x))); });
  };
  EXPECT_TRUE(hasAll(unpackTo(Tensor::zeros({3}, DType::F64)),
                     {"unpack hook gave f64 [3] cpu", "'exp'", "wanted f64 [2]"}));
  EXPECT_TRUE(hasAll(unpackTo(Tensor::zeros({2})), {"gave f32 [2] cpu", "wanted f64 [2]"}));
  EXPECT_TRUE(hasAll(unpackTo({}), {"gave undefined", "wanted f64 [2]"}));
  EXPECT_TRUE(hasAll(
      errorOf([] {
        const SavedTensorHooksGuard guard({nullptr, [](const std::any&) { return Tensor(); }});
      }),
      {"come in pairs"}));
}

TEST(SavedTensorHooks, SecondDerivativesGoThroughPackedTensors) {
  const Tensor x = leaf(2);
  Counting counting;
  Tensor y;
  {
    const SavedTensorHooksGuard guard(counting.hooks());
    y = mul(exp(mul(x, x)), x);  // x exp(x^2): saves leaves, inputs and outputs
  }
  const Tensor first = autograd::grad({&y, 1}, {&x, 1}, {}, {false, true, false})[0];
  const Tensor second = autograd::grad({&first, 1}, {&x, 1})[0];
  const double e = std::exp(4.0);
  EXPECT_NEAR(first.toVector<double>()[0], 9 * e, 1e-11);    // (1 + 2 x^2) exp(x^2)
  EXPECT_NEAR(second.toVector<double>()[0], 44 * e, 1e-11);  // (6 x + 4 x^3) exp(x^2)
  EXPECT_GT(counting.unpacked, counting.packed);             // once a pass
}

TEST(SavedTensorHooks, WhatWasPackedGoesWithTheGraph) {
  const Tensor x = leaf(2);
  std::weak_ptr<int> watched;
  Tensor loss;
  {
    const auto content = std::make_shared<int>(7);
    watched = content;
    const SavedTensorHooksGuard guard(
        {[content](const Tensor&) { return std::any(content); },
         [](const std::any&) { return Tensor::full({1}, 1, DType::F64); }});
    loss = sum(exp(x));
  }
  EXPECT_FALSE(watched.expired());
  backward(loss);
  EXPECT_TRUE(watched.expired());  // the graph was not retained
}

}  // namespace
}  // namespace tenon
