// SPDX-License-Identifier: Apache-2.0
// Random operators: the numbers are those of philox.h whatever the threads, layout and type;
// position in the stream; distributions; corner values and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "engine/autograd/autograd.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/base/philox_wide.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/multinomial/multinomial.h"
#include "engine/ops/random/random.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using Numbers = std::vector<double>;
using Draws = std::function<Tensor()>;

/// What is drawn as call number 7 of a generator.
Tensor drawn(const Draws& draw, uint64_t seed = 42, uint32_t rank = 0, uint64_t call = 7) {
  Generator generator{seed, call, rank};
  const gate::GeneratorGuard guard(generator);
  return draw();
}

philox::Key keyOf(uint64_t seed = 42) {
  return philox::makeKey(seed, philox::Purpose::Operator, 0);
}

struct ThreadsGuard {
  explicit ThreadsGuard(int n) { cpu::setThreadCount(n); }
  ~ThreadsGuard() { cpu::setThreadCount(0); }
};

/// Every kind of draw, large enough for several threads.
std::map<std::string, Draws> allDraws() {
  static const Shape shape{37, 1001};  // not copied by the draws
  const Tensor weights = Tensor::full({301, 97}, 0.3);
  std::map<std::string, Draws> all = {
      {"randint", [=] { return randint(shape, -5, 1000); }},
      {"randint i32", [=] { return randint(shape, -5, 1000, DType::I32); }},
      {"permutation", [] { return permutation(10007); }},
      {"bernoulli bool", [=] { return bernoulli(shape, 0.3, DType::Bool); }},
      {"bernoulli of p", [=] { return bernoulli(Tensor::full(shape, 0.3)); }},
      {"multinomial", [=] { return multinomial(weights, 50, true); }},
      {"multinomial without replacement", [=] { return multinomial(weights, 50); }}};
  for (DType dtype : {DType::F32, DType::F64, DType::F16, DType::BF16}) {
    const std::string name = " " + std::string(dtypeName(dtype));
    all["uniform" + name] = [=] { return uniform(shape, -1, 3, dtype); };
    all["normal" + name] = [=] { return normal(shape, 0.5, 2, dtype); };
    all["bernoulli" + name] = [=] { return bernoulli(shape, 0.3, dtype); };
  }
  return all;
}

TEST(Random, SameBitsForEveryThreadCountAndInstructionLevel) {
  for (const auto& [name, draw] : allDraws()) {
    SCOPED_TRACE(name);
    const std::vector<std::byte> wanted = drawn(draw).toBytes();
    for (int threads : {1, 2, 3, 5}) {
      const ThreadsGuard guard(threads);
      EXPECT_EQ(drawn(draw).toBytes(), wanted) << threads << " threads";
    }
    for (const std::string& level : levels()) {
      const LevelGuard guard(level.c_str());
      EXPECT_EQ(drawn(draw).toBytes(), wanted) << level;
    }
  }
}

TEST(Random, SameBitsInEveryLayout) {
  using Fill = std::function<void(const Tensor&)>;
  const std::pair<DType, Fill> fills[] = {
      {DType::F32, [](const Tensor& t) { uniformInPlace(t, -1, 2); }},
      {DType::F64, [](const Tensor& t) { uniformInPlace(t, -1, 2); }},
      {DType::BF16, [](const Tensor& t) { uniformInPlace(t, -1, 2); }},
      {DType::F32, [](const Tensor& t) { normalInPlace(t, 1, 2); }},
      {DType::F16, [](const Tensor& t) { normalInPlace(t, 1, 2); }},
      {DType::Bool, [](const Tensor& t) { bernoulliInPlace(t, 0.4); }},
      {DType::I64, [](const Tensor& t) { randintInPlace(t, 0, 9); }}};
  for (const Shape& shape : {Shape{3, 5}, Shape{2, 11, 3, 5}, Shape{4, 16, 7}, Shape{2, 3, 40}})
    for (const auto& [dtype, fill] : fills) {
      SCOPED_TRACE(toString(shape) + " " + std::string(dtypeName(dtype)));
      const Tensor room = Tensor::zeros(shape, dtype);
      const auto filled = [&](Lay lay) {
        const Tensor t = laid(room, lay);
        drawn([&] { return fill(t), t; });
        EXPECT_TRUE(paddingIsZero(t));
        return t.toBytes();
      };
      const auto wanted = filled(Lay::Dense);
      for (Lay lay : kLays) EXPECT_EQ(filled(lay), wanted) << layName(lay);
    }
}

TEST(Random, NumbersAreThoseOfTheGenerator) {
  const philox::Key key = keyOf();
  const auto u = drawn([] { return uniform({3, 50}); }).toVector<float>();
  const auto wide = drawn([] { return uniform({150}, 0, 1, DType::F64); }).toVector<double>();
  const auto n = drawn([] { return normal({150}); }).toVector<float>();
  const auto b = drawn([] { return bernoulli({150}, 0.25); }).toVector<float>();
  const auto k = drawn([] { return randint({150}, -4, 17); }).toVector<int64_t>();
  for (uint64_t i = 0; i < 150; ++i) {
    EXPECT_EQ(u[i], philox::uniform01(key, 7, i));
    EXPECT_EQ(wide[i], philox::uniform01Double(key, 7, i));
    EXPECT_LE(u[i], wide[i]);  // the same number, cut off
    EXPECT_LT(wide[i] - u[i], 0x1p-24);
    EXPECT_EQ(n[i], philox::normal(key, 7, i));
    EXPECT_EQ(b[i], u[i] < 0.25F ? 1 : 0);
    EXPECT_EQ(k[i], static_cast<int64_t>(philox::boundedInt(key, 7, i, 21)) - 4);
  }
  EXPECT_EQ(drawn([] { return permutation(100); }).toVector<int64_t>(),
            philox::permutation(100, key, 7));
}

TEST(Random, TypesRoundTheSameNumbers) {
  const auto compare = [](const std::function<Tensor(DType)>& draw, double slack) {
    const Tensor wide = drawn([&] { return draw(DType::F64); });
    EXPECT_TRUE(near(drawn([&] { return draw(DType::F32); }), wide, {0x1p-23, slack}));
    EXPECT_TRUE(near(drawn([&] { return draw(DType::F16); }), wide, {0x1p-10, slack}));
    EXPECT_TRUE(near(drawn([&] { return draw(DType::BF16); }), wide, {0x1p-7, slack}));
  };
  compare([](DType dtype) { return uniform({5000}, 2, 3, dtype); }, 0x1p-24);
  compare([](DType dtype) { return normal({5000}, 1, 2, dtype); }, 0x1p-24);
  compare([](DType dtype) { return bernoulli({5000}, 0.5, dtype); }, 0);
}

TEST(Random, UniformNeverReachesItsUpperEnd) {
  const double highs[] = {1, 0.1, 3, -0.5};
  for (DType dtype : {DType::F32, DType::F64, DType::F16, DType::BF16})
    for (double high : highs) {
      SCOPED_TRACE(std::string(dtypeName(dtype)) + " " + std::to_string(high));
      const double low = high - 1;
      for (double x : numbersOf(drawn([&] { return uniform({100000}, low, high, dtype); }))) {
        ASSERT_LT(x, high);
        ASSERT_GE(x, low - 0.01);
      }
    }
  // between two neighbours only the lower remains
  const double next = std::nextafter(1.0F, 2.0F);
  for (double x : numbersOf(drawn([&] { return uniform({1000}, 1, next); }))) EXPECT_EQ(x, 1);
}

TEST(Random, PositionInTheStreamIsKeptAndPutBack) {
  Generator generator{9, 0};
  const gate::GeneratorGuard guard(generator);
  const auto drawThree = [] {
    return std::vector{uniform({33}).toBytes(), normal({5}).toBytes(), permutation(20).toBytes()};
  };
  const auto first = drawThree();
  EXPECT_EQ(generator.calls, 3u);
  const Generator saved = generator;
  const auto second = drawThree();
  const Tensor chosen = multinomial(Tensor::full({9}, 1), 4);
  EXPECT_NE(first, second);
  generator = saved;
  EXPECT_EQ(drawThree(), second);
  EXPECT_EQ(multinomial(Tensor::full({9}, 1), 4).toBytes(), chosen.toBytes());
  generator = Generator{9, 0};
  EXPECT_EQ(drawThree(), first);
}

TEST(Random, SeedRankPurposeAndCallTellNumbersApart) {
  const Draws draw = [] { return uniform({64}); };
  const auto wanted = drawn(draw).toBytes();
  EXPECT_NE(drawn(draw, 43).toBytes(), wanted);
  EXPECT_NE(drawn(draw, 42, 1).toBytes(), wanted);
  EXPECT_NE(drawn(draw, 42, 0, 8).toBytes(), wanted);
  // dropout draws from a key of its own
  const Tensor mask = drawn([] { return dropoutWithMask(Tensor::full({64}, 1), 0.5).mask; });
  Numbers kept = numbersOf(drawn([] { return bernoulli({64}, 0.5); }));
  for (double& hit : kept) hit = 1 - hit;  // dropout keeps what is not below p
  EXPECT_NE(numbersOf(mask), kept);
}

TEST(Random, LogarithmOf53BitsAgreesWithLibm) {
  for (uint64_t k = 1; k <= uint64_t{1} << 53; k += k / 3 + 1) {
    const double wanted = std::log(static_cast<double>(k) * 0x1p-53);
    ASSERT_NEAR(philox::detail::logFraction53(k), wanted, 4e-15 * std::max(1.0, -wanted)) << k;
  }
  EXPECT_EQ(philox::detail::logFraction53(uint64_t{1} << 53), 0.0);
  EXPECT_NEAR(philox::detail::logFraction53((uint64_t{1} << 53) - 1) / -0x1p-53, 1, 1e-15);
}

TEST(Random, ExponentialIsMinusTheLogarithmOfTheElementsBits) {
  const philox::Key key = keyOf();
  for (uint64_t i = 0; i < 100; ++i) {
    const double u = philox::uniform01Double(key, 3, i) + 0x1p-53;
    EXPECT_NEAR(philox::exponential(key, 3, i), -std::log(u), 1e-14);
  }
}

// --- distributions -----------------------------------------------------------------------------

constexpr double kLevel = 1e-6;  // chance that a right generator fails one test

/// Kolmogorov-Smirnov: the largest distance between the share of numbers below x and `chance(x)`,
/// times sqrt(n). P(more than c) is about 2 exp(-2 c^2).
double distance(Numbers numbers, const std::function<double(double)>& chance) {
  std::sort(numbers.begin(), numbers.end());
  const auto n = static_cast<double>(numbers.size());
  double most = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double wanted = chance(numbers[i]);
    most = std::max(
        {most, wanted - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - wanted});
  }
  return most * std::sqrt(n);
}

void expectDistribution(const Numbers& numbers, const std::function<double(double)>& chance) {
  const double found = distance(numbers, chance);
  EXPECT_LT(found, std::sqrt(-std::log(kLevel / 2) / 2));
  EXPECT_GT(found, 0.25);  // sqrt(2 pi) / c exp(-pi^2 / (8 c^2)) = 3e-8: too even to be random
}

/// Chi square of counts against wanted ones, whose bounds P. Laurent and B. Massart (2000) give:
/// more than k + 2 sqrt(k x) + 2 x, or less than k - 2 sqrt(k x), has chance exp(-x).
void expectCounts(const Numbers& counts, const Numbers& wanted) {
  double chi = 0;
  for (size_t i = 0; i < counts.size(); ++i)
    chi += (counts[i] - wanted[i]) * (counts[i] - wanted[i]) / wanted[i];
  const auto freedom = static_cast<double>(counts.size() - 1);
  const double x = -std::log(kLevel);
  EXPECT_LT(chi, freedom + 2 * std::sqrt(freedom * x) + 2 * x);
  EXPECT_GT(chi, freedom - 2 * std::sqrt(freedom * x));
}

TEST(Random, UniformAndNormalAreDistributedAsTheySay) {
  constexpr int64_t kCount = 200000;
  for (DType dtype : {DType::F32, DType::F64}) {
    SCOPED_TRACE(dtypeName(dtype));
    expectDistribution(numbersOf(drawn([&] { return uniform({kCount}, -2, 6, dtype); })),
                       [](double x) { return (x + 2) / 8; });
    expectDistribution(numbersOf(drawn([&] { return normal({kCount}, -1, 3, dtype); })),
                       [](double x) { return 0.5 * std::erfc(-(x + 1) / 3 / std::sqrt(2.0)); });
  }
}

TEST(Random, BernoulliHitsWithItsChance) {
  constexpr int64_t kCount = 400000;
  for (double p : {0.001, 0.3, 0.5, 0.97}) {
    SCOPED_TRACE(p);
    const Numbers single = numbersOf(drawn([&] { return bernoulli({kCount}, p); }));
    const Numbers each =
        numbersOf(drawn([&] { return bernoulli(Tensor::full({kCount}, p, DType::F64)); }));
    EXPECT_EQ(single, each);
    // Bernstein: P(|hits - n p| > t) <= 2 exp(-t^2 / 2 / (n p (1 - p) + t / 3))
    const double spread = kCount * p * (1 - p);
    const double x = std::log(2 / kLevel);
    const double bound = x / 3 + std::sqrt(x * x / 9 + 2 * x * spread);
    EXPECT_NEAR(std::accumulate(single.begin(), single.end(), 0.0), kCount * p, bound);
  }
}

TEST(Random, WholeNumbersAreEquallyLikely) {
  constexpr int kBins = 23;
  Numbers counts(kBins);
  for (double x : numbersOf(drawn([] { return randint({kBins * 5000}, -7, kBins - 7); })))
    ++counts.at(static_cast<size_t>(x + 7));
  expectCounts(counts, Numbers(kBins, 5000));
}

TEST(Random, OrdersAreEquallyLikely) {
  std::map<std::vector<int64_t>, double> seen;
  Generator generator{3};
  const gate::GeneratorGuard guard(generator);
  for (int i = 0; i < 24000; ++i) ++seen[permutation(4).toVector<int64_t>()];
  ASSERT_EQ(seen.size(), 24u);
  Numbers counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  expectCounts(counts, Numbers(24, 1000));
}

const Numbers kWeights = {3, 0, 1, 4, 0.5, 1.5};  // sum 10

TEST(Random, MultinomialDrawsByWeight) {
  constexpr int64_t kCount = 100000;
  const Tensor weights = fromNumbers(kWeights, {6}, DType::F32);
  Numbers counts(6);
  for (double c : numbersOf(drawn([&] { return multinomial(weights, kCount, true); })))
    ++counts.at(static_cast<size_t>(c));
  EXPECT_EQ(counts[1], 0);
  expectCounts({counts[0], counts[2], counts[3], counts[4], counts[5]},
               {30000, 10000, 40000, 5000, 15000});
}

TEST(Random, MultinomialWithoutReplacementDrawsPairsByWeight) {
  constexpr int64_t kRows = 100000;
  Numbers rows;
  for (int64_t i = 0; i < kRows; ++i) rows.insert(rows.end(), kWeights.begin(), kWeights.end());
  const Tensor weights = fromNumbers(rows, {kRows, 6}, DType::F32);
  const Numbers pairs = numbersOf(drawn([&] { return multinomial(weights, 2); }));
  std::map<std::pair<double, double>, double> seen;
  for (size_t i = 0; i < pairs.size(); i += 2) ++seen[{pairs[i], pairs[i + 1]}];
  Numbers counts, wanted;
  for (size_t a = 0; a < 6; ++a)
    for (size_t b = 0; b < 6; ++b) {
      const double chance = a == b ? 0 : kWeights[a] / 10 * kWeights[b] / (10 - kWeights[a]);
      const double count = seen[{static_cast<double>(a), static_cast<double>(b)}];
      if (chance == 0) {
        EXPECT_EQ(count, 0) << a << " then " << b;
        continue;
      }
      counts.push_back(count);
      wanted.push_back(kRows * chance);
    }
  ASSERT_EQ(counts.size(), 20u);
  expectCounts(counts, wanted);
}

// --- corner values -----------------------------------------------------------------------------

TEST(Random, ChancesOfZeroAndOneAreSure) {
  for (DType dtype : {DType::F32, DType::F64, DType::F16, DType::Bool}) {
    EXPECT_EQ(numbersOf(drawn([&] { return bernoulli({5000}, 0, dtype); })), Numbers(5000, 0));
    EXPECT_EQ(numbersOf(drawn([&] { return bernoulli({5000}, 1, dtype); })), Numbers(5000, 1));
  }
  const Tensor chances = fromNumbers({0, 1, 0, 1, 1}, {5}, DType::F32);
  EXPECT_EQ(numbersOf(drawn([&] { return bernoulli(chances); })), (Numbers{0, 1, 0, 1, 1}));
}

TEST(Random, EmptyAndSingleShapes) {
  for (const Shape& shape : {Shape{0}, Shape{3, 0, 2}, Shape{}}) {
    SCOPED_TRACE(toString(shape));
    for (const Tensor& t : {uniform(shape), normal(shape), bernoulli(shape, 0.5),
                            bernoulli(Tensor::full(shape, 0.5)), randint(shape, 0, 5)})
      EXPECT_EQ(t.shape(), shape);
  }
  EXPECT_EQ(permutation(0).shape(), Shape{0});
  EXPECT_EQ(numbersOf(permutation(1)), Numbers{0});
  EXPECT_EQ(multinomial(Tensor::zeros({0, 4}), 2).shape(), (Shape{0, 2}));
  EXPECT_EQ(numbersOf(multinomial(fromNumbers({0, 0, 2}, {3}, DType::F64), 1)), Numbers{2});
  EXPECT_EQ(numbersOf(normal({100}, 4, 0)), Numbers(100, 4));
  EXPECT_EQ(numbersOf(randint({100}, 4, 5)), Numbers(100, 4));
}

TEST(Random, WidestRangeOfWholeNumbers) {
  constexpr auto kLow = std::numeric_limits<int64_t>::min();
  constexpr auto kHigh = std::numeric_limits<int64_t>::max();
  const auto all = drawn([&] { return randint({1000}, kLow, kHigh); }).toVector<int64_t>();
  const auto negative = std::count_if(all.begin(), all.end(), [](int64_t x) { return x < 0; });
  EXPECT_NEAR(static_cast<double>(negative), 500, 80);  // 5 standard deviations
}

TEST(Random, RefusalsSayWhatIsWrong) {
  EXPECT_EQ(errorOf([] { uniform({3}, 2, 2); }), "[uniform_] low must be below high, got 2 and 2");
  EXPECT_EQ(errorOf([] { uniform({3}, 0, 1, DType::I64); }),
            "[uniform_] t must have a floating type, got i64 [3] cpu");
  EXPECT_EQ(errorOf([] { uniform({3}, 0, 70000, DType::F16); }),
            "[uniform_] 0 .. 70000 and its length must be numbers of f16");
  EXPECT_EQ(errorOf([] { normal({3}, 0, -1); }),
            "[normal_] mean must be finite and std finite and >= 0, got 0 and -1");
  EXPECT_EQ(errorOf([] { bernoulli({3}, 1.5); }), "[bernoulli_] p must be 0 .. 1, got 1.5");
  EXPECT_EQ(errorOf([] {
              bernoulli(fromNumbers({0.5, -0.25}, {2}, DType::F32));
            }),
            "[bernoulli] p must be 0 .. 1, but element 1 is -0.25");
  EXPECT_EQ(errorOf([] { randint({3}, 4, 4); }), "[randint_] low must be below high, got 4 and 4");
  EXPECT_EQ(errorOf([] { randint({3}, 0, int64_t{1} << 40, DType::I32); }),
            "[randint_] i32 does not hold all of 0 .. 1099511627775");
  EXPECT_EQ(errorOf([] { permutation(-1); }), "[permutation_] wants n >= 0 numbers, got -1");
  const Tensor weights = fromNumbers({1, 0, 2, 1, -1, 2}, {2, 3}, DType::F32);
  EXPECT_EQ(errorOf([&] { multinomial(weights, 2, true); }),
            "[multinomial] a weight must be finite and not negative: row 1, category 1 is -1");
  EXPECT_EQ(errorOf([] {
              multinomial(fromNumbers({1, 0, 2}, {3}, DType::F32), 3);
            }),
            "[multinomial_race] row 0 has 2 weights above 0, wanted at least 3");
}

TEST(Random, WeightsWhoseSumIsInfiniteAreRefused) {
  const Tensor weights = fromNumbers({1, 1, 1, 1e308, 1e308, 1e308}, {2, 3}, DType::F64);
  EXPECT_EQ(errorOf([&] { multinomial(weights, 2, true); }),
            "[multinomial] the weights of row 1 add up to more than f64 holds: scale them down");
  // the race needs no sum
  Numbers chosen = numbersOf(drawn([&] { return multinomial(weights, 3); }));
  std::sort(chosen.begin() + 3, chosen.end());
  EXPECT_EQ(Numbers(chosen.begin() + 3, chosen.end()), (Numbers{0, 1, 2}));
  const Tensor large = fromNumbers(Numbers(6, 3e38), {6}, DType::F32);  // a sum beyond f32
  const Numbers many = numbersOf(drawn([&] { return multinomial(large, 500, true); }));
  EXPECT_EQ(*std::max_element(many.begin(), many.end()), 5);
}

TEST(Random, TheFirstWrongChanceIsNamedHoweverManyThreadsLook) {
  Numbers numbers(200000, 0.5);
  numbers[60001] = 2;
  numbers[60002] = numbers[150000] = -1;
  const Tensor chances = fromNumbers(numbers, {200000}, DType::F64);
  const Tensor weights = fromNumbers(numbers, {50000, 4}, DType::F64);
  for (int threads : {1, 2, 4}) {
    const ThreadsGuard guard(threads);
    EXPECT_EQ(errorOf([&] { bernoulli(chances); }),
              "[bernoulli] p must be 0 .. 1, but element 60001 is 2");
    for (bool replacement : {false, true})
      EXPECT_NE(errorOf([&] {
                  multinomial(weights, 1, replacement);
                }).find("row 15000, category 2 is -1"),
                std::string::npos);
  }
}

/// How many kernels each call ran.
struct LaunchCounts : gate::Listener {
  LaunchCounts() : guard(*this) {}
  void onCall(const gate::CallInfo& info) override { counts.push_back(info.launches.size()); }
  std::vector<size_t> counts;
  gate::ListenerGuard guard;
};

TEST(Random, SixteenBitTensorsAreFilledWithoutReadingThem) {
  for (DType dtype : {DType::F16, DType::BF16}) {
    const LaunchCounts ran;
    uniform({9}, 0, 1, dtype);
    normal({9}, 0, 1, dtype);
    bernoulli({9}, 0.5, dtype);
    EXPECT_EQ(ran.counts, (std::vector<size_t>{1, 1, 1})) << dtypeName(dtype);
  }
}

TEST(Random, WhatIsOverwrittenGetsNoGradient) {
  const Tensor x = Tensor::full({4}, 1);
  autograd::setRequiresGrad(x);
  const Tensor y = clone(x);
  const uint32_t before = y.version();
  uniformInPlace(y);
  EXPECT_EQ(y.version(), before + 1);
  autograd::backward(sum(y));
  EXPECT_EQ(numbersOf(autograd::gradOf(x)), Numbers(4, 0));
  EXPECT_NE(errorOf([&] { normalInPlace(x); }).find("[normal_]"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
