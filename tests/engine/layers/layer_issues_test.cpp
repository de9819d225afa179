// SPDX-License-Identifier: Apache-2.0
// What layers say when parameters and input do not fit: place, wanted and got.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/engine/layers/layer_case.h"

namespace tenon::test {
namespace {

using Ints = std::vector<int64_t>;

struct Refusal {
  const char* layer;
  ParamMap params;
  std::vector<Ints> inputs;  ///< without the batch
  const char* text;
};

void checkAll(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    std::vector<PortShape> shapes;
    for (const Ints& sizes : refusal.inputs) shapes.push_back(portShape(sizes));
    const LayerCase layer(refusal.layer, refusal.params, shapes);
    EXPECT_EQ(layer.issue(), refusal.text) << refusal.layer;
    EXPECT_TRUE(hasErrors(layer.plan().issues)) << refusal.layer;
    EXPECT_TRUE(layer.plan().outputs.empty()) << refusal.layer;
  }
}

TEST(LayerIssues, Convolutions) {
  checkAll({
      {"conv1d", {}, {{3, 4, 4}}, "wants an input with 3 axes (N×C×L), got 4 (N×3×4×4)"},
      {"conv3d", {}, {{3, 4, 4}}, "wants an input with 5 axes (N×C×D×H×W), got 4 (N×3×4×4)"},
      {"conv1d",
       {{"kernel_size", int64_t{9}}},
       {{3, 4}},
       "field 'kernel_size': kernel 9 does not fit into the input N×3×4 with its padding"},
      {"conv3d",
       {{"kernel_size", Ints{1, 5, 1}}},
       {{3, 4, 4, 4}},
       "field 'kernel_size': kernel 1x5x1 does not fit into the input N×3×4×4×4 with its padding"},
      {"conv2d",
       {{"groups", int64_t{2}}},
       {{3, 4, 4}},
       "field 'groups': groups 2 must divide the 3 input and the 32 output channels"},
      {"conv2d",
       {{"padding", Ints{4, 4}}, {"padding_mode", std::string("reflect")}},
       {{3, 4, 4}},
       "field 'padding': there are 3 elements to repeat outside an axis of 4, padding wants 4"},
      {"conv_transpose2d",
       {{"output_padding", Ints{2, 0}}},
       {{3, 4, 4}},
       "field 'output_padding': output padding must be below stride or dilation, 2; got 2"},
      {"conv_transpose1d",
       {{"padding", int64_t{9}}},
       {{3, 4}},
       "field 'padding': padding takes away the whole output of the input N×3×4"},
  });
}

TEST(LayerIssues, PoolsAndPadding) {
  checkAll({
      {"max_pool1d", {}, {{3}}, "wants an input with 3 axes (N×C×L), got 2 (N×3)"},
      {"max_pool3d",
       {{"padding", Ints{0, 2, 0}}},
       {{3, 4, 4, 4}},
       "field 'padding': padding is at most half the window 2x2x2, got 0x2x0"},
      {"avg_pool1d",
       {{"kernel_size", int64_t{5}}},
       {{3, 4}},
       "field 'kernel_size': window 5 does not fit into the input N×3×4 with its padding"},
      {"adaptive_max_pool2d", {}, {{3, 4}}, "wants an input with 4 axes (N×C×H×W), got 3 (N×3×4)"},
      {"pad",
       {{"padding", Ints{1, 2, 3}}},
       {{3, 4, 4}},
       "field 'padding': wants 1 or 4 numbers for N×3×4×4, got 1, 2, 3"},
      {"pad",
       {{"padding", Ints{5}}, {"mode", std::string("circular")}},
       {{3, 4}},
       "field 'padding': there are 4 elements to repeat outside an axis of 4, padding wants 5"},
      {"pad",
       {},
       {{1, 2, 3, 4, 5}},
       "wants an input with at most 5 axes (N×C×D×H×W), got 6 (N×1×2×3×4×5)"},
      {"upsample",
       {},
       {{1, 2, 3, 4, 5}},
       "wants an input with at most 5 axes (N×C×D×H×W), got 6 (N×1×2×3×4×5)"},
      {"upsample",
       {{"mode", std::string("cubic")}},
       {{3, 4}},
       "wants an input with 4 axes (N×C×H×W), got 3 (N×3×4)"},
      {"upsample",
       {{"size", Ints{8, 8, 8}}},
       {{3, 4, 4}},
       "field 'size': cannot make N×3×8×8×8 of the input N×3×4×4"},
      {"upsample",
       {{"scale_factor", 0.1}},
       {{3, 4}},
       "field 'scale_factor': cannot make N×3×0 of the input N×3×4"},
      {"pixel_shuffle",
       {},
       {{3, 4, 4}},
       "field 'factor': the square of the factor, 4, must divide the 3 channels"},
      {"pixel_unshuffle",
       {{"factor", int64_t{3}}},
       {{3, 6, 4}},
       "field 'factor': the factor 3 must divide height and width of N×3×6×4"},
  });
}

TEST(LayerIssues, ShapesAndAxes) {
  checkAll({
      {"reshape",
       {{"shape", Ints{5, -1}}},
       {{3, 4}},
       "field 'shape': 12 elements do not fit the sizes 5, -1 (one of them may be -1)"},
      {"reshape",
       {{"shape", Ints{-1, -1}}},
       {{3, 4}},
       "field 'shape': 12 elements do not fit the sizes -1, -1 (one of them may be -1)"},
      {"reshape",
       {{"shape", Ints{3, 0}}},
       {{3, 4}},
       "field 'shape': 12 elements do not fit the sizes 3, 0 (one of them may be -1)"},
      {"reshape",  // the product is 12 more than a multiple of 2^64
       {{"shape", Ints{11543190, 98954, 8681, 5581}}},
       {{3, 4}},
       "field 'shape': 12 elements do not fit the sizes 11543190, 98954, 8681, 5581 (one of them "
       "may be -1)"},
      {"unflatten",
       {{"axis", int64_t{3}}},
       {{3, 4}},
       "field 'axis': wants an axis behind the batch of N×3×4, got 3"},
      {"flatten",
       {{"first_axis", int64_t{2}}, {"last_axis", int64_t{1}}},
       {{3, 4}},
       "field 'last_axis': the last axis 1 lies before the first 2"},
      {"permute",
       {{"order", Ints{1, 1}}},
       {{3, 4}},
       "field 'order': wants each of the axes 1 to 2 of N×3×4 once"},
      {"transpose",
       {{"second", int64_t{0}}},
       {{3, 4}},
       "field 'second': wants an axis behind the batch of N×3×4, got 0"},
      {"glu",
       {},
       {{3, 5}},
       "field 'axis': wants an even size to cut in half, axis 2 of N×3×5 has 5"},
      {"softmax",
       {{"axis", int64_t{-3}}},
       {{3, 4}},
       "field 'axis': wants an axis behind the batch of N×3×4, got -3"},
      {"hard_tanh",
       {{"min", 2.0}},
       {{3}},
       "field 'max': the lowest value 2 must be below the highest 1"},
      {"concat", {}, {{3, 4}, {3, 5}}, "inputs may differ along axis 1 only, got N×3×4 and N×3×5"},
      {"multiply",
       {},
       {{3, 4}, {3, 5}},
       "inputs must have one shape, but for sizes of 1; got N×3×4 and N×3×5"},
      {"subtract",
       {},
       {{3, 4}, {4}},
       "inputs must have one shape, but for sizes of 1; got N×3×4 and N×4"},
      {"add", {}, {{3, 4}, {3, 1}}, "inputs must have one shape, got N×3×4 and N×3×1"},
  });
}

TEST(LayerIssues, NormsAndSequences) {
  checkAll({
      {"batch_norm1d",
       {},
       {{3, 4, 4}},
       "wants an input with 2 or 3 axes (N×C or N×C×L), got 4 (N×3×4×4)"},
      {"batch_norm3d", {}, {{3}}, "wants an input with 5 axes (N×C×D×H×W), got 2 (N×3)"},
      {"instance_norm", {}, {{3, 1, 1}}, "wants more than one place a channel, got N×3×1×1"},
      {"layer_norm", {}, {{}}, "wants an input with at least 2 axes (N×C), got 1 (N)"},
      {"lstm", {}, {{3}}, "wants a sequence with 3 axes (N×steps×features), got 2 (N×3)"},
      {"gru", {}, {{3, 0}}, "wants known sizes above 0, got N×3×0"},
      {"lstm", {}, {{3, 4}, {3}}, "'lengths' wants N, got f32 N×3"},
      {"rnn",
       {{"num_layers", int64_t{2}}, {"bidirectional", true}},
       {{3, 4}, {}, {2, 128}},
       "'h0' wants f32 N×4×128, got f32 N×2×128"},
      {"lstm", {}, {{3, 4}, {}, {1, 128}, {128}}, "'c0' wants f32 N×1×128, got f32 N×128"},
      {"self_attention",
       {{"kv_heads", int64_t{3}}},
       {{3, 16}},
       "field 'kv_heads': 3 heads of keys and values must divide the 8 heads"},
      {"self_attention",
       {{"kv_heads", int64_t{16}}},
       {{3, 16}},
       "field 'kv_heads': 16 heads of keys and values must divide the 8 heads"},
      {"multi_head_attention",
       {},
       {{3, 16}, {4, 16}, {4, 16}, {3}},
       "'mask' wants bool or f32, N×4 or N×3×4, got f32 N×3"},
      {"transformer_encoder",
       {},
       {{3, 16}, {3, 4}},
       "'mask' wants bool or f32, N×3 or N×3×3, got f32 N×3×4"},
      {"transformer_decoder",
       {},
       {{3, 16}, {4, 16}, {3}, {3}},
       "'memory_mask' wants bool or f32, N×4 or N×3×4, got f32 N×3"},
      {"self_attention", {}, {{3, 12}}, "field 'num_heads': 8 heads must divide the 12 features"},
      {"multi_head_attention",
       {},
       {{3, 16}, {4, 16}, {5, 16}},
       "key and value want equally many steps, got N×4×16 and N×5×16"},
      {"transformer_decoder",
       {},
       {{3, 16}, {4, 8}},
       "the memory wants as many features as the input, got N×4×8 and N×3×16"},
      {"transformer_decoder",
       {},
       {{3, 16}, {8}},
       "wants a sequence with 3 axes (N×steps×features), got 2 (N×8)"},
      {"embedding",
       {{"num_embeddings", int64_t{5}}, {"padding_index", int64_t{5}}},
       {{3}},
       "field 'padding_index': the padding token 5 must be one of the 5 tokens"},
  });
}

TEST(LayerIssues, AListOfTheWrongLengthIsRefusedByTheForm) {
  EXPECT_THROW(LayerCase("conv3d", {{"kernel_size", Ints{3, 3}}}, {portShape({3, 4, 4, 4})}),
               Error);
  const LayerCase one("conv3d", {{"kernel_size", int64_t{2}}}, {portShape({3, 4, 4, 4})});
  EXPECT_EQ(toString(one.plan().outputs.at(0)), "N×32×3×3×3");
}

/// Costs that the canvas shows, counted by hand.
TEST(LayerCosts, AreCountedByHand) {
  const auto flops = [](const char* id, const ParamMap& params, std::vector<PortShape> shapes) {
    return LayerCase(id, params, std::move(shapes)).plan().flops;
  };
  // 32 filters of 3 taps over 2 channels at 6 places, a multiply-add is 2, and a bias
  EXPECT_EQ(flops("conv1d", {}, {portShape({2, 8})}), 32 * 6 * (2 * 2 * 3 + 1));
  // each of 2 * 4 elements puts 3 taps into 32 channels; a bias at 9 places
  EXPECT_EQ(flops("conv_transpose1d", {}, {portShape({2, 4})}), 2 * 4 * 32 * 3 * 2 + 32 * 9);
  EXPECT_EQ(flops("max_pool3d", {}, {portShape({2, 4, 4, 4})}), 2 * 8 * 8);
  // 5 steps, two directions, 4 gates of 8 units from 3 inputs and 8 states
  EXPECT_EQ(
      flops("lstm", {{"hidden_size", int64_t{8}}, {"bidirectional", true}}, {portShape({5, 3})}),
      5.0 * 2 * 2 * 4 * 8 * (3 + 8));
  // 4 projections of 16 by 16 for 5 steps; scores and sums of 5 by 5 steps and 16 features
  EXPECT_EQ(flops("self_attention", {}, {portShape({5, 16})}),
            4 * 2 * 5 * 16 * 16 + 2 * 2 * 5 * 5 * 16);
}

}  // namespace
}  // namespace tenon::test
