// SPDX-License-Identifier: Apache-2.0
// Initializers: formulas by PyTorch's definitions, statistics within bounds that hold for all but
// one in 10^8 seeds, and orthogonality.
#include "engine/modules/initializers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/autograd/autograd.h"
#include "engine/ops/view/view.h"
#include "tests/engine/modules/module_fixture.h"

namespace tenon {
namespace {

using namespace nn;  // NOLINT: the whole file is about it

struct Moments {
  double mean = 0;
  double variance = 0;  // around 0
  double least = 0;
  double most = 0;
};

Moments momentsOf(const Tensor& t) {
  const std::vector<float> values = t.toVector<float>();
  Moments m{0, 0, values[0], values[0]};
  for (const float value : values) {
    const double x = value;
    m.mean += x / static_cast<double>(values.size());
    m.variance += x * x / static_cast<double>(values.size());
    m.least = std::min(m.least, x);
    m.most = std::max(m.most, x);
  }
  return m;
}

constexpr int64_t kOut = 100;
constexpr int64_t kIn = 400;
constexpr double kCount = 40000;
constexpr double kSigmas = 5.8;  // two-sided: once in 1.5 * 10^8

Tensor weight() { return Tensor::empty({kOut, kIn}); }

/// Uniform in (-b, b): variance b^2 / 3, of the squares 4 b^4 / 45; all within, and the extremes
/// of n values miss the ends by more than 20 b / n once in e^10 each.
void expectUniform(const Tensor& t, double bound) {
  const Moments m = momentsOf(t);
  const double root = std::sqrt(kCount);
  EXPECT_LE(std::abs(m.mean), kSigmas * bound / std::sqrt(3.0) / root);
  EXPECT_NEAR(m.variance, bound * bound / 3,
              kSigmas * bound * bound * std::sqrt(4.0 / 45.0) / root);
  EXPECT_GE(m.least, -bound * (1 + 1e-6));
  EXPECT_LE(m.most, bound * (1 + 1e-6));
  EXPECT_LE(m.least, -bound * (1 - 20 / kCount));
  EXPECT_GE(m.most, bound * (1 - 20 / kCount));
}

/// Normal with deviation s: the squares have variance 2 s^4.
void expectNormal(const Tensor& t, double deviation) {
  const Moments m = momentsOf(t);
  const double root = std::sqrt(kCount);
  EXPECT_LE(std::abs(m.mean), kSigmas * deviation / root);
  EXPECT_NEAR(m.variance, deviation * deviation,
              kSigmas * deviation * deviation * std::numbers::sqrt2 / root);
  EXPECT_GT(m.most, 3 * deviation);  // 54 of 40,000 lie above
}

TEST(Initializers, GainsAndFans) {
  // torch.nn.init.calculate_gain and _calculate_fan_in_and_fan_out of torch 1.13.
  EXPECT_EQ(gainOf(Nonlinearity::Linear), 1);
  EXPECT_EQ(gainOf(Nonlinearity::Sigmoid), 1);
  EXPECT_DOUBLE_EQ(gainOf(Nonlinearity::Tanh), 1.6666666666666667);
  EXPECT_DOUBLE_EQ(gainOf(Nonlinearity::Relu), 1.4142135623730951);
  EXPECT_DOUBLE_EQ(gainOf(Nonlinearity::LeakyRelu), 1.4141428569978354);
  EXPECT_DOUBLE_EQ(gainOf(Nonlinearity::LeakyRelu, 0.2), 1.3867504905630728);
  EXPECT_EQ(gainOf(Nonlinearity::Selu), 0.75);
  const Fans fans = fansOf({6, 4, 3, 5});
  EXPECT_EQ(fans.in, 60);
  EXPECT_EQ(fans.out, 90);
  EXPECT_TRUE(hasAll(errorOf([] { fansOf({6}); }), {"at least two axes", "[6]"}));
}

TEST(Initializers, UniformAndNormal) {
  const Seeded seed(1);
  const Tensor t = weight();
  init::uniform(t, -0.5, 0.5);
  expectUniform(t, 0.5);
  init::normal(t, 0, 0.02);
  expectNormal(t, 0.02);
  init::uniform(t, 2, 3);
  EXPECT_GE(momentsOf(t).least, 2);
  EXPECT_LE(momentsOf(t).most, 3);
  init::constant(t, 0.25);
  EXPECT_EQ(momentsOf(t).least, 0.25);
  EXPECT_EQ(momentsOf(t).most, 0.25);
}

TEST(Initializers, Xavier) {
  const Seeded seed(2);
  const Tensor t = weight();
  init::xavierUniform(t, 2);
  expectUniform(t, 2 * std::sqrt(6.0 / (kIn + kOut)));
  init::xavierNormal(t);
  expectNormal(t, std::sqrt(2.0 / (kIn + kOut)));
}

TEST(Initializers, Kaiming) {
  const Seeded seed(3);
  const Tensor t = weight();
  init::kaimingUniform(t, {Nonlinearity::LeakyRelu, std::sqrt(5.0)});
  expectUniform(t, 1 / std::sqrt(kIn));  // as linear layers start
  init::kaimingUniform(t);               // slope 0: as for ReLU
  expectUniform(t, std::sqrt(6.0 / kIn));
  init::kaimingNormal(t, {Nonlinearity::Relu, 0, init::FanMode::Out});
  expectNormal(t, std::sqrt(2.0 / kOut));
  init::kaimingNormal(t, {Nonlinearity::Tanh});
  expectNormal(t, 5.0 / 3.0 / std::sqrt(kIn));
}

TEST(Initializers, TruncatedNormal) {
  const Seeded seed(4);
  const Tensor t = weight();
  init::truncatedNormal(t, 0, 1, -2, 2);
  const Moments m = momentsOf(t);
  // Variance 1 - 4 phi(2) / (2 Phi(2) - 1) = 0.77374; the squares lie in 0 .. 4, so that their
  // deviation is below 2.
  EXPECT_NEAR(m.variance, 0.773741, kSigmas * 2 / std::sqrt(kCount));
  EXPECT_LE(std::abs(m.mean), kSigmas / std::sqrt(kCount));
  EXPECT_GE(m.least, -2);
  EXPECT_LE(m.most, 2);
  EXPECT_GT(m.most, 1.99);
  // Shares of a half and a quarter: medians by the inverse distribution function.
  std::vector<float> values = t.toVector<float>();
  std::sort(values.begin(), values.end());
  // Quartile: Phi^-1(0.25 + 0.5 * 0.02275) = -0.6391; its deviation sqrt(p q / n) / density.
  EXPECT_NEAR(values[values.size() / 4], -0.6391, kSigmas * 0.433 / 200 / 0.34);
  init::truncatedNormal(t, 5, 1, 8, 9);  // the far tail: 3 .. 4 deviations above the mean
  EXPECT_GE(momentsOf(t).least, 8);
  EXPECT_LE(momentsOf(t).most, 9);
  // Mean of the tail: 5 + (phi(3) - phi(4)) / (Phi(4) - Phi(3)) = 5 + 3.2605.
  EXPECT_NEAR(momentsOf(t).mean, 8.2605, kSigmas * 0.25 / 200);
  EXPECT_TRUE(
      hasAll(errorOf([&] { init::truncatedNormal(t, 0, 1, 2, 2); }), {"low < high", "2 .. 2"}));
}

/// Largest deviation of q q^T (rows) or q^T q from the identity times `scale`.
double notOrthonormal(const Tensor& q, bool rows, double scale) {
  const int64_t columns = q.numel() / q.size(0);
  const std::vector<double> v = q.toVector<double>();
  const int64_t count = rows ? q.size(0) : columns;
  const int64_t length = rows ? columns : q.size(0);
  const auto at = [&](int64_t k, int64_t i) {
    return v[static_cast<size_t>(rows ? k * columns + i : i * columns + k)];
  };
  double worst = 0;
  for (int64_t a = 0; a < count; ++a)
    for (int64_t b = 0; b < count; ++b) {
      double dot = 0;
      for (int64_t i = 0; i < length; ++i) dot += at(a, i) * at(b, i);
      worst = std::max(worst, std::abs(dot - (a == b ? scale : 0)));
    }
  return worst;
}

TEST(Initializers, Orthogonal) {
  const Seeded seed(5);
  for (const Shape& shape : {Shape{20, 50}, Shape{50, 20}, Shape{30, 30}, Shape{8, 3, 2, 2}}) {
    SCOPED_TRACE(toString(shape));
    const Tensor t = Tensor::empty(shape, DType::F64);
    init::orthogonal(t, 2);
    EXPECT_LE(notOrthonormal(t, shape[0] <= t.numel() / shape[0], 4), 1e-13);
  }
  // Uniformly distributed: the signs of the corner are even (of 200, 100 +- 5.8 * sqrt(50)).
  int positive = 0;
  for (int i = 0; i < 200; ++i) {
    const Tensor t = Tensor::empty({3, 3}, DType::F64);
    init::orthogonal(t);
    positive += t.toVector<double>()[0] > 0;
  }
  EXPECT_NEAR(positive, 100, kSigmas * std::sqrt(50.0));
  EXPECT_TRUE(hasAll(errorOf([] { init::orthogonal(Tensor::empty({4})); }), {"two axes", "[4]"}));
  EXPECT_TRUE(hasAll(errorOf([] {
                       init::orthogonal(Tensor::zeros({2, 2}, DType::I64));
                     }),
                     {"initial values are floating", "i64 [2, 2]"}));
}

TEST(Initializers, TheSameSeedGivesTheSameValues) {
  const auto values = [](uint64_t seed) {
    const Seeded seeded(seed);
    const Tensor first = weight();
    const Tensor second = weight();
    init::normal(first);
    init::normal(second);
    EXPECT_NE(first.toVector<float>(), second.toVector<float>());
    return first.toVector<float>();
  };
  EXPECT_EQ(values(7), values(7));
  EXPECT_NE(values(7), values(8));
}

TEST(Initializers, ParametersAndViewsAreWrittenInPlace) {
  const Seeded seed(6);
  const Tensor parameter = Tensor::zeros({4, 3}, DType::F16);
  autograd::setRequiresGrad(parameter);
  init::ones(parameter);
  EXPECT_TRUE(autograd::isLeaf(parameter));
  EXPECT_EQ(parameter.version(), 1u);
  const Tensor base = Tensor::zeros({2, 3});
  init::constant(transpose(base, 0, 1), 5);
  EXPECT_EQ(base.toVector<float>(), std::vector<float>(6, 5));
  EXPECT_TRUE(hasAll(errorOf([] { init::normal(Tensor::zeros({2}, DType::I64)); }),
                     {"floating", "i64 [2]"}));
}

}  // namespace
}  // namespace tenon
