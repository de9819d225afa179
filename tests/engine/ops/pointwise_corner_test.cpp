// SPDX-License-Identifier: Apache-2.0
// Corner values of pointwise functions that samples and PyTorch's cases leave open: steps, limits,
// error bounds of what comes from the C library, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/glu/glu.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Tensor numbers(std::vector<double> values, DType dtype = DType::F64) {
  return fromNumbers(values, {static_cast<int64_t>(values.size())}, dtype);
}

std::vector<double> gradientOf(const Tensor& x, Tensor (*f)(const Tensor&)) {
  autograd::setRequiresGrad(x);
  autograd::backward(f(x), Tensor::full(x.shape(), 1, x.dtype()));
  return numbersOf(autograd::gradOf(x));
}

TEST(PointwiseCorners, IntegersAreRoundAndHaveSigns) {
  for (DType dtype : {DType::I64, DType::I32}) {
    const Tensor x = numbers({-7, 0, 3}, dtype);
    for (const Tensor& y : {floor(x), ceil(x), round(x), trunc(x)}) {
      EXPECT_EQ(numbersOf(y), (std::vector<double>{-7, 0, 3}));
      EXPECT_EQ(y.dtype(), dtype);
    }
    EXPECT_EQ(numbersOf(sign(x)), (std::vector<double>{-1, 0, 1}));
    EXPECT_EQ(numbersOf(clamp(x, -kInf, 2)), (std::vector<double>{-7, 0, 2}));
    EXPECT_EQ(numbersOf(clamp(x, -1, kInf)), (std::vector<double>{-1, 0, 3}));
    EXPECT_EQ(numbersOf(logicalNot(x)), (std::vector<double>{0, 1, 0}));
  }
}

TEST(PointwiseCorners, HalvesRoundToEvenInF32Too) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    const Tensor x = numbers({-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 8388609, -kInf, 3.7}, DType::F32);
    const std::vector<double> y = numbersOf(round(x));
    EXPECT_EQ(y, (std::vector<double>{-2, -2, 0, 0, 2, 2, 8388609, -kInf, 4}));
  }
}

TEST(PointwiseCorners, StepsHaveZeroGradientEvenForInfiniteOnes) {
  for (auto* f : {&floor, &ceil, &round, &trunc, &sign}) {
    const Tensor x = numbers({-1.5, 0, 2});
    autograd::setRequiresGrad(x);
    autograd::backward(f(x), numbers({kInf, 1, 1}));
    EXPECT_EQ(numbersOf(autograd::gradOf(x)), (std::vector<double>{0, 0, 0}));
  }
}

TEST(PointwiseCorners, GradientsAtTheLimits) {
  const auto hard = [](const Tensor& x) { return hardTanh(x); };
  EXPECT_EQ(gradientOf(numbers({-2, -1, 0, 1, 2}), hard), (std::vector<double>{0, 0, 1, 0, 0}));
  const auto open = [](const Tensor& x) { return clamp(x, -kInf, 1); };
  EXPECT_EQ(gradientOf(numbers({-9, 1, 2}), open), (std::vector<double>{1, 1, 0}));
  // as PyTorch 2.15; 1.13 has -0.5 and 1.5 for the last elements of a tensor
  const auto swish = [](const Tensor& x) { return hardSwish(x); };
  EXPECT_EQ(gradientOf(numbers({-4, -3, 0, 3, 4}), swish), (std::vector<double>{0, 0, 0.5, 1, 1}));
  const auto zeroth = [](const Tensor& x) { return powScalar(x, 0); };
  EXPECT_EQ(gradientOf(numbers({0, 2}), zeroth), (std::vector<double>{0, 0}));
  const Tensor f32 = numbers({0, 2}, DType::F32);
  EXPECT_EQ(gradientOf(f32, zeroth), (std::vector<double>{0, 0}));
}

TEST(PointwiseCorners, LogicTakesEveryTypeAndGivesBool) {
  for (DType dtype : {DType::F32, DType::F64, DType::I64, DType::I32, DType::U8, DType::Bool}) {
    const Tensor x = numbers({0, 0, 1, 1}, dtype);
    const Tensor y = numbers({0, 1, 0, 1}, dtype);
    EXPECT_EQ(numbersOf(logicalAnd(x, y)), (std::vector<double>{0, 0, 0, 1}));
    EXPECT_EQ(numbersOf(logicalOr(x, y)), (std::vector<double>{0, 1, 1, 1}));
    EXPECT_EQ(numbersOf(logicalXor(x, y)), (std::vector<double>{0, 1, 1, 0}));
    EXPECT_EQ(numbersOf(logicalNot(x)), (std::vector<double>{1, 1, 0, 0}));
    EXPECT_EQ(logicalNot(x).dtype(), DType::Bool);
  }
}

TEST(PointwiseCorners, RemaindersOfInfinityAndZero) {
  for (DType dtype : {DType::F32, DType::F64}) {
    const Tensor a = numbers({-1, 1, kInf, 1}, dtype);
    const Tensor b = numbers({kInf, -kInf, 2, 0}, dtype);
    const std::vector<double> y = numbersOf(remainder(a, b));
    EXPECT_EQ(y[0], kInf);
    EXPECT_EQ(y[1], -kInf);
    EXPECT_TRUE(std::isnan(y[2]));
    EXPECT_TRUE(std::isnan(y[3]));
    EXPECT_EQ(numbersOf(fmod(a, b))[0], -1);
  }
}

/// 2.046875 / 0.341796875 is 5.989, which bf16 rounds to 6; -2.171875 / 0.361328125 is -6.011, to
/// -6. By hand; PyTorch 2.15 rounds so for fmod (-6, 6), not for remainder (-5, 7).
TEST(PointwiseCorners, GradientsOfRemaindersCountWhole) {
  const auto gradientOf = [](Tensor (*leaves)(const Tensor&, const Tensor&)) {
    const Tensor a = numbers({2.046875, -2.171875}, DType::BF16);
    const Tensor b = numbers({0.341796875, 0.361328125}, DType::BF16);
    autograd::setRequiresGrad(b);
    autograd::backward(sum(leaves(a, b)));
    return numbersOf(autograd::gradOf(b));
  };
  EXPECT_EQ(gradientOf(&fmod), (std::vector<double>{-5, 6}));
  EXPECT_EQ(gradientOf(&remainder), (std::vector<double>{-5, 7}));
}

TEST(PointwiseCorners, LerpReachesItsEndsExactly) {
  const Tensor a = numbers({1e8, 0.1}, DType::F32);
  const Tensor b = numbers({0.3, 1e8}, DType::F32);
  EXPECT_EQ(numbersOf(lerp(a, b, 0)), numbersOf(a));
  EXPECT_EQ(numbersOf(lerp(a, b, 1)), numbersOf(b));
}

struct Bounded {
  const char* name;
  Tensor (*run)(const Tensor&);
  double (*exact)(double);
  double low;
  double high;
};

const Bounded kBounded[] = {
    {"exp2", &exp2, &std::exp2, -120, 120},      {"log2", &log2, &std::log2, 1e-30, 1e30},
    {"log10", &log10, &std::log10, 1e-30, 1e30}, {"log1p", &log1p, &std::log1p, -0.9999, 50},
    {"expm1", &expm1, &std::expm1, -20, 80},     {"tan", &tan, &std::tan, -1.5, 1.5},
    {"asin", &asin, &std::asin, -1, 1},          {"acos", &acos, &std::acos, -1, 1},
    {"atan", &atan, &std::atan, -50, 50},        {"sinh", &sinh, &std::sinh, -80, 80},
    {"cosh", &cosh, &std::cosh, -80, 80},        {"asinh", &asinh, &std::asinh, -1e9, 1e9},
    {"acosh", &acosh, &std::acosh, 1, 1e9},      {"atanh", &atanh, &std::atanh, -0.999, 0.999},
    {"erfc", &erfc, &std::erfc, -4, 9},
};

TEST(PointwiseCorners, FunctionsOfF32AreWithinFourUlps) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Bounded& f : kBounded) {
      const SampleInput input{{5003}, SampleInput::Values::Uniform, f.low, f.high};
      const Tensor x = converted(makeInput(input, 11), DType::F32);
      const std::vector<double> at = numbersOf(x);
      const std::vector<double> y = numbersOf(f.run(x));
      for (size_t i = 0; i < at.size(); ++i) {
        const double exact = f.exact(at[i]);
        const double ulp = std::fmax(std::fabs(exact) * 0x1p-23, 0x1p-149);
        ASSERT_LE(std::fabs(y[i] - exact), 4 * ulp) << f.name << "(" << at[i] << ") " << level;
      }
    }
  }
}

TEST(PointwiseCorners, RefusalsNameShapes) {
  const Tensor x = Tensor::zeros({2, 3, 4});
  EXPECT_NE(errorOf([&] { prelu(x, Tensor::zeros({4})); }).find("[1] or [3]"), std::string::npos);
  EXPECT_NE(errorOf([&] { prelu(x, {}); }).find("weight is undefined"), std::string::npos);
  EXPECT_NE(errorOf([&] { glu(x, 1); }).find("no two equal halves"), std::string::npos);
  EXPECT_NE(errorOf([&] { glu(Tensor::zeros({}), 0); }).find("[glu]"), std::string::npos);
  EXPECT_NE(errorOf([&] { logicalNot({}); }).find("undefined"), std::string::npos);
  EXPECT_NE(errorOf([&] { lerp({}, x, 0.5); }).find("undefined"), std::string::npos);
  EXPECT_NE(errorOf([&] { abs(Tensor::zeros({2}, DType::Bool)); }).find("[abs] no kernel"),
            std::string::npos);
}

}  // namespace
}  // namespace tenon::test
