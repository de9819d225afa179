// SPDX-License-Identifier: Apache-2.0
// Convolution beyond its samples: which kernel runs, that layers of a network need no reorders,
// large sizes, threads, empty batches.
#include <gtest/gtest.h>

#include <string_view>

#include "engine/backend/cpu/onednn.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/registry/devices.h"
#include "engine/ops/conv2d/conv2d.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr Conv2dParams kSame{{1, 1}, {1, 1}, {1, 1}, 1};

Tensor random(const Shape& shape, uint64_t seed, DType dtype = DType::F32) {
  return converted(converted(makeInput({shape}, seed), DType::F32), dtype);
}

/// Another number of threads while it lives.
struct Threads {
  explicit Threads(int n) { cpu::setThreadCount(n); }
  ~Threads() { cpu::setThreadCount(0); }
};

struct Deterministic {
  Deterministic() { gate::threadState().deterministic = true; }
  ~Deterministic() { gate::threadState().deterministic = false; }
};

TEST(Conv2d, LayersOfANetworkNeedNoReorders) {
  if (std::string_view(backend::cpuLevel()) == "baseline")
    GTEST_SKIP() << "SSE4.1 convolutions take plain images";
  const Tensor x = random({2, 1, 9, 8}, 1), w1 = random({8, 1, 3, 3}, 2), b1 = random({8}, 3);
  const Tensor w2 = random({16, 8, 3, 3}, 4), b2 = random({16}, 5);
  KernelLog log;
  const Tensor y1 = conv2d(x, w1, b1, kSame);
  const Tensor y2 = conv2d(y1, w2, b2, kSame);
  EXPECT_EQ(log.last("conv2d"), "onednn");
  EXPECT_EQ(y1.layout(), kBlocked8);
  EXPECT_EQ(y2.layout(), kBlocked8);
  const Tensor dy2 = laid(random(y2.shape(), 6), Lay::Blocked);
  const Tensor dy1 = conv2dBackwardData(dy2, w2, kSame, 9, 8);
  EXPECT_EQ(dy1.layout(), kBlocked8);
  EXPECT_EQ(log.last("conv2d_backward_data"), "onednn");
  conv2dBackwardWeight(dy2, y1, {kSame, {3, 3}, 1});
  EXPECT_EQ(log.last("conv2d_backward_weight"), "onednn");
  conv2dBackwardWeight(dy1, x, {kSame, {3, 3}, 1});
  EXPECT_EQ(log.last("conv2d_backward_weight"), "few_channels");
  for (const auto& [op, kernel] : log.calls()) EXPECT_NE(op, "reorder");
}

TEST(Conv2d, F64RunsTheReference) {
  KernelLog log;
  conv2d(random({1, 8, 4, 4}, 1, DType::F64), random({8, 8, 3, 3}, 2, DType::F64), {}, kSame);
  EXPECT_EQ(log.last("conv2d"), "reference");
}

struct Sizes {
  Shape x, w;
  Conv2dParams params;
};

void compareAll(const Sizes& s) {
  std::vector<Tensor> results[2];
  for (const DType dtype : {DType::F32, DType::F64}) {
    const Tensor x = random(s.x, 1, dtype), w = random(s.w, 2, dtype),
                 b = random({s.w[0]}, 3, dtype);
    const Tensor y = conv2d(x, w, b, s.params);
    const Tensor dy = random(y.shape(), 4, dtype);
    const auto [dw, db] = conv2dBackwardWeight(dy, x, {s.params, {s.w[2], s.w[3]}, 1});
    results[dtype == DType::F64] = {y, conv2dBackwardData(dy, w, s.params, s.x[2], s.x[3]), dw, db};
  }
  const double terms[] = {
      static_cast<double>(s.w.numel() / s.w[0]), static_cast<double>(s.w[0] * s.w[2] * s.w[3]),
      static_cast<double>(s.x[0] * s.x[2] * s.x[3]), static_cast<double>(s.x[0] * s.x[2] * s.x[3])};
  for (size_t i = 0; i < 4; ++i)
    EXPECT_TRUE(near(results[0][i], results[1][i], {1e-5, 2e-7 * terms[i]})) << "result " << i;
}

TEST(Conv2d, LargerSizesAgreeWithTheReference) {
  compareAll({{5, 32, 14, 14}, {64, 32, 3, 3}, kSame});
  compareAll({{33, 1, 14, 13}, {32, 1, 3, 3}, kSame});
  compareAll({{3, 3, 30, 31}, {16, 3, 7, 7}, {{2, 2}, {3, 3}, {1, 1}, 1}});
  compareAll({{2, 16, 15, 15}, {24, 16, 1, 1}, {{2, 2}, {0, 0}, {1, 1}, 1}});
}

TEST(Conv2d, ASecondStepPreparesNothing) {
  // Sizes of this test alone, so that no other test has prepared them.
  const Tensor x = random({5, 24, 11, 9}, 1), dy = random({5, 40, 11, 9}, 3);
  const Tensor weight = random({40, 24, 3, 3}, 2), bias = random({40}, 4);
  const auto step = [&] {
    conv2d(x, weight, bias, kSame);
    conv2dBackwardData(dy, weight, kSame, 11, 9);
    conv2dBackwardWeight(dy, x, {kSame, {3, 3}, 1});
  };
  const int64_t before = cpu::onednn::convolutionsPrepared();
  KernelLog log;
  step();
  EXPECT_EQ(log.last("conv2d_backward_weight"), "onednn");
  const int64_t first = cpu::onednn::convolutionsPrepared();
  EXPECT_GE(first, before + 3) << "forward and both gradients";
  for (int i = 0; i < 3; ++i) step();
  EXPECT_EQ(cpu::onednn::convolutionsPrepared(), first);
}

TEST(Conv2d, DeterministicWeightGradientIgnoresThreads) {
  const Deterministic deterministic;
  const Tensor x = random({11, 16, 7, 7}, 1), dy = random({11, 8, 7, 7}, 2);
  std::vector<std::byte> bits[2];
  for (const int threads : {1, 2}) {
    const Threads guard(threads);
    KernelLog log;
    const auto [dw, db] = conv2dBackwardWeight(dy, x, {kSame, {3, 3}, 1});
    EXPECT_EQ(log.last("conv2d_backward_weight"), "onednn");
    bits[threads - 1] = dw.toBytes();
    const std::vector<std::byte> more = db.toBytes();
    bits[threads - 1].insert(bits[threads - 1].end(), more.begin(), more.end());
    const auto [exact, exactBias] = conv2dBackwardWeight(
        converted(dy, DType::F64), converted(x, DType::F64), {kSame, {3, 3}, 1});
    EXPECT_TRUE(near(dw, exact, {1e-5, 1e-4}));
    EXPECT_TRUE(near(db, exactBias, {1e-5, 1e-4}));
  }
  EXPECT_EQ(bits[0], bits[1]);
}

TEST(Conv2d, FirstLayerWeightGradientIgnoresThreads) {
  const Tensor x = random({37, 2, 7, 7}, 1), dy = random({37, 8, 7, 7}, 2);
  std::vector<std::byte> bits[2];
  for (const int threads : {1, 2}) {
    const Threads guard(threads);
    bits[threads - 1] = conv2dBackwardWeight(dy, x, {kSame, {3, 3}, 1}).first.toBytes();
  }
  EXPECT_EQ(bits[0], bits[1]);
}

TEST(Conv2d, EmptyBatchGivesEmptyOutputAndZeroGradients) {
  const Tensor x = Tensor::empty({0, 8, 5, 5}), w = random({8, 8, 3, 3}, 1);
  const Tensor y = conv2d(x, w, {}, kSame);
  EXPECT_EQ(y.shape(), Shape({0, 8, 5, 5}));
  EXPECT_EQ(conv2dBackwardData(y, w, kSame, 5, 5).shape(), Shape({0, 8, 5, 5}));
  const auto [dw, db] = conv2dBackwardWeight(y, x, {kSame, {3, 3}, 1});
  EXPECT_EQ(numbersOf(dw), std::vector<double>(8 * 8 * 9, 0.0));
  EXPECT_EQ(numbersOf(db), std::vector<double>(8, 0.0));
}

TEST(Conv2d, WithoutBiasItsGradientIsEmpty) {
  const Tensor x = random({1, 2, 4, 4}, 1), dy = random({1, 8, 4, 4}, 2);
  const auto [dw, db] = conv2dBackwardWeight(dy, x, {kSame, {3, 3}, 0});
  EXPECT_EQ(db.shape(), Shape({0}));
  EXPECT_EQ(dw.shape(), Shape({8, 2, 3, 3}));
}

}  // namespace
}  // namespace tenon::test
