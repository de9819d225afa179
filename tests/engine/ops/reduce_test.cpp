// SPDX-License-Identifier: Apache-2.0
// Reductions beyond their samples: accuracy of long sums, ties and NaN, counting, errors.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Reduce, LongSumsStayAccurate) {
  const int64_t n = 300001;
  const Tensor x = Tensor::full({n}, 0.1);
  const double exact = static_cast<double>(0.1F) * static_cast<double>(n);
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    EXPECT_NEAR(numbersOf(sum(x))[0], exact, 1e-6 * exact);
    EXPECT_NEAR(numbersOf(mean(x))[0], 0.1, 1e-7);
    const Tensor columns = Tensor::full({n / 10, 10}, 0.1);
    for (double s : numbersOf(sum(columns, {0}))) EXPECT_NEAR(s, exact / 10, 1e-6 * exact);
  }
}

TEST(Reduce, PlaceOfTheExtremeAmongAllElements) {
  const Tensor x = fromNumbers({3, 7, -2, 7, 0, -2}, {2, 3}, DType::F32);
  const auto placeOf = [](const Tensor& index) {
    EXPECT_EQ(index.shape(), Shape{});
    return index.toVector<int64_t>()[0];
  };
  EXPECT_EQ(placeOf(argmax(x)), 1);  // of equals the first in row-major order
  EXPECT_EQ(placeOf(argmin(x)), 2);
  EXPECT_EQ(placeOf(argmax(transpose(x, 0, 1))), 1);  // 3 7 | 7 0 | -2 -2
  EXPECT_EQ(placeOf(argmin(transpose(x, 0, 1))), 4);
  for (Lay lay : kLays) EXPECT_EQ(placeOf(argmin(laid(x, lay))), 2) << layName(lay);
  EXPECT_EQ(placeOf(argmax(converted(x, DType::I8))), 1);
  EXPECT_EQ(placeOf(argmax(converted(x, DType::BF16))), 1);
  EXPECT_EQ(placeOf(argmax(Tensor::full({}, 4))), 0);
  EXPECT_EQ(placeOf(argmin(fromNumbers({1, kNan, 0, kNan}, {2, 2}, DType::F64))), 1);
  EXPECT_FALSE(argmax(x).requiresGrad());
  EXPECT_NE(errorOf([] { argmax(Tensor::zeros({2, 0})); }).find("[argmax]"), std::string::npos);
  EXPECT_NE(errorOf([] { argmin({}); }).find("[argmin] x is undefined"), std::string::npos);
}

TEST(Reduce, EveryShapeAndAxesAgreesWithALoop) {
  const Shape shape{3, 70, 2, 33};
  const Tensor x = makeInput({shape}, 9);
  const std::vector<double> values = numbersOf(x);
  for (uint32_t mask = 1; mask < 16; ++mask) {
    Axes axes;
    Shape kept;
    for (int i = 0; i < 4; ++i) {
      if ((mask >> i) & 1u) axes.push_back(i - 4);
      kept.push(((mask >> i) & 1u) ? 1 : shape[i]);
    }
    std::vector<double> wanted(static_cast<size_t>(kept.numel()), 0.0);
    const Shape strides = contiguousStrides(kept);
    for (int64_t k = 0; k < x.numel(); ++k) {
      int64_t rest = k;
      int64_t index = 0;
      for (int i = 3; i >= 0; --i) {
        if (!((mask >> i) & 1u)) index += rest % shape[i] * strides[i];
        rest /= shape[i];
      }
      wanted[static_cast<size_t>(index)] += values[static_cast<size_t>(k)];
    }
    const Tensor expected = fromNumbers(wanted, kept, DType::F64);
    EXPECT_TRUE(near(sum(x, axes, true), expected, {1e-12, 1e-12})) << mask;
    EXPECT_TRUE(near(sum(converted(x, DType::F32), axes, true), expected, {1e-5, 1e-4})) << mask;
    EXPECT_TRUE(near(sumTo(x, kept), expected, {1e-12, 1e-12})) << mask;
  }
}

TEST(Reduce, SmallTypesGiveI64) {
  const Tensor x = Tensor::fromValues<uint8_t>(std::vector<uint8_t>(1000, 255), {10, 100});
  EXPECT_EQ(sum(x).dtype(), DType::I64);
  EXPECT_EQ(numbersOf(sum(x))[0], 255000);
  EXPECT_EQ(numbersOf(sum(x, {0}))[7], 2550);
  const Tensor truth = converted(x, DType::Bool);
  EXPECT_EQ(numbersOf(sum(truth))[0], 1000);
}

TEST(Reduce, MeanOfNothingIsNan) {
  EXPECT_TRUE(std::isnan(numbersOf(mean(Tensor::zeros({0})))[0]));
  EXPECT_EQ(numbersOf(sum(Tensor::zeros({0})))[0], 0);
}

TEST(Reduce, FirstOfEqualsAndNan) {
  const Tensor x = Tensor::fromValues<double>({1, 3, 3, 0, kNan, 5, kNan, 1}, {2, 4});
  const ValuesAndIndices most = maxAlong(x, 1);
  EXPECT_EQ(numbersOf(most.indices), (std::vector<double>{1, 0}));
  EXPECT_TRUE(std::isnan(numbersOf(most.values)[1]));
  EXPECT_EQ(numbersOf(minAlong(x, 1).indices), (std::vector<double>{3, 0}));
  EXPECT_EQ(numbersOf(argmax(x, 0)), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(maxAlong(x, -1, true).values.shape(), (Shape{2, 1}));
}

TEST(Reduce, GradientOfMaxGoesToTheFirst) {
  const Tensor x = Tensor::fromValues<double>({1, 3, 3, 0}, {1, 4});
  autograd::setRequiresGrad(x);
  const ValuesAndIndices most = maxAlong(x, 1);
  EXPECT_FALSE(most.indices.requiresGrad());
  autograd::backward(most.values, Tensor::full({1}, 2, DType::F64));
  EXPECT_EQ(numbersOf(autograd::gradOf(x)), (std::vector<double>{0, 2, 0, 0}));
}

TEST(Reduce, CountCorrectSkipsIgnoredRows) {
  const Tensor logits = Tensor::fromValues<float>({0, 1, 2, 5, 1, 0, 0, 9, 0, 1, 1, 0}, {4, 3});
  const Tensor targets = Tensor::fromValues<int64_t>({2, 0, -100, 1}, {4});
  EXPECT_EQ(numbersOf(countCorrect(logits, targets))[0], 2);  // the tie of row 3 goes to class 0
  EXPECT_EQ(countCorrect(logits, targets).dtype(), DType::I64);
}

TEST(Reduce, SumSquaresAddsAllTensors) {
  const Tensor a = Tensor::full({40000}, 0.5);
  const Tensor b = Tensor::fromValues<float>({1, -2}, {2});
  EXPECT_EQ(numbersOf(sumSquares(std::vector<const Tensor*>{&a, &b}))[0], 10005);
  EXPECT_EQ(numbersOf(sumSquares({}))[0], 0);
  std::vector<const Tensor*> many(100, &b);
  EXPECT_EQ(numbersOf(sumSquares(many))[0], 500);
}

TEST(Reduce, ErrorsNameAxisAndShape) {
  const Tensor x = Tensor::zeros({2, 3});
  EXPECT_NE(errorOf([&] { sum(x, {2}); }).find("[sum] axis 2 is outside"), std::string::npos);
  EXPECT_NE(errorOf([&] { sum(x, {1, -1}); }).find("named twice"), std::string::npos);
  EXPECT_NE(errorOf([&] { sumTo(x, {4}); }).find("does not broadcast"), std::string::npos);
  EXPECT_NE(errorOf([&] {
              argmax(Tensor::zeros({0, 2}), 0);
            }).find("no elements"),
            std::string::npos);
  const Tensor indices = Tensor::fromValues<int64_t>({0, 3}, {2, 1});
  EXPECT_EQ(errorOf([&] { pick(x, indices, 1); }), "[pick] index 3 of element 1 is outside 0 .. 2");
  for (const auto& call :
       {std::function<void()>([] { sum({}); }), std::function<void()>([] { sumTo({}, {1}); }),
        std::function<void()>([] { argmax({}, 0); })})
    EXPECT_NE(errorOf(call).find("undefined"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
