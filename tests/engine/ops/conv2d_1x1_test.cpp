// SPDX-License-Identifier: Apache-2.0
// 1 x 1 convolutions as products of pixels and filters: against the f64 reference at sizes and
// strides that cut groups, panels and images, the same bits for any team, and when they are not
// used.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/wide.h"
#include "engine/backend/registry/devices.h"
#include "engine/ops/conv2d/conv2d.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr const char* kOps[] = {"conv2d", "conv2d_backward_data", "conv2d_backward_weight"};

struct Case {
  int64_t n, c, o, h, w;
  int64_t stride[2];
  bool bias = true;

  Conv2dParams params() const { return {{stride[0], stride[1]}, {0, 0}, {1, 1}, 1}; }
};

std::string nameOf(const Case& c) {
  return fmt::format("x [{},{},{},{}], {} outputs, stride {},{}{}", c.n, c.c, c.h, c.w, c.o,
                     c.stride[0], c.stride[1], c.bias ? "" : ", no bias");
}

Tensor random(const Shape& shape, uint64_t seed, DType dtype = DType::F32) {
  return converted(converted(makeInput({shape}, seed), DType::F32), dtype);
}

/// y, dx, dw, db.
std::vector<Tensor> allOf(const Case& s, DType dtype) {
  const Tensor x = random({s.n, s.c, s.h, s.w}, 1, dtype), w = random({s.o, s.c, 1, 1}, 2, dtype);
  const Tensor b = s.bias ? random({s.o}, 3, dtype) : Tensor();
  const Tensor y = conv2d(x, w, b, s.params());
  const Tensor dy = random(y.shape(), 4, dtype);
  const auto [dw, db] = conv2dBackwardWeight(dy, x, {s.params(), {1, 1}, s.bias ? 1 : 0});
  return {y, conv2dBackwardData(dy, w, s.params(), s.h, s.w), dw, db};
}

// Groups over several images and within one, panels half full, strides that leave pixels out, one
// shard and many.
const Case kCases[] = {{2, 32, 32, 16, 16, {1, 1}},        {9, 40, 56, 7, 7, {1, 1}},
                       {3, 64, 40, 15, 13, {2, 2}},        {1, 72, 32, 33, 29, {1, 3}, false},
                       {64, 32, 48, 1, 1, {1, 1}},         {5, 264, 136, 5, 4, {1, 1}, false},
                       {6, 1024, 1040, 6, 6, {2, 2}, true}};

bool wide() { return cpu::wide::available() && std::string_view(backend::cpuLevel()) == "avx2"; }

TEST(Conv1x1, AgreesWithTheReference) {
  for (const Case& s : kCases) {
    SCOPED_TRACE(nameOf(s));
    KernelLog log;
    const std::vector<Tensor> fast = allOf(s, DType::F32);
    for (const char* op : kOps) EXPECT_EQ(log.last(op) == "pixels", wide()) << log.last(op);
    const std::vector<Tensor> exact = allOf(s, DType::F64);
    const auto pixels = static_cast<double>(s.n * s.h * s.w);
    const double terms[] = {static_cast<double>(s.c), static_cast<double>(s.o), pixels, pixels};
    for (size_t i = 0; i < fast.size(); ++i)
      EXPECT_TRUE(near(fast[i], exact[i], {1e-5, 5e-7 * terms[i]})) << "result " << i;
  }
}

std::vector<std::byte> bitsOf(const Case& s) {
  std::vector<std::byte> bits;
  for (const Tensor& result : allOf(s, DType::F32)) {
    const std::vector<std::byte> more = result.toBytes();
    bits.insert(bits.end(), more.begin(), more.end());
  }
  return bits;
}

TEST(Conv1x1, BitsDoNotDependOnTheTeam) {
  if (!wide()) GTEST_SKIP() << "this processor has no AVX-512: oneDNN does these";
  struct Restore {
    ~Restore() { cpu::setThreadCount(0); }
  } const restore;
  for (const Case& s : kCases) {
    SCOPED_TRACE(nameOf(s));
    cpu::setThreadCount(1);
    const std::vector<std::byte> bits = bitsOf(s);
    for (const int threads : {2, 3, 7}) {
      cpu::setThreadCount(threads);
      EXPECT_EQ(bitsOf(s), bits) << threads << " threads";
    }
  }
}

TEST(Conv1x1, LeavesTheRestToOthers) {
  struct Refused {
    Shape x, w;
    Conv2dParams params;
    const char* why;
  };
  const Refused refused[] = {
      {{2, 32, 8, 8}, {32, 32, 1, 1}, {{1, 1}, {1, 1}, {1, 1}, 1}, "padding"},
      {{2, 32, 8, 8}, {32, 16, 1, 1}, {{1, 1}, {0, 0}, {1, 1}, 2}, "groups"},
      {{2, 24, 8, 8}, {32, 24, 1, 1}, {{1, 1}, {0, 0}, {1, 1}, 1}, "few inputs"},
      {{2, 36, 8, 8}, {32, 36, 1, 1}, {{1, 1}, {0, 0}, {1, 1}, 1}, "not in eights"},
      {{2, 32, 8, 8}, {32, 32, 1, 2}, {{1, 1}, {0, 0}, {1, 1}, 1}, "1 x 2"}};
  for (const Refused& r : refused) {
    SCOPED_TRACE(r.why);
    const Tensor x = random(r.x, 1), w = random(r.w, 2);
    KernelLog log;
    const Tensor y = conv2d(x, w, {}, r.params);
    conv2dBackwardData(y, w, r.params, r.x[2], r.x[3]);
    conv2dBackwardWeight(y, x, {r.params, {r.w[2], r.w[3]}, 0});
    for (const char* op : kOps) EXPECT_NE(log.last(op), "pixels") << op;
  }
}

TEST(Conv1x1, BitsDoNotDependOnTheWidth) {
  if (!wide()) GTEST_SKIP() << "this processor has no AVX-512: there is one width";
  struct Restore {
    ~Restore() { cpu::wide::allow(true); }
  } const restore;
  for (const Case& s : kCases) {
    SCOPED_TRACE(nameOf(s));
    cpu::wide::allow(true);
    const std::vector<std::byte> bits = bitsOf(s);
    cpu::wide::allow(false);
    KernelLog log;
    EXPECT_EQ(bitsOf(s), bits);
    for (const char* op : kOps) EXPECT_EQ(log.last(op), "pixels") << op;
  }
}

}  // namespace
}  // namespace tenon::test
