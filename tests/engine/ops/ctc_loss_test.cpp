// SPDX-License-Identifier: Apache-2.0
// CTC loss beside PyTorch's values (golden_test.cpp): against a sum over every alignment, the two
// gradients against each other, forms of the targets, impossible ones, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/ops/ctc_loss/ctc_loss.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/softmax/softmax.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
using Labels = std::vector<int64_t>;

Tensor logProbsOf(const Shape& shape, uint64_t seed = 5) {
  return logSoftmax(makeInput({shape, SampleInput::Values::Uniform, -2, 2}, seed), 2);
}
Tensor list(const Labels& values) {
  return Tensor::fromValues(values, {static_cast<int64_t>(values.size())});
}
Tensor rows(const Labels& values, int64_t samples) {
  return Tensor::fromValues(values, {samples, static_cast<int64_t>(values.size()) / samples});
}
CtcOptions options(Reduction reduction, int64_t blank = 0, bool zeroInfinity = false) {
  return {blank, zeroInfinity, reduction};
}

/// What a path of classes says: repeats merged, then blanks (0) left out.
Labels said(const Labels& path) {
  Labels labels;
  for (size_t t = 0; t < path.size(); ++t)
    if (path[t] != 0 && (t == 0 || path[t] != path[t - 1])) labels.push_back(path[t]);
  return labels;
}

/// -log of the summed probability of every path of sample n that says `labels`.
double lossByPaths(const Tensor& logProbs, int64_t n, int64_t frames, const Labels& labels) {
  const std::vector<double> x = numbersOf(logProbs);
  const int64_t classes = logProbs.size(2);
  Labels path(static_cast<size_t>(frames), 0);
  double total = 0;
  for (;;) {
    if (said(path) == labels) {
      double log = 0;
      for (int64_t t = 0; t < frames; ++t)
        log += x[static_cast<size_t>((t * logProbs.size(1) + n) * classes) +
                 static_cast<size_t>(path[static_cast<size_t>(t)])];
      total += std::exp(log);
    }
    size_t at = 0;
    while (at < path.size() && ++path[at] == classes) path[at++] = 0;
    if (at == path.size()) return -std::log(total);
  }
}

TEST(CtcLoss, IsTheSumOverAllAlignments) {
  const Tensor x = logProbsOf({5, 6, 3});
  const Labels frames = {5, 4, 5, 5, 3, 5};
  const Labels labels = {2, 3, 1, 3, 0, 2};
  const Labels own[] = {{1, 2}, {1, 2, 1}, {2}, {1, 2, 2}, {}, {1, 1}};
  const Labels padded = {1, 2, 0, 1, 2, 1, 2, 0, 0, 1, 2, 2, 0, 0, 0, 1, 1, 0};
  const std::vector<double> losses =
      numbersOf(ctcLoss(x, rows(padded, 6), list(frames), list(labels), options(Reduction::None)));
  for (size_t n = 0; n < 6; ++n)
    EXPECT_NEAR(losses[n], lossByPaths(x, static_cast<int64_t>(n), frames[n], own[n]), 1e-12) << n;
}

TEST(CtcLoss, TargetsInRowsOneAfterTheOtherAndOfOneSampleAgree) {
  const Tensor x = logProbsOf({7, 3, 4});
  const Tensor lengths = list({2, 0, 3});
  const auto with = [](Reduction r) { return options(r); };
  for (Reduction r : {Reduction::None, Reduction::Mean, Reduction::Sum}) {
    const Tensor padded = ctcLoss(x, rows({1, 1, 0, 0, 0, 0, 3, 2, 3}, 3), {}, lengths, with(r));
    const Tensor joined = ctcLoss(x, list({1, 1, 3, 2, 3}), {}, lengths, with(r));
    EXPECT_EQ(numbersOf(padded), numbersOf(joined));
  }
  const Tensor each = ctcLoss(x, list({1, 1, 3, 2, 3}), {}, lengths, with(Reduction::None));
  const Tensor third = select(x, 1, 2);
  const Tensor single = ctcLoss(third, list({3, 2, 3}), {}, {}, with(Reduction::None));
  EXPECT_EQ(single.ndim(), 0);
  EXPECT_EQ(numbersOf(single)[0], numbersOf(each)[2]);
  EXPECT_NEAR(numbersOf(ctcLoss(third, list({3, 2, 3})))[0], numbersOf(each)[2] / 3, 1e-15);
  // lengths that say nothing new
  const Tensor all = rows({1, 2, 3, 1, 2, 1}, 3);
  EXPECT_EQ(numbersOf(ctcLoss(x, all)),
            numbersOf(ctcLoss(x, all, list({7, 7, 7}), list({2, 2, 2}))));
}

/// The gradients by the fused operator and by recorded ones.
std::pair<Tensor, Tensor> bothGradients(const Tensor& logits, const Tensor& targets,
                                        const Tensor& frames, const Tensor& labels,
                                        bool zeroInfinity) {
  Tensor found[2];
  for (bool graph : {false, true}) {
    const Tensor x = converted(logits, logits.dtype());
    autograd::setRequiresGrad(x);
    const Tensor loss = sum(ctcLoss(logSoftmax(x, 2), targets, frames, labels,
                                    options(Reduction::None, 1, zeroInfinity)));
    found[graph] = autograd::grad({&loss, 1}, std::vector{x}, {}, {.createGraph = graph})[0];
  }
  return {found[0], found[1]};
}

TEST(CtcLoss, BothGradientsAgree) {
  const Tensor logits = makeInput({{9, 4, 5}, SampleInput::Values::Uniform, -3, 3}, 8);
  const Tensor targets = rows({0, 0, 2, 4, 2, 3, 4, 0, 2, 2, 2, 2}, 4);
  const Tensor frames = list({9, 8, 5, 2});
  const Tensor labels = list({3, 2, 0, 2});
  for (bool zeroInfinity : {false, true}) {
    const auto [fused, traced] = bothGradients(logits, targets, frames, labels, zeroInfinity);
    EXPECT_TRUE(near(traced, fused, {1e-10, 1e-12}));
    // the last sample has 2 frames for two equal labels: no alignment
    const Tensor lost = select(fused, 1, 3);
    const std::vector<double> first = numbersOf(select(lost, 0, 1));
    for (double g : first) EXPECT_TRUE(zeroInfinity ? g == 0 : std::isnan(g)) << g;
    EXPECT_EQ(numbersOf(select(lost, 0, 2)), std::vector<double>(5, 0));  // behind its frames
  }
}

/// The gradient by recorded operators, and the gradient of the sum of its squares.
std::pair<Tensor, Tensor> tracedGradients(const Tensor& logProbs, const Tensor& targets) {
  const Tensor x = converted(logProbs, logProbs.dtype());
  autograd::setRequiresGrad(x);
  const Tensor loss = ctcLoss(x, targets, {}, {}, options(Reduction::Sum));
  const Tensor first = autograd::grad({&loss, 1}, std::vector{x}, {}, {.createGraph = true})[0];
  const Tensor squares = sum(square(first));
  return {first, autograd::grad({&squares, 1}, std::vector{x}, {}, {})[0]};
}

TEST(CtcLoss, TracedGradientsOfEveryTypeAreComputedInF64) {
  struct Row {
    DType dtype;
    int64_t frames;
    Tolerance first, second;
  };
  const Row wanted[] = {{DType::F32, 400, {1e-6, 1e-7}, {1e-5, 1e-6}},
                        {DType::F16, 60, {0x1p-10, 0x1p-23}, {0x1p-7, 0x1p-9}},
                        {DType::BF16, 60, {0x1p-7, 0x1p-23}, {0x1p-5, 0x1p-6}},
                        {DType::BF16, 400, {0x1p-7, 0x1p-23}, {0x1p-5, 0x1p-6}}};
  for (const Row& row : wanted) {
    SCOPED_TRACE(dtypeName(row.dtype));
    const Tensor x = converted(logProbsOf({row.frames, 2, 12}), row.dtype);
    const Tensor targets = rows({1, 2, 2, 3, 11, 5, 6, 1, 4, 4, 4, 7, 8, 9}, 2);
    const auto [first, second] = tracedGradients(x, targets);
    const auto [exact, exactSecond] = tracedGradients(converted(x, DType::F64), targets);
    EXPECT_EQ(first.dtype(), row.dtype);
    for (double g : numbersOf(exactSecond)) ASSERT_TRUE(std::isfinite(g));
    EXPECT_TRUE(near(first, converted(exact, row.dtype), row.first));
    EXPECT_TRUE(near(second, converted(exactSecond, row.dtype), row.second));
  }
}

TEST(CtcLoss, ImpossibleAlignmentsAreInfiniteOrNothing) {
  const Tensor x = logProbsOf({2, 3, 3});
  const Tensor targets = rows({1, 1, 1, 2, 2, 1}, 3);
  const Tensor frames = list({2, 2, 0});
  const std::vector<double> losses =
      numbersOf(ctcLoss(x, targets, frames, {}, options(Reduction::None)));
  EXPECT_EQ(losses[0], kInf);  // 1 1 needs a blank between
  EXPECT_NEAR(losses[1], lossByPaths(x, 1, 2, {1, 2}), 1e-12);
  EXPECT_EQ(losses[2], kInf);  // no frames
  const std::vector<double> kept =
      numbersOf(ctcLoss(x, targets, frames, {}, options(Reduction::None, 0, true)));
  EXPECT_EQ(kept, (std::vector<double>{0, losses[1], 0}));
  EXPECT_EQ(numbersOf(ctcLoss(x, targets, frames, {}, options(Reduction::Mean)))[0], kInf);
  EXPECT_NEAR(numbersOf(ctcLoss(x, targets, frames, {}, options(Reduction::Mean, 0, true)))[0],
              losses[1] / 6, 1e-15);
  // no labels and no frames: the empty alignment is sure
  EXPECT_EQ(
      numbersOf(ctcLoss(x, targets, list({0, 0, 0}), list({0, 0, 0}), options(Reduction::None))),
      (std::vector<double>{0, 0, 0}));
}

TEST(CtcLoss, LongSequencesOfF32KeepTheirPrecision) {
  const Tensor wide = logProbsOf({400, 2, 20});
  const Tensor narrow = converted(wide, DType::F32);
  Labels labels;
  for (int64_t i = 0; i < 200; ++i) labels.push_back(1 + i * 7 % 19);
  const auto run = [&](const Tensor& x) {
    const Tensor leaf = converted(x, x.dtype());
    autograd::setRequiresGrad(leaf);
    const Tensor loss = ctcLoss(leaf, rows(labels, 2), {}, {}, options(Reduction::Sum));
    autograd::backward(loss);
    return std::pair{loss, autograd::gradOf(leaf)};
  };
  const auto [loss, grad] = run(narrow);
  const auto [exact, exactGrad] = run(converted(narrow, DType::F64));
  EXPECT_TRUE(near(loss, exact, {1e-7, 0}));
  EXPECT_TRUE(near(grad, exactGrad, {1e-6, 1e-7}));
  // every frame writes one class
  for (double total : numbersOf(sum(grad, {2}))) EXPECT_NEAR(total, -1, 1e-5);
}

TEST(CtcLoss, SameBitsForEveryThreadCount) {
  const Tensor x = logProbsOf({30, 9, 6});
  const Tensor targets = rows(Labels(45, 3), 9);
  const auto wanted = ctcLoss(x, targets, {}, {}, options(Reduction::None)).toBytes();
  for (int threads : {1, 2, 3}) {
    cpu::setThreadCount(threads);
    EXPECT_EQ(ctcLoss(x, targets, {}, {}, options(Reduction::None)).toBytes(), wanted);
  }
  cpu::setThreadCount(0);
}

TEST(CtcLoss, RefusalsNameTheSample) {
  const Tensor x = logProbsOf({4, 2, 3});
  const Tensor targets = rows({1, 2, 2, 1}, 2);
  EXPECT_EQ(errorOf([&] {
              ctcLoss(x, targets, list({4, 5}));
            }),
            "[ctc_loss] sample 1 has 5 frames, wanted 0 .. 4");
  EXPECT_EQ(errorOf([&] {
              ctcLoss(x, targets, {}, list({-1, 2}));
            }),
            "[ctc_loss] sample 0 has -1 labels, wanted 0 .. 2");
  EXPECT_EQ(errorOf([&] {
              ctcLoss(x, rows({1, 2, 2, 3}, 2));
            }),
            "[ctc_loss] label 3 of sample 1 (place 1) is outside the classes 0 .. 2");
  EXPECT_EQ(errorOf([&] {
              ctcLoss(x, rows({1, 0, 2, 2}, 2));
            }),
            "[ctc_loss] label 0 of sample 0 (place 1) is the blank");
  EXPECT_EQ(errorOf([&] {
              ctcLoss(x, list({1, 2, 2}), {}, list({1, 1}));
            }),
            "[ctc_loss] target_lengths add up to 2, but targets has 3 labels");
  EXPECT_EQ(errorOf([&] {
              ctcLoss(x, list({1, 2, 2}), {}, list({4, -1}));
            }),
            "[ctc_loss] sample 0 has 4 labels, wanted 0 .. 3");
  EXPECT_EQ(errorOf([&] {
              ctcLoss(x, list({1, 2, 2}), {}, list({3, -1}));
            }),
            "[ctc_loss] sample 1 has -1 labels, wanted 0 .. 3");
  EXPECT_EQ(errorOf([&] { ctcLoss(x, targets, list({4})); }),
            "[ctc_loss] input_lengths wants shape [2] (one length a sample), got [1]: log_probs "
            "[4, 2, 3], targets [2, 2], input_lengths [1]");
}

}  // namespace
}  // namespace tenon::test
