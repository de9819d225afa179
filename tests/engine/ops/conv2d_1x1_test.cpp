// SPDX-License-Identifier: Apache-2.0
// 1 x 1 convolutions as products of pixels and filters: against the f64 reference at sizes and
// strides that cut groups, panels and images, the same bits for any team and width, and when they
// are not used.
#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "engine/backend/cpu/wide.h"
#include "engine/backend/registry/devices.h"
#include "engine/backend/registry/kernel_table.h"
#include "tests/engine/ops/conv2d_cases.h"

namespace tenon::test {
namespace {

struct Sizes {
  int64_t n, c, o, h, w;
  int64_t stride[2];
  bool bias = true;
};

// Groups over several images and within one, panels half full, strides that leave pixels out, one
// shard and many.
std::vector<ConvCase> cases() {
  constexpr Sizes kSizes[] = {{2, 32, 32, 16, 16, {1, 1}},  {9, 40, 56, 7, 7, {1, 1}},
                              {3, 64, 40, 15, 13, {2, 2}},  {1, 72, 32, 33, 29, {1, 3}, false},
                              {64, 32, 48, 1, 1, {1, 1}},   {5, 264, 136, 5, 4, {1, 1}, false},
                              {6, 1024, 1040, 6, 6, {2, 2}}};
  std::vector<ConvCase> all;
  for (const Sizes& s : kSizes)
    all.push_back({{s.n, s.c, s.h, s.w},
                   {s.o, s.c, 1, 1},
                   {{s.stride[0], s.stride[1]}, {0, 0}, {1, 1}, 1},
                   s.bias});
  return all;
}

/// Leaves all three operators the kernel under test, which elsewhere stands behind oneDNN's.
class PixelsOnly {
 public:
  PixelsOnly() {
    for (const char* op : kConvOps)
      for (const TenonKernel* kernel : backend::kernelsFor(0, op))
        if (std::string_view(kernel->name) == "pixels")
          forced_.push_back(std::make_unique<ForcedKernel>(*kernel));
  }
  size_t count() const { return forced_.size(); }

 private:
  std::vector<std::unique_ptr<ForcedKernel>> forced_;
};

TEST(Conv1x1, AgreesWithTheReference) {
  for (const ConvCase& c : cases()) {
    const std::vector<Tensor> exact = convolveAll(c, DType::F64);
    std::vector<Tensor> fast;
    {
      const PixelsOnly pixels;
      ASSERT_EQ(pixels.count(), 3U);
      fast = convolveAll(c, DType::F32);
    }
    expectNear(c, fast, exact, 5e-7);
  }
}

TEST(Conv1x1, RunsWhereTheWideLoopsDo) {
  const bool wide = cpu::wide::available() && std::string_view(backend::cpuLevel()) == "avx2";
  KernelLog log;
  convolveAll(cases().front(), DType::F32);
  for (const char* op : kConvOps) EXPECT_EQ(log.last(op) == "pixels", wide) << log.last(op);
}

TEST(Conv1x1, BitsDependNeitherOnTheTeamNorOnTheWidth) {
  const PixelsOnly pixels;
  for (const ConvCase& c : cases()) {
    expectSameBitsForAnyTeam(c);
    expectSameBitsForAnyWidth(c);
  }
}

TEST(Conv1x1, LeavesTheRestToOthers) {
  constexpr Conv2dParams kPlain{{1, 1}, {0, 0}, {1, 1}, 1};
  const ConvCase refused[] = {
      {{2, 32, 8, 8}, {32, 32, 1, 1}, {{1, 1}, {1, 1}, {1, 1}, 1}, true, "padding"},
      {{2, 32, 8, 8}, {32, 16, 1, 1}, {{1, 1}, {0, 0}, {1, 1}, 2}, true, "groups"},
      {{2, 24, 8, 8}, {32, 24, 1, 1}, kPlain, true, "few inputs"},
      {{2, 36, 8, 8}, {32, 36, 1, 1}, kPlain, true, "not in eights"},
      {{2, 32, 8, 8}, {32, 32, 1, 2}, kPlain, true, "1 x 2"}};
  for (const ConvCase& c : refused) expectOthers(c, "pixels");
}

}  // namespace
}  // namespace tenon::test
