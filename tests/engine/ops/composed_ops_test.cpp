// SPDX-License-Identifier: Apache-2.0
// What functions made of other operators refuse and with which words, which kernels they reach, and
// what PyTorch's cases leave open: masks by their formula, empty and single places.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/ops/attention/attention.h"
#include "engine/ops/conv/conv.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/layer_norm/group_norm.h"
#include "engine/ops/matmul/einsum.h"
#include "engine/ops/pool/pool.h"
#include "engine/ops/recurrent/recurrent.h"
#include "engine/ops/resize/resize.h"
#include "engine/ops/rms_norm/rms_norm.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

Tensor some(const Shape& shape, DType dtype = DType::F32) {
  return converted(makeInput({shape}, 5), dtype);
}

/// What the call was refused with must begin with `head` and contain `words`.
template <class F>
void expectRefusal(F&& run, const std::string& head, const std::string& words) {
  const std::string text = errorOf(run);
  EXPECT_EQ(text.rfind(head, 0), 0u) << text;
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST(ComposedOps, EinsumSaysWhatItCannotRead) {
  const Tensor a = some({2, 3}), b = some({4, 5});
  const auto refused = [&](const char* equation, std::vector<Tensor> in, const char* words) {
    expectRefusal([&] { einsum(equation, in); }, "[einsum] '", words);
  };
  refused("ij,jk->ik", {a, b}, "'j' has sizes 3 and 4");
  refused("ij,jk->ik", {a}, "has 2 terms for 1 operands");
  refused("ijk->i", {a}, "a term of 3 letters does not name the 2 axes of f32 [2, 3]");
  refused("i->i", {a}, "a term of 1 letters");
  refused("ij->ik", {a}, "'k' is on the right side only");
  refused("ij->ii", {a}, "'i' stands twice on the right side");
  refused("i1->i", {a}, "got '1'");
  refused("......->i", {a}, "'...' stands twice");
  refused("ii->i", {a}, "'i' is 2 and 3 in");
  refused("ij->i", {Tensor()}, "operand 0 is undefined");
  refused("...i,...i->...", {a, some({4, 3})}, "an axis of '...' has sizes 2 and 4");
  expectRefusal([&] { outer(a, b); }, "[outer]", "a wants one axis, got f32 [2, 3]");
  expectRefusal([&] { outer(some({2}), {}); }, "[outer]", "b is undefined");
}

TEST(ComposedOps, EinsumOfWholeNumbersNeedsNoMatmul) {
  const Tensor a = fromNumbers({1, 2, 3}, {3}, DType::I64);
  const Tensor b = fromNumbers({4, 5}, {2}, DType::I64);
  EXPECT_EQ(numbersOf(einsum("i,j->ji", {a, b})), (std::vector<double>{4, 8, 12, 5, 10, 15}));
  EXPECT_EQ(numbersOf(einsum("i,i->", {a, a})), std::vector<double>{14});
  EXPECT_EQ(einsum("i,i->", {a, a}).dtype(), DType::I64);
}

TEST(ComposedOps, NormsSayWhatTheyWant) {
  expectRefusal(
      [] {
        groupNorm(some({2, 5, 3}), 2, {}, {});
      },
      "[group_norm]", "5 channels do not divide into 2 groups: f32 [2, 5, 3]");
  expectRefusal([] { groupNorm(some({4}), 1, {}, {}); }, "[group_norm]", "at least 2 axes");
  expectRefusal(
      [] {
        groupNorm(some({2, 4}), 2, some({3}), {});
      },
      "[group_norm]", "gamma wants f32 [4] (one value a channel), got f32 [3]");
  expectRefusal(
      [] {
        groupNorm(some({2, 4}), 2, {}, some({4}, DType::F64));
      },
      "[group_norm]", "beta wants f32 [4]");
  expectRefusal(
      [] {
        instanceNorm(some({2, 3, 1}), {}, {});
      },
      "[instance_norm]", "more than one place a channel, got f32 [2, 3, 1]");
  expectRefusal([] { instanceNorm({}, {}, {}); }, "[instance_norm]", "x is undefined");
  expectRefusal(
      [] {
        const InstanceNormResult batch = instanceNormTraining(some({2, 3, 4}), {}, {});
        instanceNormUpdateStats(some({3}), some({2}), batch, 0.1, 4);
      },
      "[instance_norm]", "[3] (one value a channel)");
}

TEST(ComposedOps, ConvolutionsSayWhatTheyWant) {
  const Tensor line = some({1, 4, 6});
  ConvOptions options;
  expectRefusal([&] { conv(some({1, 4}), line, {}); }, "[conv]", "1 to 3 spatial axes");
  expectRefusal([&] { conv(line, some({2, 4, 3, 3}), {}); }, "[conv1d]", "w wants 3 axes like x");
  expectRefusal(
      [&] {
        conv(line, some({2, 3, 3}), {});
      },
      "[conv1d]", "weight wants 3 channels in each of 1 groups, input has 4");
  expectRefusal(
      [&] {
        conv(line, some({2, 4, 7}), {});
      },
      "[conv1d]", "kernel reaches over 7 elements along axis 2, the padded input has 6");
  expectRefusal(
      [&] {
        conv(line, some({2, 4, 3}), some({3}));
      },
      "[conv1d]", "b wants shape [2] (one value an output channel), got [3]");
  expectRefusal(
      [&] {
        conv(line, some({2, 4, 3}, DType::F64), {});
      },
      "[conv1d]", "wants one floating type, got x f32");
  options.stride = {1, 2};
  expectRefusal(
      [&] {
        conv(line, some({2, 4, 3}), {}, options);
      },
      "[conv1d]", "stride wants 1 or 1 numbers, got 2");
  options.stride = {1};
  options.dilation = {0};
  expectRefusal(
      [&] {
        conv(some({1, 2, 4, 4, 4}), some({2, 2, 1, 1, 1}), {}, options);
      },
      "[conv3d]", "dilation wants at least 1, got 0");
  options.dilation = {1};
  options.padding = {6};
  options.paddingMode = PadMode::Reflect;
  expectRefusal([&] { conv(line, some({2, 4, 3}), {}, options); }, "[pad]", "6 before and 6 after");
}

TEST(ComposedOps, TransposedConvolutionsSayWhatTheyWant) {
  const Tensor line = some({1, 4, 6});
  ConvTransposeOptions options;
  options.outputPadding = {1};
  expectRefusal(
      [&] {
        convTranspose(line, some({4, 2, 3}), {}, options);
      },
      "[conv_transpose1d]",
      "output padding must be below stride or dilation, got 1, 1, 1 along axis 2");
  options.outputPadding = {0};
  options.padding = {5};
  expectRefusal(
      [&] {
        convTranspose(line, some({4, 2, 3}), {}, options);
      },
      "[conv_transpose1d]", "the result would have size -2 along axis 2");
  options.padding = {0};
  expectRefusal(
      [&] {
        convTranspose(line, some({3, 2, 3}), {}, options);
      },
      "[conv_transpose1d]", "weight wants 3 input channels, x has 4");
  options.groups = 2;
  expectRefusal(
      [&] {
        convTranspose(line, some({4, 2, 3}), some({2}), options);
      },
      "[conv_transpose1d]", "b wants shape [4]");
}

TEST(ComposedOps, PoolingSaysWhatItWants) {
  PoolOptions options;
  options.kernel = {3};
  options.padding = {2};
  expectRefusal(
      [&] {
        maxPool(some({1, 2, 8}), options);
      },
      "[max_pool1d]", "padding wants at most half the kernel, got 2 for 3 along axis 2");
  options.padding = {0};
  expectRefusal(
      [&] {
        avgPool(some({1, 2, 4, 4, 2}), options);
      },
      "[avg_pool3d]", "window of 3 is larger than the padded axis 4");
  expectRefusal(
      [&] {
        adaptiveMaxPool(some({1, 2, 0}), {2});
      },
      "[adaptive_max_pool1d]", "axis 2 of f32 [1, 2, 0] cpu is empty");
  expectRefusal(
      [&] {
        adaptiveAvgPool(some({1, 2, 3}), {0});
      },
      "[adaptive_avg_pool1d]", "size wants at least 1, got 0");
  expectRefusal([&] { maxPool({}, options); }, "[max_pool]", "x is undefined");
}

TEST(ComposedOps, ResizingSaysWhatItWants) {
  expectRefusal(
      [] {
        interpolate(some({1, 2, 3}), {4}, {Interpolation::Nearest, true});
      },
      "[interpolate]", "for linear and cubic");
  expectRefusal(
      [] {
        interpolate(some({1, 2, 3}, DType::I64), {4}, {Interpolation::Linear});
      },
      "[interpolate]", "x must be floating, got i64");
  expectRefusal(
      [] {
        interpolate(some({1, 2, 3, 4}), {4, 4, 4});
      },
      "[interpolate]", "size wants 1 or 2 numbers, got 3");
  expectRefusal([] { interpolate(some({1, 2, 0}), {4}); }, "[interpolate]", "axis 2 is empty");
  expectRefusal(
      [] {
        pixelShuffle(some({1, 6, 2, 2}), 2);
      },
      "[pixel_shuffle]", "6 channels do not divide into squares of 2 x 2");
  expectRefusal(
      [] {
        pixelUnshuffle(some({1, 2, 3, 4}), 2);
      },
      "[pixel_unshuffle]", "do not divide by 2");
  expectRefusal([] { pixelShuffle(some({4, 2, 2}), 2); }, "[pixel_shuffle]", "4 axes");
}

TEST(ComposedOps, NearestMovesElementsOfAnyType) {
  const Tensor x = fromNumbers({1, 0, 1}, {1, 1, 3}, DType::Bool);
  const Tensor y = interpolate(x, {6});
  EXPECT_EQ(y.dtype(), DType::Bool);
  EXPECT_EQ(numbersOf(y), (std::vector<double>{1, 1, 0, 0, 1, 1}));
}

// One number as mask: added to all scores it changes nothing; "false" hides every key.
TEST(ComposedOps, AttentionTakesAMaskOfNoAxes) {
  const Tensor q = some({2, 3, 4}), k = some({2, 5, 4}), v = some({2, 5, 4});
  AttentionOptions options;
  options.mask = fromNumbers({0.5}, {}, DType::F32);
  EXPECT_TRUE(near(attention(q, k, v, options), attention(q, k, v), toleranceOf(DType::F32)));
  options.mask = fromNumbers({0}, {}, DType::Bool);
  EXPECT_EQ(numbersOf(attention(q, k, v, options)), std::vector<double>(24, 0.0));
}

TEST(ComposedOps, AttentionSaysWhatItWants) {
  const Tensor q = some({2, 3, 4}), k = some({2, 5, 4}), v = some({2, 5, 4});
  AttentionOptions options;
  expectRefusal(
      [&] {
        attention(q, some({2, 5, 3}), v);
      },
      "[attention]", "q and k want equal last axes: q [2, 3, 4], k [2, 5, 3]");
  expectRefusal([&] { attention(q, k, some({2, 4, 4})); }, "[attention]", "equally many keys");
  expectRefusal(
      [&] {
        attention(q, k, some({2, 5, 4}, DType::F64));
      },
      "[attention]", "one floating type, got q f32, k f32, v f64");
  options.dropout = 1.5;
  expectRefusal([&] { attention(q, k, v, options); }, "[attention]", "0 .. 1, got 1.5");
  options = {};
  options.causal = true;
  options.mask = some({3, 5});
  expectRefusal([&] { attention(q, k, v, options); }, "[attention]", "not both");
  options.causal = false;
  options.mask = some({3, 4});
  expectRefusal([&] { attention(q, k, v, options); }, "[attention]", "[3, 4]");
  options.mask = some({3, 5}, DType::F64);
  expectRefusal([&] { attention(q, k, v, options); }, "[attention]", "mask wants bool or f32");
  options.mask = some({4, 3, 5});
  expectRefusal([&] { attention(q, k, v, options); }, "[attention]", "[4, 3, 5]");
  options = {};
  options.groupedHeads = true;
  expectRefusal(
      [&] {
        attention(some({3, 3, 4}), k, v, options);
      },
      "[attention]", "3 heads of q do not divide by those of k and v");
}

RecurrentWeights weightsFor(RecurrentKind kind, int64_t in, int64_t hidden) {
  const int64_t rows = gatesOf(kind) * hidden;
  return {some({rows, in}), some({rows, hidden}), some({rows}), some({rows})};
}

TEST(ComposedOps, RecurrentNetworksSayWhatTheyWant) {
  const Tensor x = some({4, 2, 3});
  RecurrentOptions options;
  const RecurrentWeights good = weightsFor(options.kind, 3, 2);
  const auto refused = [&](const std::vector<RecurrentWeights>& weights,
                           const RecurrentState& start, const char* words) {
    expectRefusal([&] { recurrent(x, weights, start, options); }, "[recurrent]", words);
  };
  refused({}, {}, "wants weights for each of 1 directions of a layer, got 0");
  refused({weightsFor(options.kind, 4, 2)}, {},
          "input of weights 0 wants f32 [8, 3], got f32 [8, 4]");
  refused({good, weightsFor(options.kind, 3, 2)}, {}, "input of weights 1 wants f32 [8, 2]");
  refused({weightsFor(RecurrentKind::Gru, 3, 2)}, {},
          "input of weights 0 wants f32 [8, 3], got f32 [6");
  refused({good}, {some({2, 2, 2}), {}}, "hidden state wants f32 [1, 2, 2], got f32 [2, 2, 2]");
  refused({good}, {{}, some({1, 2, 3})}, "cell state wants f32 [1, 2, 2]");
  options.lengths = {4};
  refused({good}, {}, "a length for each of 2 sequences, got 1");
  options.lengths = {5, 1};
  refused({good}, {}, "lengths must be 1 .. 4, got 5");
  options.lengths = {};
  options.bidirectional = true;
  refused({good}, {}, "each of 2 directions");
  expectRefusal([&] { recurrent(some({4, 3}), {good}); }, "[recurrent]", "x wants 3 axes");
}

/// Each part of x, kept or dropped as the numbers of the generator say.
void expectParts(const Tensor& y, const Tensor& x, double p, int64_t parts) {
  const philox::Key key = philox::makeKey(42, philox::Purpose::Dropout, 0);
  const std::vector<double> got = numbersOf(y), from = numbersOf(x);
  const int64_t each = x.numel() / parts;
  int64_t kept = 0;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const bool keep = philox::uniform01(key, 7, static_cast<uint64_t>(i / each)) >= p;
    const auto at = static_cast<size_t>(i);
    EXPECT_NEAR(got[at], keep ? from[at] / (1 - p) : 0, 1e-12) << i;
    kept += keep;
  }
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, x.numel());
}

TEST(ComposedOps, WholePartsAreDroppedAsTheGeneratorSays) {
  const auto fresh = [](auto&& run) {
    Generator generator{42, 7};
    const gate::GeneratorGuard guard(generator);
    return run();
  };
  const Tensor x = some({4, 6, 2, 3}, DType::F64);
  for (Lay lay : kLays) {
    SCOPED_TRACE(layName(lay));
    const Tensor lies = laid(x, lay);
    expectParts(fresh([&] { return channelDropout(lies, 0.4, true); }), x, 0.4, 24);
    expectParts(fresh([&] { return stochasticDepth(lies, 0.4, true); }), x, 0.4, 4);
  }
  const Tensor batch = fresh([&] { return stochasticDepth(x, 0.999, true, false); });
  EXPECT_TRUE(near(batch, Tensor::zeros(x.shape(), DType::F64), {}));
  EXPECT_EQ(channelDropout(x, 0.4, false).impl(), x.impl());
  EXPECT_EQ(stochasticDepth(x, 0, true).impl(), x.impl());
  expectRefusal([&] { channelDropout(x, -1, true); }, "[channel_dropout]", "0 .. 1, got -1");
  expectRefusal([&] { channelDropout(some({3}), 0.5, true); }, "[channel_dropout]", "2 axes");
  expectRefusal([&] { stochasticDepth(some({2}, DType::I64), 0.5, true); }, "[stochastic_depth]",
                "x must be floating");
}

TEST(ComposedOps, FastKernelsRunBelow) {
  for (const std::string& level : levels()) {
    SCOPED_TRACE(level);
    const LevelGuard guard(level.c_str());
    KernelLog log;
    conv(some({2, 16, 20}), some({16, 16, 3}), some({16}));
    EXPECT_EQ(log.last("conv2d"), "onednn");
    conv(some({1, 8, 4, 6, 6}), some({16, 8, 3, 3, 3}), {});
    EXPECT_EQ(log.last("conv2d"), "onednn");
    convTranspose(some({2, 16, 8, 8}), some({16, 8, 2, 2}), {});
    EXPECT_EQ(log.last("conv2d_backward_data"), "onednn");
    attention(some({2, 8, 16, 8}), some({2, 8, 16, 8}), some({2, 8, 16, 8}));
    EXPECT_EQ(log.last("matmul"), "gemm");
    EXPECT_EQ(log.last("softmax"), "simd");
    groupNorm(some({2, 8, 4, 4}), 4, some({8}), some({8}));
    EXPECT_EQ(log.last("layer_norm"), "simd");
    interpolate(some({1, 3, 8, 8}), {16}, {Interpolation::Linear});
    EXPECT_EQ(log.last("resample"), "rows");
    rmsNorm(some({4, 32}), some({32}));
    EXPECT_EQ(log.last("rms_norm"), "simd");
  }
}

TEST(ComposedOps, ABatchOfOneSampleStaysItself) {
  RecurrentOptions options;
  options.kind = RecurrentKind::RnnTanh;
  const RecurrentWeights weights = {
      fromNumbers({0.5}, {1, 1}, DType::F64), fromNumbers({2}, {1, 1}, DType::F64), {}, {}};
  const Tensor x = fromNumbers({1, -1}, {2, 1, 1}, DType::F64);
  const RecurrentResult result = recurrent(x, {weights}, {}, options);
  const double first = std::tanh(0.5), second = std::tanh(-0.5 + 2 * first);
  EXPECT_TRUE(near(result.y, fromNumbers({first, second}, {2, 1, 1}, DType::F64), {1e-15, 0}));
  EXPECT_TRUE(near(result.end.hidden, fromNumbers({second}, {1, 1, 1}, DType::F64), {1e-15, 0}));
  EXPECT_FALSE(result.end.cell.defined());
}

}  // namespace
}  // namespace tenon::test
