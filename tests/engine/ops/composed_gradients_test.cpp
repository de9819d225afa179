// SPDX-License-Identifier: Apache-2.0
// Gradients of the functions that are made of other operators - einsum, norms of samples,
// convolution and pooling over any axes, resizing, attention, recurrent networks - against central
// differences, first and second order.
#include <gtest/gtest.h>

#include <functional>

#include "engine/autograd/autograd.h"
#include "engine/autograd/gradcheck.h"
#include "engine/ops/attention/attention.h"
#include "engine/ops/conv/conv.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/layer_norm/group_norm.h"
#include "engine/ops/matmul/einsum.h"
#include "engine/ops/pool/pool.h"
#include "engine/ops/recurrent/recurrent.h"
#include "engine/ops/reduce/cumprod.h"
#include "engine/ops/resize/resize.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using In = std::span<const Tensor>;

struct Checked {
  const char* name;
  std::function<std::vector<Tensor>(In)> run;
  std::vector<SampleInput> inputs;
};

SampleInput distinct(const Shape& shape) { return {shape, SampleInput::Values::Distinct}; }

std::vector<Checked> products() {
  return {
      {"outer", [](In in) { return std::vector{outer(in[0], in[1])}; }, {{{3}}, {{2}}}},
      {"einsum, a batch",
       [](In in) {
         return std::vector{einsum("bij,bjk->bik", {in[0], in[1]})};
       },
       {{{2, 2, 3}}, {{2, 3, 2}}}},
      {"einsum, diagonal and sum",
       [](In in) {
         return std::vector{einsum("iij,jk->ik", {in[0], in[1]})};
       },
       {{{2, 2, 3}}, {{3, 2}}}},
      {"einsum, three operands",
       [](In in) {
         return std::vector{einsum("i,ij,j->", {in[0], in[1], in[2]})};
       },
       {{{2}}, {{2, 3}}, {{3}}}},
      {"fold", [](In in) { return std::vector{fold(in[0], 1, 2, 7)}; }, {{{2, 3, 3}}}},
  };
}

std::vector<Checked> normsAndMasks() {
  return {
      {"group norm",
       [](In in) { return std::vector{groupNorm(in[0], 2, in[1], in[2])}; },
       {{{2, 4, 3}}, {{4}}, {{4}}}},
      {"instance norm",
       [](In in) { return std::vector{instanceNorm(in[0], in[1], {})}; },
       {{{2, 2, 4}}, {{2}}}},
      {"cumprod", [](In in) { return std::vector{cumprod(in[0], 1)}; }, {{{2, 5}}}},
      {"channel dropout",
       [](In in) { return std::vector{channelDropout(in[0], 0.5, true)}; },
       {{{2, 3, 2}}}},
      {"stochastic depth",
       [](In in) { return std::vector{stochasticDepth(in[0], 0.5, true)}; },
       {{{4, 3}}}},
  };
}

std::vector<Checked> overAxes() {
  ConvOptions volume;
  volume.padding = {1, 0, 1};
  volume.dilation = {2, 1, 1};
  ConvOptions mirrored;
  mirrored.padding = {1};
  mirrored.paddingMode = PadMode::Reflect;
  ConvTransposeOptions turned;
  turned.stride = {2};
  turned.padding = {1};
  turned.outputPadding = {1};
  PoolOptions pool;
  pool.kernel = {2};
  pool.stride = {1};
  return {
      {"conv of lines, mirrored",
       [=](In in) { return std::vector{conv(in[0], in[1], in[2], mirrored)}; },
       {{{1, 2, 4}}, {{2, 2, 3}}, {{2}}}},
      {"conv of volumes",
       [=](In in) { return std::vector{conv(in[0], in[1], in[2], volume)}; },
       {{{1, 2, 3, 2, 2}}, {{2, 2, 2, 1, 2}}, {{2}}}},
      {"transposed conv of lines",
       [=](In in) { return std::vector{convTranspose(in[0], in[1], in[2], turned)}; },
       {{{1, 2, 3}}, {{2, 2, 3}}, {{2}}}},
      {"transposed conv of volumes",
       [=](In in) { return std::vector{convTranspose(in[0], in[1], {}, turned)}; },
       {{{1, 2, 2, 2, 1}}, {{2, 1, 2, 2, 3}}}},
      {"max pool of volumes",
       [=](In in) { return std::vector{maxPool(in[0], pool)}; },
       {distinct({1, 2, 3, 3, 3})}},
      {"average pool of volumes",
       [=](In in) { return std::vector{avgPool(in[0], pool)}; },
       {{{1, 2, 3, 3, 3}}}},
      {"adaptive max pool",
       [](In in) {
         return std::vector{adaptiveMaxPool(in[0], {2, 3})};
       },
       {distinct({1, 2, 5, 4})}},
      {"smooth cubic",
       [](In in) {
         return std::vector{interpolate(in[0], {3, 5}, {Interpolation::Cubic, false, true})};
       },
       {{{1, 1, 6, 4}}}},
      {"pixel shuffle",
       [](In in) { return std::vector{pixelShuffle(in[0], 2)}; },
       {{{1, 4, 2, 2}}}},
  };
}

std::vector<Tensor> outputsOf(const RecurrentResult& result) {
  std::vector<Tensor> all = {result.y, result.end.hidden};
  if (result.end.cell) all.push_back(result.end.cell);
  return all;
}

std::vector<Checked> overSequences() {
  AttentionOptions masked, grouped;
  masked.mask = fromNumbers({1, 0, 1, 0, 0, 0}, {2, 3}, DType::Bool);
  grouped.groupedHeads = true;
  grouped.causal = true;
  AttentionOptions dropping;
  dropping.dropout = 0.5;
  RecurrentOptions lstm, gru;
  lstm.lengths = {3, 1};
  gru.kind = RecurrentKind::Gru;
  gru.bidirectional = true;
  return {
      {"attention, a query that sees nothing",
       [=](In in) { return std::vector{attention(in[0], in[1], in[2], masked)}; },
       {{{2, 2}}, {{3, 2}}, {{3, 2}}}},
      {"attention, grouped and causal",
       [=](In in) { return std::vector{attention(in[0], in[1], in[2], grouped)}; },
       {{{4, 2, 2}}, {{2, 2, 2}}, {{2, 2, 2}}}},
      {"attention, an added mask",
       [=](In in) {
         AttentionOptions added;
         added.mask = in[3];
         return std::vector{attention(in[0], in[1], in[2], added)};
       },
       {{{2, 2}}, {{3, 2}}, {{3, 2}}, {{2, 3}}}},
      {"attention with dropout",
       [=](In in) { return std::vector{attention(in[0], in[1], in[2], dropping)}; },
       {{{2, 2}}, {{3, 2}}, {{3, 2}}}},
      {"lstm with lengths",
       [=](In in) {
         return outputsOf(recurrent(in[0], {{in[1], in[2], in[3], in[4]}}, {in[5], in[6]}, lstm));
       },
       {{{3, 2, 2}}, {{8, 2}}, {{8, 2}}, {{8}}, {{8}}, {{1, 2, 2}}, {{1, 2, 2}}}},
      {"gru in both directions",
       [=](In in) {
         return outputsOf(
             recurrent(in[0], {{in[1], in[2], {}, {}}, {in[3], in[4], {}, {}}}, {}, gru));
       },
       {{{3, 1, 2}}, {{6, 2}}, {{6, 2}}, {{6, 2}}, {{6, 2}}}},
  };
}

std::vector<Checked> everything() {
  std::vector<Checked> all;
  for (const auto& family : {products(), normsAndMasks(), overAxes(), overSequences()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

/// The same random numbers at every call, as differences need.
autograd::CheckedFunction repeatable(const Checked& checked) {
  return [&checked](In in) {
    Generator generator{42, 7};
    const gate::GeneratorGuard guard(generator);
    return checked.run(in);
  };
}

std::vector<Tensor> leavesOf(const Checked& checked) {
  std::vector<Tensor> leaves;
  for (size_t i = 0; i < checked.inputs.size(); ++i) {
    leaves.push_back(makeInput(checked.inputs[i], 300 + i));
    autograd::setRequiresGrad(leaves.back());
  }
  return leaves;
}

TEST(ComposedGradients, AgreeWithDifferences) {
  for (const Checked& checked : everything()) {
    SCOPED_TRACE(checked.name);
    const auto result = autograd::gradcheck(repeatable(checked), leavesOf(checked));
    EXPECT_TRUE(result.ok) << result.text;
  }
}

TEST(ComposedGradients, SecondOrderAgreesWithDifferences) {
  for (const Checked& checked : everything()) {
    SCOPED_TRACE(checked.name);
    const auto result = autograd::gradgradcheck(repeatable(checked), leavesOf(checked));
    EXPECT_TRUE(result.ok) << result.text;
  }
}

}  // namespace
}  // namespace tenon::test
