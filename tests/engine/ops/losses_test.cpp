// SPDX-License-Identifier: Apache-2.0
// Losses beyond PyTorch's cases: gradients against differences, limits, equal results by two ways,
// errors.
#include "engine/ops/losses/losses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/autograd/autograd.h"
#include "engine/autograd/gradcheck.h"
#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

struct Checked {
  const char* name;
  std::function<Tensor(std::span<const Tensor>)> run;
  std::vector<SampleInput> inputs;
};

SampleInput between(const Shape& shape, double low, double high) {
  return {shape, SampleInput::Values::Uniform, low, high};
}

std::vector<Checked> checkedLosses() {
  const Tensor signs = fromNumbers({1, -1, 1}, {3}, DType::F64);
  const Tensor targets = Tensor::fromValues<int64_t>({1, -100, 0}, {3});
  ClassLossOptions weighted;
  weighted.weight = fromNumbers({0.5, 2, 1, 3}, {4}, DType::F64);
  weighted.labelSmoothing = 0.2;
  TripletOptions swapped;
  swapped.swap = true;
  using In = std::span<const Tensor>;
  return {
      {"mse", [](In in) { return mseLoss(in[0], in[1]); }, {{{3, 2}}, {{3, 2}}}},
      {"smooth l1", [](In in) { return smoothL1Loss(in[0], in[1], 0.4); }, {{{3, 2}}, {{3, 2}}}},
      {"huber", [](In in) { return huberLoss(in[0], in[1], 0.4); }, {{{3, 2}}, {{3, 2}}}},
      {"nll", [=](In in) { return nllLoss(in[0], targets, weighted); }, {{{3, 4}}}},
      {"cross entropy",
       [=](In in) { return weightedCrossEntropy(in[0], targets, weighted); },
       {{{3, 4}}}},
      {"probabilities",
       [=](In in) { return crossEntropyOfProbabilities(in[0], in[1], weighted); },
       {{{3, 4}}, between({3, 4}, 0, 1)}},
      {"bce",
       [](In in) { return bceLoss(in[0], in[1]); },
       {between({3, 2}, 0.1, 0.9), between({3, 2}, 0, 1)}},
      {"bce with logits",
       [=](In in) {
         return bceWithLogitsLoss(in[0], in[1], {}, fromNumbers({0.5, 3}, {2}, DType::F64));
       },
       {between({3, 2}, -4, 4), between({3, 2}, 0, 1)}},
      {"focal",
       [](In in) { return focalLoss(in[0], in[1]); },
       {between({3, 2}, -3, 3), between({3, 2}, 0, 1)}},
      {"dice",
       [](In in) { return diceLoss(in[0], in[1]); },
       {between({2, 3, 2}, 0, 1), between({2, 3, 2}, 0, 1)}},
      {"kl", [](In in) { return klDivergence(in[0], in[1]); }, {{{3, 2}}, between({3, 2}, 0.1, 1)}},
      {"kl of logarithms",
       [](In in) { return klDivergence(in[0], in[1], true); },
       {{{3, 2}}, {{3, 2}}}},
      {"hinge", [=](In in) { return hingeLoss(in[0], signs); }, {{{3}}}},
      {"hinge embedding", [=](In in) { return hingeEmbeddingLoss(in[0], signs); }, {{{3}}}},
      {"margin ranking",
       [=](In in) { return marginRankingLoss(in[0], in[1], signs, 0.3); },
       {{{3}}, {{3}}}},
      {"triplet",
       [=](In in) { return tripletLoss(in[0], in[1], in[2], swapped); },
       {{{3, 2}}, {{3, 2}}, {{3, 2}}}},
      {"cosine embedding",
       [=](In in) { return cosineEmbeddingLoss(in[0], in[1], signs, -0.5); },
       {{{3, 2}}, {{3, 2}}}},
  };
}

TEST(Losses, GradientsOfBothOrdersAgreeWithDifferences) {
  for (const Checked& loss : checkedLosses()) {
    SCOPED_TRACE(loss.name);
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < loss.inputs.size(); ++i) {
      inputs.push_back(makeInput(loss.inputs[i], 50 + i));
      autograd::setRequiresGrad(inputs.back());
    }
    const autograd::CheckedFunction f = [&](std::span<const Tensor> at) {
      return std::vector<Tensor>{loss.run(at)};
    };
    const auto first = autograd::gradcheck(f, inputs);
    EXPECT_TRUE(first.ok) << first.text;
    const auto second = autograd::gradgradcheck(f, inputs);
    EXPECT_TRUE(second.ok) << second.text;
  }
}

TEST(Losses, WeightsOfOneGiveTheFusedCrossEntropy) {
  const Tensor logits = makeInput({{5, 4, 2}}, 1);
  const Tensor targets = makeInput({{5, 2}, SampleInput::Values::Index, 0, 4}, 2);
  for (Reduction reduction : {Reduction::None, Reduction::Mean, Reduction::Sum}) {
    ClassLossOptions options{Tensor::full({4}, 1, DType::F64), 2, 0.3, reduction};
    const Tensor fused = crossEntropy(logits, targets, {2, 0.3, reduction});
    EXPECT_TRUE(near(weightedCrossEntropy(logits, targets, options), fused, {1e-12, 1e-12}));
    options.weight = {};
    EXPECT_TRUE(near(weightedCrossEntropy(logits, targets, options), fused, {}));
  }
}

TEST(Losses, AllRowsIgnoredGiveNanAndSumZero) {
  const Tensor logs = Tensor::zeros({2, 3});
  const Tensor targets = Tensor::fromValues<int64_t>({-100, -100}, {2});
  EXPECT_TRUE(std::isnan(numbersOf(nllLoss(logs, targets))[0]));
  ClassLossOptions options;
  options.reduction = Reduction::Sum;
  EXPECT_EQ(numbersOf(nllLoss(logs, targets, options))[0], 0);
}

TEST(Losses, FocalLossWithoutFocusIsThatOfLogits) {
  const Tensor x = makeInput({{4, 3}, SampleInput::Values::Uniform, -3, 3}, 1);
  const Tensor t = makeInput({{4, 3}, SampleInput::Values::Positive, 0.1, 0.9}, 2);
  EXPECT_TRUE(near(focalLoss(x, t, -1, 0), bceWithLogitsLoss(x, t), {1e-12, 1e-12}));
}

/// Where p has been rounded to the target, a power below 1 is infinitely steep: PyTorch's formula
/// of the paper gives NaN there; the derivative's limit is 0.
TEST(Losses, FocalGradientsOfFarLogitsAreFinite) {
  for (const double gamma : {0.0, 0.3, 0.5, 1.0, 2.0})
    for (const DType dtype : {DType::F32, DType::F64}) {
      const Tensor x = fromNumbers({60, -60, 900, 0.5}, {4}, dtype);
      const Tensor t = fromNumbers({1, 0, 1, 1}, {4}, dtype);
      autograd::setRequiresGrad(x);
      const Tensor loss = focalLoss(x, t, -1, gamma, Reduction::Sum);
      const std::vector<double> dx =
          numbersOf(autograd::grad(std::vector<Tensor>{loss}, std::vector<Tensor>{x})[0]);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(dx[static_cast<size_t>(i)], 0, 1e-12) << gamma;
      EXPECT_LT(dx[3], 0) << gamma;
    }
}

/// As PyTorch's: a gradient of 0 would hide it from whoever looks for NaN.
TEST(Losses, TheGradientOfNanIsNan) {
  for (const bool huber : {true, false}) {
    const Tensor x = fromNumbers({NAN, 1}, {2}, DType::F32);
    const Tensor t = Tensor::zeros({2});
    autograd::setRequiresGrad(x);
    const Tensor loss =
        huber ? huberLoss(x, t, 1, Reduction::Sum) : smoothL1Loss(x, t, 1, Reduction::Sum);
    const std::vector<double> dx =
        numbersOf(autograd::grad(std::vector<Tensor>{loss}, std::vector<Tensor>{x})[0]);
    EXPECT_TRUE(std::isnan(dx[0]));
    EXPECT_EQ(dx[1], 1);
  }
}

TEST(Losses, LimitsBeyondF32AreSquaresOrLinesAlone) {
  const Tensor x = fromNumbers({0, 3, -8}, {3}, DType::F32);
  const Tensor t = fromNumbers({0, 1, 2}, {3}, DType::F32);
  autograd::setRequiresGrad(x);
  const auto check = [&](const Tensor& loss, const std::vector<double>& slopes) {
    EXPECT_EQ(numbersOf(autograd::grad(std::vector<Tensor>{loss}, std::vector<Tensor>{x})[0]),
              slopes);
  };
  for (const double huge : {1e38, 1e39, 1e300}) {
    EXPECT_EQ(numbersOf(huberLoss(x, t, huge, Reduction::Sum))[0], 0.5 * (4 + 100));
    check(huberLoss(x, t, huge, Reduction::Sum), {0, 2, -10});
  }
  for (const double tiny : {1e-40, 1e-38, 1e-30}) {
    EXPECT_EQ(numbersOf(smoothL1Loss(x, t, tiny, Reduction::Sum))[0], 12);
    check(smoothL1Loss(x, t, tiny, Reduction::Sum), {0, 1, -1});
  }
}

TEST(Losses, FarLogitsStayFinite) {
  for (DType dtype : {DType::F32, DType::F64}) {
    const Tensor x = fromNumbers({1000, -1000, 1000, -1000}, {4}, dtype);
    const Tensor t = fromNumbers({1, 0, 0, 1}, {4}, dtype);
    const Tensor losses = bceWithLogitsLoss(x, t, {}, {}, Reduction::None);
    EXPECT_EQ(numbersOf(losses), (std::vector<double>{0, 0, 1000, 1000}));
    const Tensor sure = fromNumbers({1, 0, 0, 1}, {4}, dtype);
    EXPECT_EQ(numbersOf(bceLoss(sure, t, {}, Reduction::None)), (std::vector<double>{0, 0, 0, 0}));
    EXPECT_EQ(numbersOf(bceLoss(fromNumbers({0}, {1}, dtype), fromNumbers({1}, {1}, dtype)))[0],
              100);
  }
}

TEST(Losses, SureAndWrongProbabilitiesHaveALimitedGradient) {
  const Tensor x = fromNumbers({0, 1, 0, 1}, {4}, DType::F64);
  autograd::setRequiresGrad(x);
  const Tensor loss = bceLoss(x, fromNumbers({1, 0, 0, 1}, {4}, DType::F64), {}, Reduction::Sum);
  EXPECT_EQ(numbersOf(loss)[0], 200);
  autograd::backward(loss);
  EXPECT_EQ(numbersOf(autograd::gradOf(x)), (std::vector<double>{-1e12, 1e12, 0, 0}));
}

TEST(Losses, NothingTimesItsLogarithmIsNothing) {
  const Tensor x = fromNumbers({-1, -2}, {2}, DType::F64);
  const Tensor t = fromNumbers({0, 1}, {2}, DType::F64);
  autograd::setRequiresGrad(x);
  const Tensor loss = klDivergence(x, t, false, Reduction::None);
  EXPECT_EQ(numbersOf(loss), (std::vector<double>{0, 2}));
  autograd::backward(loss, Tensor::full({2}, 1, DType::F64));
  EXPECT_EQ(numbersOf(autograd::gradOf(x)), (std::vector<double>{0, -1}));
}

TEST(Losses, RefusalsNameTheLoss) {
  const Tensor x = Tensor::zeros({2, 3});
  const Tensor other = Tensor::zeros({3, 2});
  const Tensor wide = Tensor::zeros({2, 3}, DType::F64);
  const Tensor whole = Tensor::zeros({2, 3}, DType::I64);
  const Tensor targets = Tensor::fromValues<int64_t>({0, 1}, {2});
  EXPECT_NE(errorOf([&] { mseLoss(x, other); }).find("[mse_loss] wants one shape"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { l1Loss(x, wide); }).find("[l1_loss] wants one type"), std::string::npos);
  EXPECT_NE(errorOf([&] { huberLoss(whole, whole); }).find("floating"), std::string::npos);
  EXPECT_NE(errorOf([&] { huberLoss(x, x, 0); }).find("delta must be positive"), std::string::npos);
  EXPECT_NE(errorOf([&] { smoothL1Loss(x, x, -1); }).find("beta"), std::string::npos);
  EXPECT_NE(errorOf([&] { nllLoss(x, Tensor::zeros({2})); }).find("targets must be i64 [2]"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { nllLoss(x, {}); }).find("targets is undefined"), std::string::npos);
  EXPECT_NE(errorOf([&] { nllLoss(Tensor::zeros({3}), targets); }).find("[N, C, ...]"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              nllLoss(x, Tensor::fromValues<int64_t>({0, 3}, {2}));
            }).find("index 3 of element 1 is outside 0 .. 2"),
            std::string::npos);
  ClassLossOptions options;
  options.weight = Tensor::zeros({2});
  EXPECT_NE(errorOf([&] { weightedCrossEntropy(x, targets, options); }).find("one a class"),
            std::string::npos);
  options.weight = Tensor::zeros({3});
  options.labelSmoothing = 2;
  EXPECT_NE(errorOf([&] { weightedCrossEntropy(x, targets, options); }).find("0 .. 1, got 2"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { cosineEmbeddingLoss(x, x, Tensor::zeros({3})); }).find("[2]"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { tripletLoss(x, x, other); }).find("[triplet_loss]"), std::string::npos);
  EXPECT_NE(errorOf([&] { focalLoss(x, x, 0.25, -1); }).find("gamma >= 0"), std::string::npos);
  const Tensor outside = fromNumbers({0.5, 1.25, -0.5}, {3}, DType::F32);
  EXPECT_NE(errorOf([&] { bceLoss(outside, outside); }).find("within 0 .. 1, got -0.5 .. 1.25"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { diceLoss(targets, targets); }).find("[dice_loss]"), std::string::npos);
  EXPECT_NE(errorOf([&] { klDivergence({}, x); }).find("undefined"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
