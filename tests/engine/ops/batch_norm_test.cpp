// SPDX-License-Identifier: Apache-2.0
// Batch norm beyond its samples: accuracy far from zero, sizes of many segments, threads, layouts,
// the fused ReLU and the running statistics.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/backend/cpu/parallel.h"
#include "engine/ops/batch_norm/batch_norm.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

Tensor random(const Shape& shape, uint64_t seed, double low = -1, double high = 1) {
  SampleInput input{shape, SampleInput::Values::Uniform, low, high};
  return converted(makeInput(input, seed), DType::F32);
}
Tensor exact(const Tensor& t) { return converted(t, DType::F64); }

gate::Outputs backward(const Tensor& dy, const Tensor& x, const Tensor& gamma, const Tensor& beta,
                       const Tensor& mean, const Tensor& var, bool relu) {
  const BatchNormGradParams params{1e-5, relu, 0};
  return gate::runAll(*findOp("batch_norm_backward"), {&dy, &x, &gamma, &beta, &mean, &var},
                      &params);
}

struct Case {
  const char* name;
  Shape shape;
  Lay lay;
};

// Segments are 512 vectors: these shapes have several, and rests of every kind.
const Case kLarge[] = {{"blocked", {3, 16, 30, 31}, Lay::Blocked},
                       {"dense images", {2, 3, 70, 67}, Lay::Dense},
                       {"dense images of whole vectors", {5, 4, 16, 8}, Lay::Dense},
                       {"matrix", {1300, 19}, Lay::Dense}};

TEST(BatchNorm, LargerSizesAgreeWithTheReference) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Case& c : kLarge) {
      SCOPED_TRACE(level + " " + c.name);
      const int64_t channels = c.shape[1];
      const Tensor x = laid(random(c.shape, 1), c.lay), dy = laid(random(c.shape, 2), c.lay);
      const Tensor gamma = random({channels}, 3, 0.5, 2), beta = random({channels}, 4);
      for (const bool relu : {false, true}) {
        KernelLog log;
        const BatchNormResult got = batchNormTraining(x, gamma, beta, 1e-5, relu);
        EXPECT_EQ(log.last(relu ? "batch_norm_relu" : "batch_norm"), "simd");
        EXPECT_EQ(got.y.layout(), x.layout());
        const BatchNormResult wanted =
            batchNormTraining(exact(x), exact(gamma), exact(beta), 1e-5, relu);
        EXPECT_TRUE(near(got.y, wanted.y, {1e-6, 1e-6}));
        EXPECT_TRUE(near(got.mean, wanted.mean, {1e-6, 1e-7}));
        EXPECT_TRUE(near(got.var, wanted.var, {1e-6, 1e-7}));
        const gate::Outputs grads = backward(dy, x, gamma, beta, got.mean, got.var, relu);
        EXPECT_EQ(grads[0].layout(), x.layout());
        // The same statistics, so that the ReLU cuts at the same places.
        const gate::Outputs all = backward(exact(dy), exact(x), exact(gamma), exact(beta),
                                           exact(got.mean), exact(got.var), relu);
        EXPECT_TRUE(near(grads[0], all[0], {1e-5, 1e-5}));
        EXPECT_TRUE(near(grads[1], all[1], {1e-5, 2e-4}));
        EXPECT_TRUE(near(grads[2], all[2], {1e-5, 2e-4}));
      }
    }
  }
}

TEST(BatchNorm, KeepsItsAccuracyFarFromZero) {
  // Mean 1000, deviation 0.06: the square of the mean would swallow the variance in f32.
  for (const Case& c : kLarge) {
    SCOPED_TRACE(c.name);
    const Tensor x = laid(random(c.shape, 1, 999.9, 1000.1), c.lay);
    const BatchNormResult got = batchNormTraining(x, {}, {}, 1e-5);
    const BatchNormResult wanted = batchNormTraining(exact(x), {}, {}, 1e-5);
    EXPECT_TRUE(near(got.var, wanted.var, {1e-5, 0}));
    EXPECT_TRUE(near(got.y, wanted.y, {1e-5, 1e-3}));  // half an ulp of the mean is 5e-4 deviations
  }
}

/// Runs that begin far from the rest: the sums are taken around the mean of the beginning.
TEST(BatchNorm, KeepsItsAccuracyWhereTheBeginningIsNoSample) {
  for (const Case& c : kLarge) {
    SCOPED_TRACE(c.name);
    std::vector<double> values = numbersOf(random(c.shape, 1, 999.9, 1000.1));
    int64_t pixels = 1;
    for (int i = 2; i < c.shape.ndim(); ++i) pixels *= c.shape[i];
    if (pixels < 128) continue;
    for (size_t i = 0; i < values.size(); ++i)
      if (static_cast<int64_t>(i) % pixels < 64) values[i] = 0;
    const Tensor x = laid(converted(Tensor::fromValues(values, c.shape), DType::F32), c.lay);
    const BatchNormResult got = batchNormTraining(x, {}, {}, 1e-5);
    const BatchNormResult wanted = batchNormTraining(exact(x), {}, {}, 1e-5);
    EXPECT_TRUE(near(got.mean, wanted.mean, {1e-6, 0}));
    EXPECT_TRUE(near(got.var, wanted.var, {1e-5, 0}));
    EXPECT_TRUE(near(got.y, wanted.y, {1e-5, 1e-4}));
  }
}

TEST(BatchNorm, SameBitsForAnyThreadCount) {
  for (const Case& c : kLarge) {
    SCOPED_TRACE(c.name);
    const Tensor x = laid(random(c.shape, 1), c.lay), dy = laid(random(c.shape, 2), c.lay);
    std::vector<std::vector<std::byte>> bits[3];
    // Five threads divide no case evenly, so groups are cut into shards.
    constexpr int kThreads[] = {1, 2, 5};
    for (size_t i = 0; i < 3; ++i) {
      cpu::setThreadCount(kThreads[i]);
      const BatchNormResult r = batchNormTraining(x, {}, {}, 1e-5, true);
      const gate::Outputs g = backward(dy, x, {}, {}, r.mean, r.var, true);
      for (const Tensor& t : {r.y, r.mean, r.var, g[0], g[1], g[2]}) bits[i].push_back(t.toBytes());
    }
    cpu::setThreadCount(0);
    EXPECT_EQ(bits[0], bits[1]);
    EXPECT_EQ(bits[0], bits[2]);
  }
}

TEST(BatchNorm, GradientOfTheFusedReluFollowsTheOutputsSign) {
  const Tensor x = laid(random({4, 8, 9, 9}, 1), Lay::Blocked);
  const Tensor gamma = random({8}, 2), beta = random({8}, 3, -0.1, 0.1);
  const BatchNormResult r = batchNormTraining(x, gamma, beta, 1e-5, true);
  // With given statistics dx = scale * dy where y > 0 and exactly zero elsewhere.
  const Tensor ones = laid(random(x.shape(), 4, 1, 2), Lay::Blocked);
  const BatchNormGradParams params{1e-5, 1, 1};
  const gate::Outputs out = gate::runAll(*findOp("batch_norm_backward"),
                                         {&ones, &x, &gamma, &beta, &r.mean, &r.var}, &params);
  const std::vector<double> y = numbersOf(r.y), dx = numbersOf(out[0]);
  for (size_t i = 0; i < y.size(); ++i) EXPECT_EQ(dx[i] != 0, y[i] > 0) << i;
}

TEST(BatchNorm, NanStaysNan) {
  std::vector<double> numbers = numbersOf(random({2, 8, 2, 2}, 1));
  numbers[0] = std::nan("");
  const Tensor x = fromNumbers(numbers, {2, 8, 2, 2}, DType::F32);
  const std::vector<double> y = numbersOf(batchNormTraining(x, {}, {}, 1e-5, true).y);
  for (size_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isnan(y[i]), i / 4 % 8 == 0) << i;
}

TEST(BatchNorm, RunningStatisticsMoveByTheMomentum) {
  const Tensor runningMean = fromNumbers({1, -2}, {2}, DType::F32);
  const Tensor runningVar = fromNumbers({1, 4}, {2}, DType::F32);
  const BatchNormResult batch = {
      {}, fromNumbers({3, 2}, {2}, DType::F32), fromNumbers({0.75, 1.5}, {2}, DType::F32)};
  const uint32_t before = runningMean.version();
  batchNormUpdateStats(runningMean, runningVar, batch, 0.25, 4);
  EXPECT_EQ(numbersOf(runningMean), (std::vector<double>{1.5, -1}));
  EXPECT_EQ(numbersOf(runningVar), (std::vector<double>{1, 3.5}));  // unbiased: 1 and 2
  EXPECT_EQ(runningMean.version(), before + 1);
}

}  // namespace
}  // namespace tenon::test
