// SPDX-License-Identifier: Apache-2.0
// Moments, norms, products, truth and running sums beyond their samples: types, accuracy, many
// elements, threads, errors.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/autograd/gradcheck.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(ReduceFamilies, VarianceOfFarAwayNumbersKeepsItsDigits) {
  const int64_t n = 100001;  // more than one shard
  std::vector<double> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(10000 + static_cast<double>(i % 5));
  for (DType dtype : {DType::F32, DType::F64}) {
    const Tensor x = fromNumbers(values, {n}, dtype);
    double mean = 0;
    double squares = 0;
    for (double v : values) mean += (v - 10000) / static_cast<double>(n);
    for (double v : values) squares += (v - 10000 - mean) * (v - 10000 - mean);
    EXPECT_NEAR(numbersOf(var(x))[0], squares / static_cast<double>(n - 1), 1e-6);
    EXPECT_NEAR(numbersOf(stddev(x, {}, 0))[0], std::sqrt(squares / static_cast<double>(n)), 1e-6);
  }
}

TEST(ReduceFamilies, NothingLeftToDivideByGivesNan) {
  const Tensor x = Tensor::full({3, 1}, 2, DType::F64);
  for (double v : numbersOf(var(x, {1}))) EXPECT_TRUE(std::isnan(v));
  EXPECT_EQ(numbersOf(var(x, {1}, 0)), (std::vector<double>{0, 0, 0}));
  const Tensor y = Tensor::fromValues<double>({1, 2}, {1, 2});
  EXPECT_EQ(numbersOf(var(y, {1}, 5))[0], kInf);  // divided by 0, as PyTorch does
}

TEST(ReduceFamilies, StandardDeviationOfEqualsHasGradientZero) {
  const Tensor x = Tensor::full({4}, 3, DType::F64);
  autograd::setRequiresGrad(x);
  autograd::backward(stddev(x));
  EXPECT_EQ(numbersOf(autograd::gradOf(x)), (std::vector<double>{0, 0, 0, 0}));
}

TEST(ReduceFamilies, LongFoldsGiveTheSameBitsForEveryThreadCount) {
  const Tensor x = converted(makeInput({{3, 70001}}, 4), DType::F32);
  const auto all = [&] {
    return std::vector<Tensor>{var(x, {1}), norm(x),      norm(x, 3, {1}),   norm(x, 1),
                               amax(x),     amin(x, {1}), logsumexp(x, {1}), norm(x, kInf)};
  };
  cpu::setThreadCount(1);
  const std::vector<Tensor> wanted = all();
  for (int threads : {2, 5}) {
    cpu::setThreadCount(threads);
    const std::vector<Tensor> got = all();
    for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i].toBytes(), wanted[i].toBytes()) << i;
  }
  cpu::setThreadCount(0);
  EXPECT_TRUE(near(wanted[1], norm(converted(x, DType::F64)), {1e-6, 0}));
  EXPECT_TRUE(near(wanted[3], norm(converted(x, DType::F64), 1), {1e-6, 0}));
}

TEST(ReduceFamilies, NanWinsInExtremes) {
  for (DType dtype : {DType::F32, DType::F64}) {
    const Tensor x = fromNumbers({1, kNan, 3, 4, -5, 6}, {2, 3}, dtype);
    EXPECT_TRUE(std::isnan(numbersOf(amax(x, {1}))[0]));
    EXPECT_TRUE(std::isnan(numbersOf(amin(x, {1}))[0]));
    EXPECT_TRUE(std::isnan(numbersOf(norm(x, kInf, {1}))[0]));
    EXPECT_EQ(numbersOf(amax(x, {1}))[1], 6);
    EXPECT_EQ(numbersOf(norm(x, -kInf, {1}))[1], 4);
  }
  EXPECT_EQ(numbersOf(amin(Tensor::fromValues<int64_t>({3, -2, 9}, {3})))[0], -2);
  EXPECT_EQ(numbersOf(argmin(Tensor::fromValues<int32_t>({3, -2, -2}, {3}), 0))[0], 1);
}

TEST(ReduceFamilies, LogsumexpOfInfinities) {
  const Tensor x = Tensor::fromValues<double>({-kInf, -kInf, kInf, 1}, {2, 2});
  EXPECT_EQ(numbersOf(logsumexp(x, {1})), (std::vector<double>{-kInf, kInf}));
  EXPECT_EQ(numbersOf(logsumexp(Tensor::zeros({2, 0}), {1})), (std::vector<double>{-kInf, -kInf}));
  EXPECT_EQ(logsumexp(Tensor::zeros({2, 3, 4}), {0, 2}, true).shape(), (Shape{1, 3, 1}));
}

TEST(ReduceFamilies, ProductsHaveExactGradientsAtZeros) {
  const Tensor x = Tensor::fromValues<double>({2, 0, 3, -1, 5}, {5});
  autograd::setRequiresGrad(x);
  const autograd::CheckedFunction f = [](std::span<const Tensor> in) {
    return std::vector<Tensor>{prod(in[0])};
  };
  const auto first = autograd::gradcheck(f, std::vector<Tensor>{x});
  EXPECT_TRUE(first.ok) << first.text;
  const auto second = autograd::gradgradcheck(f, std::vector<Tensor>{x});
  EXPECT_TRUE(second.ok) << second.text;
}

TEST(ReduceFamilies, ProductsOfEveryTypeAndOfNothing) {
  EXPECT_EQ(numbersOf(prod(Tensor::fromValues<int64_t>({2, 3, 7}, {3})))[0], 42);
  const Tensor bytes = Tensor::fromValues<uint8_t>({200, 200, 2, 3}, {2, 2});
  EXPECT_EQ(prod(bytes).dtype(), DType::I64);
  EXPECT_EQ(numbersOf(prod(bytes, {1})), (std::vector<double>{40000, 6}));
  EXPECT_EQ(numbersOf(prod(Tensor::zeros({2, 0}), {1})), (std::vector<double>{1, 1}));
  EXPECT_EQ(prod(Tensor::zeros({2, 3, 4}), {0, 2}, true).shape(), (Shape{1, 3, 1}));
}

TEST(ReduceFamilies, TruthOfEveryType) {
  for (DType dtype : {DType::F32, DType::F64, DType::F16, DType::BF16, DType::I64, DType::I32,
                      DType::I8, DType::U8, DType::Bool}) {
    const Tensor x = fromNumbers({0, 0, 0, 1, 1, 1}, {3, 2}, dtype);
    EXPECT_EQ(numbersOf(any(x, {1})), (std::vector<double>{0, 1, 1}));
    EXPECT_EQ(numbersOf(all(x, {1})), (std::vector<double>{0, 0, 1}));
    EXPECT_EQ(any(x).dtype(), DType::Bool);
  }
  const Tensor none = Tensor::zeros({0});
  EXPECT_EQ(numbersOf(any(none))[0], 0);
  EXPECT_EQ(numbersOf(all(none))[0], 1);
}

TEST(ReduceFamilies, RunningSumsOfSmallTypesAreI64) {
  const Tensor x = Tensor::fromValues<uint8_t>({200, 100, 3}, {3});
  const Tensor y = cumsum(x, 0);
  EXPECT_EQ(y.dtype(), DType::I64);
  EXPECT_EQ(numbersOf(y), (std::vector<double>{200, 300, 303}));
  const Tensor many = Tensor::full({300000}, 0.1);
  EXPECT_NEAR(numbersOf(cumsum(many, 0)).back(), 300000 * static_cast<double>(0.1F), 0.01);
}

TEST(ReduceFamilies, ErrorsNameTheFunctionAndShape) {
  const Tensor x = Tensor::zeros({2, 3});
  EXPECT_NE(errorOf([&] { var(x, {2}); }).find("[var] axis 2"), std::string::npos);
  EXPECT_NE(errorOf([&] {
              norm(x, 2, {0, 0});
            }).find("[norm] axis 0 is named twice"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { amax(Tensor::zeros({0})); }).find("[amax] no elements"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { any(x, {5}); }).find("[any]"), std::string::npos);
  EXPECT_NE(errorOf([&] { cumsum(x, 2); }).find("[cumsum]"), std::string::npos);
  for (const auto& call :
       {std::function<void()>([] { var({}); }), std::function<void()>([] { norm({}); }),
        std::function<void()>([] { amax({}); }), std::function<void()>([] { logsumexp({}); }),
        std::function<void()>([] { prod({}); }), std::function<void()>([] { any({}); }),
        std::function<void()>([] { all({}); }), std::function<void()>([] { cumsum({}, 0); }),
        std::function<void()>([] { argmin({}, 0); })})
    EXPECT_NE(errorOf(call).find("undefined"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
