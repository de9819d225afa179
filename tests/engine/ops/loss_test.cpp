// SPDX-License-Identifier: Apache-2.0
// Softmax, cross-entropy and dropout beyond their samples.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/base/philox.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/softmax/softmax.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Softmax, StaysFiniteForLargeLogits) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    const Tensor x = Tensor::fromValues<float>({1000, 1000, -1000, 88, 89, -kInf}, {2, 3});
    const std::vector<double> p = numbersOf(softmax(x, 1));
    EXPECT_EQ(p[0], 0.5);
    EXPECT_EQ(p[2], 0);
    EXPECT_NEAR(p[3] + p[4], 1, 1e-6);
    EXPECT_EQ(p[5], 0);
    EXPECT_EQ(numbersOf(logSoftmax(x, 1))[2], -2000 + std::log(0.5F));
  }
}

TEST(Softmax, ARowOfMinusInfinityIsNan) {
  const Tensor x = Tensor::full({1, 20}, -kInf);
  for (double p : numbersOf(softmax(x, 1))) EXPECT_TRUE(std::isnan(p));
}

TEST(CrossEntropy, BadTargetIsNamedWithItsRow) {
  const Tensor logits = Tensor::zeros({3, 4});
  try {
    crossEntropy(logits, Tensor::fromValues<int64_t>({0, -100, 4}, {3}));
    FAIL() << "4 is no class";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Input);
    EXPECT_STREQ(error.what(), "[cross_entropy] target 4 of row 2 is outside the classes 0 .. 3");
  }
  EXPECT_NE(errorOf([&] {
              crossEntropy(logits, Tensor::fromValues<int64_t>({0, 1, -1}, {3}));
            }).find("target -1 of row 2"),
            std::string::npos);
}

TEST(CrossEntropy, AllRowsIgnoredGivesNan) {
  const Tensor logits = Tensor::zeros({2, 4});
  const Tensor targets = Tensor::fromValues<int64_t>({-100, -100}, {2});
  EXPECT_TRUE(std::isnan(numbersOf(crossEntropy(logits, targets))[0]));
  const CrossEntropyParams sum{-100, 0, Reduction::Sum};
  EXPECT_EQ(numbersOf(crossEntropy(logits, targets, sum))[0], 0);
}

TEST(CrossEntropy, AllRowsIgnoredHaveAGradientOfZerosHoweverItIsComputed) {
  const Tensor logits = Tensor::zeros({2, 4});
  autograd::setRequiresGrad(logits);
  const Tensor targets = Tensor::fromValues<int64_t>({-100, -100}, {2});
  for (double smoothing : {0.0, 0.1})
    for (bool createGraph : {false, true}) {
      const Tensor loss = crossEntropy(logits, targets, {-100, smoothing, Reduction::Mean});
      const Tensor dx =
          autograd::grad({&loss, 1}, {&logits, 1}, {}, {.createGraph = createGraph})[0];
      EXPECT_EQ(numbersOf(dx), std::vector<double>(8, 0.0)) << createGraph;
    }
}

// What the gradient keeps of the forward pass is f32: of 16 bits the sum's logarithm, 4.7 rounded
// by up to 0.016, would move 1 - p by a third. Numbers of PyTorch 1.13 in f64.
TEST(CrossEntropy, GradientOfANearlyRightRowIsRoundedOnceIn16Bits) {
  const double wanted[] = {0.0091256374, -0.0091256374, -0.0474258732, 0.0474258732};
  for (DType half : {DType::F16, DType::BF16}) {
    const Tensor x = converted(Tensor::fromValues<float>({0, 4.6875F, 3, 0}, {2, 2}), half);
    autograd::setRequiresGrad(x);
    const CrossEntropyParams sum{-100, 0, Reduction::Sum};
    const Tensor loss = crossEntropy(x, Tensor::fromValues<int64_t>({1, 0}, {2}), sum);
    const Tensor dx = autograd::grad({&loss, 1}, {&x, 1})[0];
    EXPECT_EQ(dx.dtype(), half);
    const std::vector<double> got = numbersOf(dx);
    for (size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(got[i], wanted[i], std::abs(wanted[i]) * (half == DType::F16 ? 0x1p-11 : 0x1p-8))
          << dtypeName(half) << " element " << i;
  }
}

TEST(CrossEntropy, OfEqualLogitsIsLogOfTheClasses) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (int64_t classes : {2, 7, 8, 10, 33}) {
      const Tensor logits = Tensor::full({5, classes}, 123);
      const Tensor targets = Tensor::fromValues<int64_t>({0, 1, 0, 1, 1}, {5});
      for (double smoothing : {0.0, 0.2}) {
        const CrossEntropyParams params{-100, smoothing, Reduction::Mean};
        EXPECT_NEAR(numbersOf(crossEntropy(logits, targets, params))[0],
                    std::log(static_cast<double>(classes)), 1e-6);
      }
    }
  }
}

TEST(CrossEntropy, ConfidentLogitsDoNotOverflow) {
  const Tensor logits = Tensor::fromValues<float>({1000, 0, 0, 1000}, {2, 2});
  autograd::setRequiresGrad(logits);
  const Tensor loss = crossEntropy(logits, Tensor::fromValues<int64_t>({0, 0}, {2}));
  EXPECT_EQ(numbersOf(loss)[0], 500);
  autograd::backward(loss);
  EXPECT_EQ(numbersOf(autograd::gradOf(logits)), (std::vector<double>{0, 0, -0.5, 0.5}));
}

/// The mask as the definition says it, element by element.
std::vector<double> maskByDefinition(int64_t count, double p, const Generator& generator) {
  const philox::Key key = philox::makeKey(generator.seed, philox::Purpose::Dropout, generator.rank);
  std::vector<double> mask;
  for (int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<uint64_t>(i);
    mask.push_back(philox::uniform01(key, generator.calls, index) >= p ? 1 : 0);
  }
  return mask;
}

constexpr std::pair<Lay, DType> kLaysOfTypes[] = {
    {Lay::Dense, DType::F32},   {Lay::Transposed, DType::F32}, {Lay::Sliced, DType::F32},
    {Lay::Blocked, DType::F32}, {Lay::Dense, DType::F64},      {Lay::Transposed, DType::F64},
    {Lay::Sliced, DType::F64},  {Lay::Blocked, DType::F64}};

TEST(Dropout, ValuesAndMaskFollowTheDefinitionInEveryLayoutAndType) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Shape& shape : {Shape{3, 37}, Shape{2, 5, 3, 3}, Shape{70, 300}, Shape{2, 16, 5, 7}})
      for (const auto& [lay, dtype] : kLaysOfTypes) {
        SCOPED_TRACE(toString(shape) + " " + layName(lay) + " " + std::string(dtypeName(dtype)));
        Generator generator{0x123456789ABCDEFULL, 0x300000005ULL, shape.ndim() == 2 ? 0U : 3U};
        const std::vector<double> wanted = maskByDefinition(shape.numel(), 0.3, generator);
        const gate::GeneratorGuard use(generator);
        const Tensor x = laid(Tensor::full(shape, 2, dtype), lay);
        const DropoutResult result = dropoutWithMask(x, 0.3);
        EXPECT_EQ(generator.calls, 0x300000006ULL);
        EXPECT_EQ(numbersOf(result.mask), wanted);
        const double scale = dtype == DType::F64 ? 1 / 0.7 : static_cast<float>(1 / 0.7);
        const std::vector<double> y = numbersOf(result.y);
        for (size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], wanted[i] * 2 * scale);
        EXPECT_EQ(result.y.layout(), lay == Lay::Blocked ? kBlocked8 : Layout{});
        EXPECT_TRUE(paddingIsZero(result.y));
      }
  }
}

TEST(Dropout, EachSeedCallAndRankHasAMaskOfItsOwn) {
  const Tensor x = Tensor::full({256}, 1);
  const auto maskOf = [&](Generator generator) {
    const gate::GeneratorGuard use(generator);
    return numbersOf(dropoutWithMask(x, 0.5).mask);
  };
  const std::vector<double> mask = maskOf({1, 0, 0});
  EXPECT_EQ(maskOf({1, 0, 0}), mask);
  EXPECT_NE(maskOf({2, 0, 0}), mask);
  EXPECT_NE(maskOf({1, 1, 0}), mask);
  EXPECT_NE(maskOf({1, 0, 1}), mask);
}

TEST(Dropout, ScalesWhatItKeeps) {
  const Tensor x = Tensor::full({1000, 100}, 1);
  const double kept = numbersOf(mean(dropoutWithMask(x, 0.25).y))[0];
  EXPECT_NEAR(kept, 1, 0.01);
  for (double y : numbersOf(dropoutWithMask(Tensor::full({64}, 3), 1).y)) EXPECT_EQ(y, 0);
  EXPECT_EQ(numbersOf(dropoutWithMask(Tensor::full({9}, 3), 0).y), std::vector<double>(9, 3));
}

TEST(Dropout, IsNothingOutsideTraining) {
  const Tensor x = Tensor::full({4}, 1);
  const uint64_t before = gate::threadState().generator->calls;
  EXPECT_EQ(dropout(x, 0.5, false).impl(), x.impl());
  EXPECT_EQ(dropout(x, 0, true).impl(), x.impl());
  EXPECT_EQ(gate::threadState().generator->calls, before);
}

}  // namespace
}  // namespace tenon::test
