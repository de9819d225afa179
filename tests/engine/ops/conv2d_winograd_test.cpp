// SPDX-License-Identifier: Apache-2.0
// Convolutions by Winograd's method: against the f64 reference at sizes and paddings that cut its
// tiles and panels, the same bits for any team and instruction width, and when they are not used.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/wide.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/copy/copy.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr const char* kOps[] = {"conv2d", "conv2d_backward_data", "conv2d_backward_weight"};

struct Case {
  int64_t n, c, o, h, w;
  int64_t padding[2];
  bool bias = true;

  Conv2dParams params() const { return {{1, 1}, {padding[0], padding[1]}, {1, 1}, 1}; }
  Shape input() const { return {n, c, h, w}; }
  Shape filters() const { return {o, c, 3, 3}; }
};

std::string nameOf(const Case& c) {
  return fmt::format("x [{},{},{},{}], {} outputs, padding {},{}{}", c.n, c.c, c.h, c.w, c.o,
                     c.padding[0], c.padding[1], c.bias ? "" : ", no bias");
}

Tensor random(const Shape& shape, uint64_t seed, DType dtype = DType::F32) {
  return converted(converted(makeInput({shape}, seed), DType::F32), dtype);
}

/// y, dx, dw, db.
std::vector<Tensor> allOf(const Case& s, DType dtype) {
  const Tensor x = random(s.input(), 1, dtype), w = random(s.filters(), 2, dtype);
  const Tensor b = s.bias ? random({s.o}, 3, dtype) : Tensor();
  const Tensor y = conv2d(x, w, b, s.params());
  const Tensor dy = random(y.shape(), 4, dtype);
  const auto [dw, db] = conv2dBackwardWeight(dy, x, {s.params(), {3, 3}, s.bias ? 1 : 0});
  return {y, conv2dBackwardData(dy, w, s.params(), s.h, s.w), dw, db};
}

// Tiles cut at both edges, panels half full, one shard and many, groups that end early.
const Case kCases[] = {{2, 32, 32, 16, 16, {1, 1}},       {3, 40, 56, 13, 11, {1, 1}},
                       {2, 48, 32, 15, 14, {0, 0}},       {1, 32, 72, 17, 19, {2, 2}},
                       {5, 64, 40, 9, 10, {2, 0}, false}, {4, 56, 64, 10, 9, {0, 1}},
                       {1, 160, 152, 21, 16, {1, 1}},     {3, 512, 304, 14, 7, {1, 1}, false}};

TEST(Winograd, AgreesWithTheReference) {
  for (const Case& s : kCases) {
    SCOPED_TRACE(nameOf(s));
    KernelLog log;
    const std::vector<Tensor> fast = allOf(s, DType::F32);
    for (const char* op : kOps) EXPECT_EQ(log.last(op), "winograd") << op;
    const std::vector<Tensor> exact = allOf(s, DType::F64);
    const auto pixels = static_cast<double>(s.n * s.h * s.w);
    const double terms[] = {9.0 * static_cast<double>(s.c), 9.0 * static_cast<double>(s.o), pixels,
                            pixels};
    for (size_t i = 0; i < fast.size(); ++i)
      EXPECT_TRUE(near(fast[i], exact[i], {1e-5, 2e-7 * terms[i]})) << "result " << i;
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
  const Tensor x = random({2, 256, 14, 14}, 1), w = random({64, 256, 3, 3}, 2);
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
  EXPECT_LT(error, 2 * largestError(direct, exact));
}

std::vector<std::byte> bitsOf(const Case& s) {
  std::vector<std::byte> bits;
  for (const Tensor& result : allOf(s, DType::F32)) {
    const std::vector<std::byte> more = result.toBytes();
    bits.insert(bits.end(), more.begin(), more.end());
  }
  return bits;
}

TEST(Winograd, BitsDependNeitherOnTheTeamNorOnTheWidth) {
  struct Restore {
    bool wide = cpu::wide::available();
    ~Restore() {
      cpu::setThreadCount(0);
      cpu::wide::allow(wide);
    }
  } const restore;
  for (const Case& s : kCases) {
    SCOPED_TRACE(nameOf(s));
    cpu::wide::allow(restore.wide);
    cpu::setThreadCount(1);
    const std::vector<std::byte> bits = bitsOf(s);
    for (const int threads : {2, 3, 7}) {
      cpu::setThreadCount(threads);
      EXPECT_EQ(bitsOf(s), bits) << threads << " threads";
    }
    cpu::wide::allow(false);
    EXPECT_EQ(bitsOf(s), bits) << "without the wide loops";
  }
}

TEST(Winograd, WhatIsNotFiniteStaysInItsTiles) {
  Tensor x = Tensor::zeros({4, 32, 12, 12});
  x.data<float>()[5 * 12 + 5] = std::numeric_limits<float>::infinity();  // image 0, channel 0
  const Tensor w = random({32, 32, 3, 3}, 1);
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
  struct Refused {
    Shape x, w;
    Conv2dParams params;
    const char* why;
  };
  const Refused refused[] = {
      {{2, 32, 16, 16}, {32, 32, 3, 3}, {{2, 2}, {1, 1}, {1, 1}, 1}, "stride"},
      {{2, 32, 16, 16}, {32, 32, 3, 3}, {{1, 1}, {2, 2}, {2, 2}, 1}, "dilation"},
      {{2, 32, 16, 16}, {32, 16, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 2}, "groups"},
      {{2, 32, 16, 16}, {32, 32, 1, 3}, {{1, 1}, {0, 1}, {1, 1}, 1}, "1 x 3"},
      {{2, 32, 16, 16}, {32, 32, 3, 3}, {{1, 1}, {3, 3}, {1, 1}, 1}, "padding"},
      {{2, 24, 16, 16}, {32, 24, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}, "few inputs"},
      {{2, 36, 16, 16}, {32, 36, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}, "not in eights"},
      {{1, 32, 8, 8}, {32, 32, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}, "few tiles"},
      {{60, 32, 3, 3}, {32, 32, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}, "images smaller than tiles"}};
  for (const Refused& r : refused) {
    SCOPED_TRACE(r.why);
    const Tensor x = random(r.x, 1), w = random(r.w, 2);
    KernelLog log;
    const Tensor y = conv2d(x, w, {}, r.params);
    conv2dBackwardData(y, w, r.params, r.x[2], r.x[3]);
    conv2dBackwardWeight(y, x, {r.params, {r.w[2], r.w[3]}, 0});
    for (const char* op : kOps) EXPECT_NE(log.last(op), "winograd") << op;
  }
}

}  // namespace
}  // namespace tenon::test
