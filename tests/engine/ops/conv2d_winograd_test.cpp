// SPDX-License-Identifier: Apache-2.0
// Convolutions by Winograd's method: against the f64 reference at sizes and paddings that cut its
// tiles and panels, the same bits for any team and instruction width, and when they are not used.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/ops/copy/copy.h"
#include "tests/engine/ops/conv2d_cases.h"

namespace tenon::test {
namespace {

constexpr Conv2dParams padded(int64_t down, int64_t across) {
  return {{1, 1}, {down, across}, {1, 1}, 1};
}

// Tiles cut at both edges, panels half full, one shard and many, groups that end early.
const ConvCase kCases[] = {{{2, 32, 16, 16}, {32, 32, 3, 3}, padded(1, 1)},
                           {{3, 40, 13, 11}, {56, 40, 3, 3}, padded(1, 1)},
                           {{2, 48, 15, 14}, {32, 48, 3, 3}, padded(0, 0)},
                           {{1, 32, 17, 19}, {72, 32, 3, 3}, padded(2, 2)},
                           {{5, 64, 9, 10}, {40, 64, 3, 3}, padded(2, 0), false},
                           {{4, 56, 10, 9}, {64, 56, 3, 3}, padded(0, 1)},
                           {{1, 160, 21, 16}, {152, 160, 3, 3}, padded(1, 1)},
                           {{3, 512, 14, 7}, {304, 512, 3, 3}, padded(1, 1), false}};

TEST(Winograd, AgreesWithTheReference) {
  for (const ConvCase& c : kCases) {
    KernelLog log;
    const std::vector<Tensor> fast = convolveAll(c, DType::F32);
    for (const char* op : kConvOps) EXPECT_EQ(log.last(op), "winograd") << op << " " << c.text();
    expectNear(c, fast, convolveAll(c, DType::F64), 2e-7);
  }
}

double largestError(const Tensor& a, const Tensor& exact) {
  const std::vector<double> x = numbersOf(a), y = numbersOf(exact);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
  return worst;
}

// Lavin and Gray (2016, table 4) found F(2x2) to be no less exact than the direct sum in f32.
TEST(Winograd, IsAsExactAsTheDirectSum) {
  const Conv2dParams params{{1, 1}, {1, 1}, {1, 1}, 1};
  const Tensor x = randomNumbers({2, 256, 14, 14}, 1), w = randomNumbers({64, 256, 3, 3}, 2);
  KernelLog log;
  const Tensor y = conv2d(x, w, {}, params);
  EXPECT_EQ(log.last("conv2d"), "winograd");
  const Tensor exact = conv2d(converted(x, DType::F64), converted(w, DType::F64), {}, params);
  // The direct sum: filters in the middle of 5 x 5, which the method does not take.
  Tensor framed = Tensor::zeros({64, 256, 5, 5});
  for (int64_t f = 0; f < 64 * 256; ++f)
    for (int64_t tap = 0; tap < 9; ++tap)
      framed.data<float>()[f * 25 + (tap / 3 + 1) * 5 + tap % 3 + 1] = w.data<float>()[f * 9 + tap];
  const Tensor direct = conv2d(x, framed, {}, {{1, 1}, {2, 2}, {1, 1}, 1});
  EXPECT_NE(log.last("conv2d"), "winograd");
  const double error = largestError(y, exact);
  EXPECT_GT(error, 0);
  EXPECT_LT(error, largestError(direct, exact));
}

TEST(Winograd, BitsDependNeitherOnTheTeamNorOnTheWidth) {
  for (const ConvCase& c : kCases) {
    expectSameBitsForAnyTeam(c);
    expectSameBitsForAnyWidth(c);
  }
}

TEST(Winograd, WhatIsNotFiniteStaysInItsTiles) {
  Tensor x = Tensor::zeros({4, 32, 12, 12});
  x.data<float>()[5 * 12 + 5] = std::numeric_limits<float>::infinity();  // image 0, channel 0
  const Tensor w = randomNumbers({32, 32, 3, 3}, 1);
  KernelLog log;
  const Tensor y = contiguous(conv2d(x, w, {}, {{1, 1}, {1, 1}, {1, 1}, 1}));
  EXPECT_EQ(log.last("conv2d"), "winograd");
  const auto* values = y.data<float>();
  for (int64_t i = 0; i < 12; ++i)
    for (int64_t j = 0; j < 12; ++j) {
      const bool reads = i >= 4 && i <= 6 && j >= 4 && j <= 6;
      const bool inItsTiles = i >= 4 && i < 8 && j >= 4 && j < 8;
      const float value = values[i * 12 + j];
      EXPECT_TRUE(reads ? !std::isfinite(value) : inItsTiles || value == 0) << i << "," << j;
    }
}

TEST(Winograd, LeavesTheRestToOthers) {
  const ConvCase refused[] = {
      {{2, 32, 16, 16}, {32, 32, 3, 3}, {{2, 2}, {1, 1}, {1, 1}, 1}, true, "stride"},
      {{2, 32, 16, 16}, {32, 32, 3, 3}, {{1, 1}, {2, 2}, {2, 2}, 1}, true, "dilation"},
      {{2, 32, 16, 16}, {32, 16, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 2}, true, "groups"},
      {{2, 32, 16, 16}, {32, 32, 1, 3}, {{1, 1}, {0, 1}, {1, 1}, 1}, true, "1 x 3"},
      {{2, 32, 16, 16}, {32, 32, 3, 3}, {{1, 1}, {3, 3}, {1, 1}, 1}, true, "padding"},
      {{2, 24, 16, 16}, {32, 24, 3, 3}, padded(1, 1), true, "few inputs"},
      {{2, 36, 16, 16}, {32, 36, 3, 3}, padded(1, 1), true, "not in eights"},
      {{1, 32, 8, 8}, {32, 32, 3, 3}, padded(1, 1), true, "few tiles"},
      {{60, 32, 3, 3}, {32, 32, 3, 3}, padded(1, 1), true, "images smaller than tiles"}};
  for (const ConvCase& c : refused) expectOthers(c, "winograd");
}

}  // namespace
}  // namespace tenon::test
