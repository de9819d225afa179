// SPDX-License-Identifier: Apache-2.0
// One table of geometries gives the samples of all three convolution operators.
#include "engine/ops/conv2d/conv2d_samples.h"

#include <span>

#include "engine/ops/conv2d/conv2d.h"

namespace tenon {
namespace {

struct Geometry {
  const char* name;
  Shape x;
  Shape w;
  Conv2dParams params = {};
  bool bias = true;
};

const Geometry kGeometries[] = {
    {"plain", {2, 3, 4, 5}, {4, 3, 3, 3}},
    {"batch of 1", {1, 2, 4, 4}, {3, 2, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}},
    {"no bias", {2, 2, 5, 5}, {3, 2, 2, 3}, {}, false},
    {"1x1 blocked", {2, 8, 3, 5}, {16, 8, 1, 1}},
    {"3x3 blocked", {2, 8, 6, 5}, {8, 8, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}},
    {"few channels into blocked", {3, 1, 7, 6}, {8, 1, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}},
    {"three channels, stride 2", {2, 3, 9, 8}, {8, 3, 5, 5}, {{2, 2}, {2, 2}, {1, 1}, 1}},
    {"stride 2 blocked", {1, 16, 7, 9}, {8, 16, 3, 3}, {{2, 2}, {1, 1}, {1, 1}, 1}},
    {"uneven stride and padding", {2, 3, 7, 8}, {5, 3, 3, 2}, {{2, 3}, {0, 2}, {1, 1}, 1}},
    {"stride leaves pixels over", {1, 2, 8, 8}, {2, 2, 3, 3}, {{3, 3}, {0, 0}, {1, 1}, 1}},
    {"dilation", {2, 2, 9, 8}, {3, 2, 3, 3}, {{1, 1}, {2, 1}, {2, 3}, 1}},
    {"dilation blocked", {1, 8, 7, 7}, {8, 8, 3, 3}, {{1, 1}, {2, 2}, {2, 2}, 1}},
    {"groups", {2, 4, 5, 5}, {6, 2, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 2}},
    {"groups blocked", {1, 16, 5, 4}, {16, 8, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 2}},
    {"depthwise", {2, 8, 6, 6}, {8, 1, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 8}},
    {"channels no multiple of 8", {2, 12, 5, 5}, {9, 12, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}},
    {"into no multiple of 8", {2, 16, 5, 5}, {5, 16, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}},
    {"3x3, many channels", {1, 32, 16, 16}, {32, 32, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, 1}},
    {"1x1, many channels", {2, 40, 6, 6}, {32, 40, 1, 1}, {{1, 2}, {0, 0}, {1, 1}, 1}},
    {"kernel as large as the image", {3, 2, 4, 3}, {5, 2, 4, 3}},
};

Shape outputShape(const Geometry& g) {
  Shape y = {g.x[0], g.w[0], 0, 0};
  for (int a = 0; a < 2; ++a) {
    const Conv2dParams& p = g.params;
    const int64_t reach = p.dilation[a] * (g.w[2 + a] - 1) + 1;
    y[2 + a] = (g.x[2 + a] + 2 * p.padding[a] - reach) / p.stride[a] + 1;
  }
  return y;
}

/// Gradient check takes too long for the others, whose gradients the backward operators' own
/// samples compare.
bool isSmall(const Geometry& g) { return g.x.numel() + g.w.numel() <= 260; }

SampleInput uniform(const Geometry& g, const Shape& shape) {
  SampleInput input{shape};
  input.differentiable = isSmall(g);
  return input;
}

Conv2dGradParams gradParams(const Geometry& g, const Shape& sized) {
  return {g.params, {sized[2], sized[3]}, g.bias};
}

OpSample refused(const char* name, std::vector<SampleInput> inputs, const Conv2dParams& params,
                 std::vector<std::string> words) {
  return {name, std::move(inputs), sampleParams(params), std::move(words)};
}

}  // namespace

std::vector<OpSample> conv2dSamples() {
  std::vector<OpSample> samples;
  for (const Geometry& g : kGeometries) {
    SampleInput bias = uniform(g, {g.w[0]});
    if (!g.bias) bias.values = SampleInput::Values::Absent;
    samples.push_back(
        {g.name, {uniform(g, g.x), uniform(g, g.w), bias}, sampleParams(g.params), {}});
  }
  samples.push_back(refused(
      "channels", {{{8, 4, 32, 32}}, {{16, 3, 3, 3}}, {{16}}}, {},
      {"[conv2d] weight wants 3 channels, input has 4", "x [8, 4, 32, 32], w [16, 3, 3, 3]"}));
  samples.push_back(refused("axes", {{{4, 5, 5}}, {{2, 4, 3, 3}}, {{2}}}, {},
                            {"x wants 4 axes [N, C, H, W], got 3"}));
  samples.push_back(refused("bias", {{{1, 4, 5, 5}}, {{2, 4, 3, 3}}, {{3}}}, {},
                            {"b wants shape [2] (one value an output channel), got [3]"}));
  samples.push_back(refused("too small", {{{1, 1, 2, 5}}, {{1, 1, 3, 3}}, {{1}}}, {},
                            {"kernel reaches over 3 pixels along height, the padded input has 2"}));
  samples.push_back(refused("groups", {{{1, 4, 5, 5}}, {{3, 2, 3, 3}}, {{3}}},
                            {{1, 1}, {0, 0}, {1, 1}, 2},
                            {"3 output channels do not divide into 2 groups"}));
  samples.push_back(refused("stride", {{{1, 1, 5, 5}}, {{1, 1, 3, 3}}, {{1}}},
                            {{1, 0}, {0, 0}, {1, 1}, 1},
                            {"wants stride >= 1", "got 0, 0, 1 along width"}));
  return samples;
}

std::vector<OpSample> conv2dBackwardDataSamples() {
  std::vector<OpSample> samples;
  for (const Geometry& g : kGeometries)
    samples.push_back({g.name,
                       {uniform(g, outputShape(g)), uniform(g, g.w)},
                       sampleParams(gradParams(g, g.x)),
                       {}});
  samples.push_back({"output size",
                     {{{1, 2, 4, 4}}, {{2, 1, 3, 3}}},
                     sampleParams(Conv2dGradParams{{}, {5, 6}, 0}),
                     {"output gradient wants size [3, 4] for input [5, 6]", "got [4, 4]"}});
  samples.push_back({"output channels",
                     {{{1, 3, 3, 4}}, {{2, 1, 3, 3}}},
                     sampleParams(Conv2dGradParams{{}, {5, 6}, 0}),
                     {"weight gives 2 channels, the output gradient has 3"}});
  return samples;
}

std::vector<OpSample> conv2dBackwardWeightSamples() {
  std::vector<OpSample> samples;
  for (const Geometry& g : kGeometries)
    samples.push_back({g.name,
                       {uniform(g, outputShape(g)), uniform(g, g.x)},
                       sampleParams(gradParams(g, g.w)),
                       {}});
  samples.push_back({"images",
                     {{{1, 2, 3, 3}}, {{2, 1, 5, 5}}},
                     sampleParams(Conv2dGradParams{{}, {3, 3}, 1}),
                     {"output gradient has 1 images, input 2"}});
  return samples;
}

}  // namespace tenon
