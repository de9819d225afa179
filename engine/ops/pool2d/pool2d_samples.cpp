// SPDX-License-Identifier: Apache-2.0
// Tables of geometries that give the samples of the pooling operators.
#include "engine/ops/pool2d/pool2d_samples.h"

#include "engine/ops/pool2d/pool2d.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

struct Geometry {
  const char* name;
  Shape x;
  Pool2dParams params;
  Shape pooled;  // by hand
};

const Geometry kGeometries[] = {
    {"2x2", {2, 3, 4, 6}, {}, {2, 3, 2, 3}},
    {"2x2 blocked, odd image", {2, 8, 5, 7}, {}, {2, 8, 2, 3}},
    {"2x2 two blocks", {1, 16, 4, 4}, {}, {1, 16, 2, 2}},
    {"3x3 overlapping, padded", {2, 8, 7, 6}, {{3, 3}, {2, 2}, {1, 1}, 0, 1}, {2, 8, 4, 3}},
    {"overlapping, padding not counted",
     {1, 3, 5, 5},
     {{3, 3}, {1, 1}, {1, 1}, 0, 0},
     {1, 3, 5, 5}},
    {"rounded up", {1, 8, 6, 7}, {{3, 3}, {2, 2}, {0, 0}, 1, 1}, {1, 8, 3, 3}},
    {"rounded up and padded", {2, 2, 6, 5}, {{2, 3}, {2, 2}, {1, 1}, 1, 1}, {2, 2, 4, 3}},
    {"uneven", {1, 2, 7, 5}, {{3, 1}, {1, 2}, {0, 0}, 0, 1}, {1, 2, 5, 3}},
    {"gaps between windows", {1, 8, 8, 8}, {{2, 2}, {3, 3}, {0, 0}, 0, 1}, {1, 8, 3, 3}},
    {"whole image", {3, 4, 3, 3}, {{3, 3}, {1, 1}, {0, 0}, 0, 1}, {3, 4, 1, 1}},
};

struct Adaptive {
  const char* name;
  Shape x;
  int64_t size[2];
};

const Adaptive kAdaptives[] = {
    {"global", {2, 3, 4, 5}, {1, 1}},
    {"global blocked", {2, 8, 7, 7}, {1, 1}},
    {"uneven bins", {1, 2, 7, 5}, {3, 2}},
    {"uneven bins blocked", {1, 8, 7, 10}, {3, 4}},
    {"bins that overlap", {1, 3, 5, 4}, {4, 3}},
    {"larger than the image", {1, 8, 2, 3}, {3, 5}},
};

template <class Params>
OpSample refused(const char* name, std::vector<SampleInput> inputs, const Params& params,
                 std::vector<std::string> words) {
  return {name, std::move(inputs), sampleParams(params), std::move(words)};
}

/// Refusals that max and average pooling share.
std::vector<OpSample> refusals() {
  return {
      refused("axes", {{{4, 5, 5}}}, Pool2dParams{}, {"x wants 4 axes [N, C, H, W], got 3"}),
      refused("window", {{{1, 1, 5, 1}}}, Pool2dParams{},
              {"window of 2 is larger than the padded width 1"}),
      refused("padding", {{{1, 1, 5, 5}}}, Pool2dParams{{2, 3}, {1, 1}, {1, 2}, 0, 1},
              {"padding 0 .. kernel / 2, got 3, 1, 2 along width"}),
  };
}

std::vector<OpSample> forwardSamples(Values values) {
  std::vector<OpSample> samples = refusals();
  for (const Geometry& g : kGeometries)
    samples.push_back({g.name, {{g.x, values}}, sampleParams(g.params), {}});
  return samples;
}

Pool2dGradParams gradParams(const Geometry& g) { return {g.params, {g.x[2], g.x[3]}}; }

}  // namespace

std::vector<OpSample> maxPool2dSamples() { return forwardSamples(Values::Distinct); }
std::vector<OpSample> avgPool2dSamples() { return forwardSamples(Values::Uniform); }

std::vector<OpSample> avgPool2dBackwardSamples() {
  std::vector<OpSample> samples;
  for (const Geometry& g : kGeometries)
    samples.push_back({g.name, {{g.pooled}}, sampleParams(gradParams(g)), {}});
  samples.push_back(refused("size", {{{1, 1, 2, 2}}}, Pool2dGradParams{{}, {6, 4}},
                            {"dy wants shape [1, 1, 3, 2] (the pooled size of the input)"}));
  return samples;
}

std::vector<OpSample> adaptiveAvgPool2dSamples() {
  std::vector<OpSample> samples;
  for (const Adaptive& a : kAdaptives)
    samples.push_back(
        {a.name, {{a.x}}, sampleParams(AdaptivePool2dParams{{a.size[0], a.size[1]}}), {}});
  samples.push_back(refused("size", {{{1, 1, 2, 2}}}, AdaptivePool2dParams{{0, 1}},
                            {"wants a size of at least [1, 1], got [0, 1]"}));
  samples.push_back(
      refused("no pixels", {{{1, 1, 0, 2}}}, AdaptivePool2dParams{}, {"the image has no pixels"}));
  return samples;
}

std::vector<OpSample> adaptiveAvgPool2dBackwardSamples() {
  std::vector<OpSample> samples;
  for (const Adaptive& a : kAdaptives)
    samples.push_back({a.name,
                       {{{a.x[0], a.x[1], a.size[0], a.size[1]}}},
                       sampleParams(AdaptivePool2dParams{{a.x[2], a.x[3]}}),
                       {}});
  return samples;
}

}  // namespace tenon
