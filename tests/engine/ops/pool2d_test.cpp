// SPDX-License-Identifier: Apache-2.0
// Pooling beyond its samples: ties, NaN, positions, refusals of the operators that take positions,
// layouts around global pooling.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/autograd/autograd.h"
#include "engine/autograd/gradcheck.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/error.h"
#include "engine/ops/pool2d/pool2d.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

Tensor random(const Shape& shape, uint64_t seed, DType dtype = DType::F32) {
  return converted(converted(makeInput({shape}, seed), DType::F32), dtype);
}

Tensor gradientOf(const Tensor& x, const Pool2dParams& params, const Tensor& dy) {
  autograd::setRequiresGrad(x);
  const std::vector<Tensor> y = {maxPool2d(x, params)}, leaves = {x}, grads = {dy};
  return autograd::grad(y, leaves, grads)[0];
}

/// `planes` copies of one 4x4 image.
Tensor repeated(const std::vector<double>& image, int64_t planes, DType dtype) {
  std::vector<double> all;
  for (int64_t i = 0; i < planes; ++i) all.insert(all.end(), image.begin(), image.end());
  return fromNumbers(all, {1, planes, 4, 4}, dtype);
}

TEST(MaxPool2d, FirstOfEqualsGetsTheGradient) {
  const std::vector<double> image = {1, 1, 0, 2, 1, 1, 2, 2, 5, 4, 0, 0, 4, 5, 0, 0};
  const std::vector<double> wanted = {1, 0, 0, 2, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0};
  for (const DType dtype : {DType::F32, DType::F64}) {
    for (const Lay lay : {Lay::Dense, Lay::Blocked}) {
      const Tensor x = laid(repeated(image, 8, dtype), lay);
      std::vector<double> grads, all;
      for (int c = 0; c < 8; ++c) {
        grads.insert(grads.end(), {1, 2, 3, 4});
        all.insert(all.end(), wanted.begin(), wanted.end());
      }
      const Tensor dx = gradientOf(x, {}, laid(fromNumbers(grads, {1, 8, 2, 2}, dtype), lay));
      EXPECT_EQ(numbersOf(dx), all);
    }
  }
}

TEST(MaxPool2d, NanWins) {
  std::vector<double> image(16, 1.0);
  image[2] = std::nan("");
  image[3] = 7;
  for (const Lay lay : {Lay::Dense, Lay::Blocked}) {
    for (const Pool2dParams& params :
         {Pool2dParams{}, Pool2dParams{{2, 2}, {2, 2}, {1, 1}, 0, 1}}) {
      const std::vector<double> y =
          numbersOf(maxPool2d(laid(repeated(image, 8, DType::F32), lay), params));
      int nans = 0, sevens = 0;
      for (double v : y) {
        nans += std::isnan(v);
        sevens += v == 7;
      }
      EXPECT_EQ(nans, 8);
      EXPECT_EQ(sevens, params.padding[0] ? 8 : 0);
    }
  }
}

gate::Outputs withPositions(const Tensor& x, const Pool2dParams& params) {
  return gate::runAll(*findOp("max_pool2d"), {&x}, &params);
}

TEST(MaxPool2d, PositionsCountTheWholeWindow) {
  const Tensor x = fromNumbers({9, 1, 2, 3}, {1, 1, 2, 2}, DType::F32);
  const gate::Outputs out = withPositions(x, {{3, 3}, {2, 2}, {1, 1}, 0, 1});
  EXPECT_EQ(out[1].dtype(), DType::U8);
  EXPECT_EQ(numbersOf(out[1]), std::vector<double>{4});  // clipped row and column count
  EXPECT_EQ(numbersOf(out[0]), std::vector<double>{9});
}

TEST(MaxPool2d, WideWindowsHaveWidePositions) {
  const Pool2dParams params{{17, 17}, {17, 17}, {0, 0}, 0, 1};
  for (const Lay lay : {Lay::Dense, Lay::Blocked}) {
    std::vector<double> numbers(8 * 17 * 17, 0.0);
    for (size_t c = 0; c < 8; ++c) numbers[c * 289 + 280 + c] = 1;
    const Tensor x = laid(fromNumbers(numbers, {1, 8, 17, 17}, DType::F32), lay);
    const gate::Outputs out = withPositions(x, params);
    EXPECT_EQ(out[1].dtype(), DType::I32);
    EXPECT_EQ(numbersOf(out[1]), (std::vector<double>{280, 281, 282, 283, 284, 285, 286, 287}));
    const Tensor dy = laid(fromNumbers({1, 1, 1, 1, 1, 1, 1, 1}, {1, 8, 1, 1}, DType::F32), lay);
    EXPECT_EQ(numbersOf(gradientOf(x, params, dy)), numbers);
  }
}

TEST(MaxPool2d, SecondOrderAgreesWithDifferences) {
  const Tensor x = makeInput({{1, 2, 5, 4}, SampleInput::Values::Distinct}, 3);
  autograd::setRequiresGrad(x);
  const std::vector<Tensor> leaves = {x};
  const Pool2dParams params{{3, 2}, {2, 1}, {1, 1}, 0, 1};
  const auto result = autograd::gradgradcheck(
      [&](std::span<const Tensor> in) { return std::vector<Tensor>{maxPool2d(in[0], params)}; },
      leaves);
  EXPECT_TRUE(result.ok) << result.text;
}

TEST(MaxPool2d, GatherTakesWhatThePositionsName) {
  const Pool2dParams params{{3, 3}, {2, 2}, {1, 1}, 0, 1};
  for (const Lay lay : {Lay::Dense, Lay::Blocked}) {
    const Tensor x = laid(random({2, 8, 7, 6}, 1), lay);
    const gate::Outputs out = withPositions(x, params);
    const Tensor again = gate::run(*findOp("max_pool2d_gather"), {&x, &out[1]}, &params);
    EXPECT_EQ(numbersOf(again), numbersOf(out[0]));
  }
}

template <class Params>
void expectRefused(const char* op, const Tensor& first, const Tensor& which, const Params& params,
                   const std::string& words) {
  try {
    gate::run(*findOp(op), {&first, &which}, &params);
    ADD_FAILURE() << "was not refused: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(MaxPool2d, RefusesPositionsThatDoNotFit) {
  const Pool2dGradParams grad{{}, {4, 4}};
  const Tensor dy = random({1, 1, 2, 2}, 1), x = random({1, 1, 4, 4}, 2);
  const Tensor which = Tensor::zeros({1, 1, 2, 2}, DType::U8);
  expectRefused("max_pool2d_backward", dy, dy, grad, "which wants u8, got f32");
  expectRefused("max_pool2d_backward", dy, {}, grad, "which is undefined");
  expectRefused("max_pool2d_backward", dy, which, Pool2dGradParams{{}, {6, 4}},
                "dy wants shape [1, 1, 3, 2] (the pooled size of the input), got [1, 1, 2, 2]");
  expectRefused("max_pool2d_gather", x, Tensor::zeros({1, 1, 2, 3}, DType::U8), Pool2dParams{},
                "which wants shape [1, 1, 2, 2] (one position a window), got [1, 1, 2, 3]");
}

TEST(AdaptiveAvgPool2d, GlobalPoolingOfABlockedImageIsDense) {
  const Tensor x = laid(random({2, 16, 7, 7}, 1), Lay::Blocked);
  KernelLog log;
  const Tensor y = adaptiveAvgPool2d(x, 1, 1);
  EXPECT_TRUE(y.isContiguous());
  EXPECT_TRUE(near(y, adaptiveAvgPool2d(converted(x, DType::F64), 1, 1), {1e-6, 1e-6}));
  const AdaptivePool2dParams params{{7, 7}};
  const Tensor dx = gate::run(*findOp("adaptive_avg_pool2d_backward"), {&y}, &params);
  EXPECT_EQ(dx.layout(), kBlocked8);
  for (const auto& [op, kernel] : log.calls()) EXPECT_NE(op, "reorder");
}

TEST(Pool2d, BlockedImagesStayBlocked) {
  const Tensor x = laid(random({2, 8, 6, 6}, 1), Lay::Blocked);
  KernelLog log;
  EXPECT_EQ(maxPool2d(x, {}).layout(), kBlocked8);
  EXPECT_EQ(log.last("max_pool2d"), "simd");
  EXPECT_EQ(avgPool2d(x, {}).layout(), kBlocked8);
  EXPECT_EQ(log.last("avg_pool2d"), "simd");
  EXPECT_FALSE(maxPool2d(laid(x, Lay::Dense), {}).layout().blocked());
}

/// Of both layouts; what all kernels give is compared in all_kernels_test.cpp.
TEST(MaxPool2d, TheFastKernelsOfItsGradientsRun) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Lay lay : {Lay::Dense, Lay::Blocked}) {
      SCOPED_TRACE(level + " " + layName(lay));
      const Tensor x = laid(random({2, 8, 6, 6}, 1), lay);
      const gate::Outputs out = withPositions(x, {});
      const Pool2dGradParams grad{{}, {6, 6}};
      const Pool2dParams pool;
      KernelLog log;
      const Tensor dx = gate::run(*findOp("max_pool2d_backward"), {&out[0], &out[1]}, &grad);
      const Tensor y = gate::run(*findOp("max_pool2d_gather"), {&x, &out[1]}, &pool);
      for (const char* op : {"max_pool2d_backward", "max_pool2d_gather"}) {
        const auto ofLevel = backend::kernelsFor(0, op);
        EXPECT_EQ(log.last(op), "simd") << op;
        EXPECT_NE(std::find(ofLevel.begin(), ofLevel.end(), log.lastKernel(op)), ofLevel.end())
            << op << ": not the kernel of this instruction level";
      }
      EXPECT_EQ(numbersOf(y), numbersOf(out[0]));
      EXPECT_EQ(numbersOf(sum(dx)), numbersOf(sum(out[0])));
    }
  }
}

}  // namespace
}  // namespace tenon::test
