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

constexpr Conv2dParams strided(int64_t down, int64_t across) {
  return {{down, across}, {0, 0}, {1, 1}, 1};
}

// Groups over several images and within one, panels half full, strides that leave pixels out, one
// shard and many.
const ConvCase kCases[] = {{{2, 32, 16, 16}, {32, 32, 1, 1}, strided(1, 1)},
                           {{9, 40, 7, 7}, {56, 40, 1, 1}, strided(1, 1)},
                           {{3, 64, 15, 13}, {40, 64, 1, 1}, strided(2, 2)},
                           {{1, 72, 33, 29}, {32, 72, 1, 1}, strided(1, 3), false},
                           {{64, 32, 1, 1}, {48, 32, 1, 1}, strided(1, 1)},
                           {{5, 264, 5, 4}, {136, 264, 1, 1}, strided(1, 1), false},
                           {{6, 1024, 6, 6}, {1040, 1024, 1, 1}, strided(2, 2)}};

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
  for (const ConvCase& c : kCases) {
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
  convolveAll(kCases[0], DType::F32);
  for (const char* op : kConvOps) EXPECT_EQ(log.last(op) == "pixels", wide) << log.last(op);
}

TEST(Conv1x1, BitsDependNeitherOnTheTeamNorOnTheWidth) {
  const PixelsOnly pixels;
  for (const ConvCase& c : kCases) {
    expectSameBitsForAnyTeam(c);
    expectSameBitsForAnyWidth(c);
  }
}

TEST(Conv1x1, LeavesTheRestToOthers) {
  const ConvCase refused[] = {
      {{2, 32, 8, 8}, {32, 32, 1, 1}, {{1, 1}, {1, 1}, {1, 1}, 1}, true, "padding"},
      {{2, 32, 8, 8}, {32, 16, 1, 1}, {{1, 1}, {0, 0}, {1, 1}, 2}, true, "groups"},
      {{2, 24, 8, 8}, {32, 24, 1, 1}, strided(1, 1), true, "few inputs"},
      {{2, 36, 8, 8}, {32, 36, 1, 1}, strided(1, 1), true, "not in eights"},
      {{2, 32, 8, 8}, {32, 32, 1, 2}, strided(1, 1), true, "1 x 2"}};
  for (const ConvCase& c : refused) expectOthers(c, "pixels");
}

}  // namespace
}  // namespace tenon::test
