// SPDX-License-Identifier: Apache-2.0
// Pointwise operators beyond their samples: types, broadcasting of odd strides, versions, errors.
#include <gtest/gtest.h>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

TEST(Elementwise, IntegersWrapAndCompare) {
  const Tensor a = Tensor::fromValues<uint8_t>({250, 3, 7}, {3});
  const Tensor b = Tensor::fromValues<uint8_t>({10, 3, 9}, {3});
  EXPECT_EQ(numbersOf(add(a, b)), (std::vector<double>{4, 6, 16}));
  EXPECT_EQ(numbersOf(sub(a, b)), (std::vector<double>{240, 0, 254}));
  EXPECT_EQ(numbersOf(maximum(a, b)), (std::vector<double>{250, 3, 9}));
  EXPECT_EQ(numbersOf(equal(a, b)), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(numbersOf(less(a, b)), (std::vector<double>{0, 0, 1}));
  const Tensor flags = Tensor::fromValues<uint8_t>({0, 2, 1}, {3});
  const Tensor truth = cast(flags, DType::Bool);
  EXPECT_EQ(numbersOf(truth), (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(numbersOf(notEqual(truth, truth)), (std::vector<double>{0, 0, 0}));
}

TEST(Elementwise, CastCutsTowardsZeroAndKeepsItself) {
  const Tensor x = Tensor::fromValues<float>({-1.9F, 1.9F, 0.0F, 300.0F}, {4});
  EXPECT_EQ(numbersOf(cast(x, DType::I64)), (std::vector<double>{-1, 1, 0, 300}));
  EXPECT_EQ(numbersOf(cast(x, DType::I32)), (std::vector<double>{-1, 1, 0, 300}));
  EXPECT_EQ(numbersOf(cast(x, DType::Bool)), (std::vector<double>{1, 1, 0, 1}));
  EXPECT_EQ(cast(x, DType::F32).impl(), x.impl());
}

TEST(Elementwise, EveryPairOfStridesAndTypesBroadcasts) {
  const Shape shapes[] = {{4, 1, 9}, {7, 9}, {4, 7, 1}, {1}, {4, 7, 9}, {}};
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Shape& left : shapes)
      for (const Shape& right : shapes)
        for (Lay lay : {Lay::Dense, Lay::Transposed, Lay::Sliced}) {
          const Tensor a = makeInput({left}, 1);
          const Tensor b = makeInput({right}, 2);
          const Tensor wanted = sub(a, b);
          const Tensor x = converted(a, DType::F32);
          const Tensor y = converted(b, DType::F32);
          const Tensor got =
              sub(canLie(x, lay) ? laid(x, lay) : x, canLie(y, lay) ? laid(y, lay) : y);
          EXPECT_TRUE(near(got, wanted, toleranceOf(DType::F32)))
              << toString(left) << " - " << toString(right) << " " << layName(lay);
        }
  }
}

TEST(Elementwise, LargeTensorsRunInPiecesOfAnyLength) {
  for (int64_t n : {16383, 16384, 16385, 40001}) {
    const Tensor x = converted(makeInput({{n}}, 3), DType::F32);
    const std::vector<float> values = x.toVector<float>();
    const std::vector<float> y = mulScalar(x, -2).toVector<float>();
    for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(y[i], values[i] * -2) << i;
  }
}

TEST(Elementwise, InPlaceChangesMemoryAndVersion) {
  const Tensor a = Tensor::full({2, 3}, 1);
  const Tensor b = Tensor::fromValues<float>({1, 2, 3}, {3});
  const void* memory = a.rawData();
  addInPlace(a, b);
  EXPECT_EQ(numbersOf(a), (std::vector<double>{2, 3, 4, 2, 3, 4}));
  mulInPlace(a, b);
  EXPECT_EQ(numbersOf(a), (std::vector<double>{2, 6, 12, 2, 6, 12}));
  subInPlace(a, b);
  axpyInPlace(a, b, 0.5);
  EXPECT_EQ(numbersOf(a), (std::vector<double>{1.5, 5, 10.5, 1.5, 5, 10.5}));
  mulScalarInPlace(a, -2);
  EXPECT_EQ(numbersOf(a), (std::vector<double>{-3, -10, -21, -3, -10, -21}));
  reluInPlace(a);
  EXPECT_EQ(numbersOf(a), (std::vector<double>{0, 0, 0, 0, 0, 0}));
  fillInPlace(a, 7);
  EXPECT_EQ(numbersOf(a), (std::vector<double>{7, 7, 7, 7, 7, 7}));
  EXPECT_EQ(a.rawData(), memory);
  EXPECT_EQ(a.version(), 7u);
}

TEST(Elementwise, InPlaceWritesThroughViews) {
  const Tensor x = Tensor::zeros({3, 4});
  addInPlace(select(x, 1, 2), Tensor::fromValues<float>({1, 2, 3}, {3}));
  fillInPlace(narrow(x, 0, 2, 1), -1);
  EXPECT_EQ(numbersOf(x), (std::vector<double>{0, 0, 1, 0, 0, 0, 2, 0, -1, -1, -1, -1}));
  EXPECT_EQ(x.version(), 2u);
}

TEST(Elementwise, InPlaceOnBlocksTakesBroadcastOperands) {
  const Tensor x = laid(Tensor::full({2, 5, 2, 2}, 1), Lay::Blocked);
  addInPlace(x, Tensor::fromValues<float>({1, 2, 3, 4, 5}, {5, 1, 1}));
  const std::vector<double> got = numbersOf(x);
  for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], 2 + static_cast<double>(i / 4 % 5));
  EXPECT_TRUE(paddingIsZero(x));
}

TEST(Elementwise, ErrorsNameOperatorAndOperands) {
  const Tensor f = Tensor::zeros({2, 3});
  const Tensor b = Tensor::zeros({2, 3}, DType::Bool);
  EXPECT_NE(errorOf([&] { mul(f, Tensor::zeros({4})); }).find("[mul] shapes do not broadcast"),
            std::string::npos);
  EXPECT_EQ(errorOf([&] { add(f, Tensor()); }), "[add] b is undefined: it holds no tensor");
  EXPECT_NE(errorOf([&] { neg(b); }).find("[neg] no kernel on cpu takes bool [2, 3] cpu"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { addInPlace(Tensor::zeros({3}), f); }).find("keeps its shape"),
            std::string::npos);
}

TEST(Elementwise, MulInPlaceRefusesAFactorThatWantsAGradient) {
  const Tensor b = Tensor::full({2}, 2);
  autograd::setRequiresGrad(b);
  EXPECT_NE(errorOf([&] { mulInPlace(Tensor::full({2}, 1), b); }).find("use mul"),
            std::string::npos);
}

TEST(Elementwise, CornerGradients) {
  const auto gradient = [](const Tensor& x, Tensor (*f)(const Tensor&)) {
    autograd::setRequiresGrad(x);
    autograd::backward(f(x), Tensor::full(x.shape(), 1, x.dtype()));
    return numbersOf(autograd::gradOf(x));
  };
  const auto leaf = [](std::vector<double> values) {
    const auto n = static_cast<int64_t>(values.size());
    return Tensor::fromValues(values, {n});
  };
  EXPECT_EQ(gradient(leaf({-1, 0, 1}), &relu), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(gradient(leaf({-2, 0, 2}), &abs), (std::vector<double>{-1, 0, 1}));
  EXPECT_EQ(gradient(leaf({-2, -1, 0, 1, 2}), [](const Tensor& x) { return clamp(x, -1, 1); }),
            (std::vector<double>{0, 1, 1, 1, 0}));
  EXPECT_EQ(gradient(leaf({0}), &sqrt)[0], std::numeric_limits<double>::infinity());
  const Tensor a = leaf({1, 5});
  const Tensor b = leaf({1, 2});
  autograd::setRequiresGrad(a);
  autograd::backward(maximum(a, b), Tensor::full({2}, 1, DType::F64));
  EXPECT_EQ(numbersOf(autograd::gradOf(a)), (std::vector<double>{0.5, 1}));
}

}  // namespace
}  // namespace tenon::test
