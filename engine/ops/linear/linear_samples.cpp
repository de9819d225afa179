// SPDX-License-Identifier: Apache-2.0
// One table of sizes gives the samples of all three linear operators.
#include "engine/ops/linear/linear_samples.h"

#include "engine/ops/linear/linear.h"

namespace tenon {
namespace {

struct Sizes {
  const char* name;
  Shape x;
  int64_t out;
  bool bias = true;
};

const Sizes kSizes[] = {
    {"rows", {5, 3}, 4},      {"no bias", {4, 7}, 9, false},         {"one row", {1, 8}, 16},
    {"one vector", {6}, 5},   {"one feature in and out", {7, 1}, 1}, {"three axes", {2, 3, 5}, 8},
    {"eights", {16, 16}, 24}, {"odd sizes", {13, 17}, 11},
};

Shape outputOf(const Sizes& s) {
  Shape y = s.x;
  y[y.ndim() - 1] = s.out;
  return y;
}

}  // namespace

std::vector<OpSample> linearSamples() {
  std::vector<OpSample> samples;
  for (const Sizes& s : kSizes) {
    const auto bias = s.bias ? SampleInput::Values::Uniform : SampleInput::Values::Absent;
    samples.push_back({s.name, {{s.x}, {{s.out, s.x.at(-1)}}, {{s.out}, bias}}, {}, {}});
  }
  samples.push_back({"features",
                     {{{2, 5}}, {{3, 4}}, {{3}}},
                     {},
                     {"[linear] weight wants 4 features, input has 5", "x [2, 5], w [3, 4]"}});
  samples.push_back({"bias",
                     {{{2, 4}}, {{3, 4}}, {{4}}},
                     {},
                     {"b wants shape [3] (one value an output feature), got [4]"}});
  samples.push_back({"weight axes", {{{2, 4}}, {{4}}, {{4}}}, {}, {"w wants 2 axes [out, in]"}});
  samples.push_back({"scalar", {{{}}, {{3, 4}}, {{3}}}, {}, {"x wants at least one axis"}});
  return samples;
}

std::vector<OpSample> linearReluSamples() {
  std::vector<OpSample> samples = linearSamples();
  for (OpSample& sample : samples)
    for (std::string& word : sample.refusedWith)
      if (word.starts_with("[linear]")) word.replace(0, 8, "[linear_relu]");
  return samples;
}

std::vector<OpSample> linearBackwardInputSamples() {
  std::vector<OpSample> samples;
  for (const Sizes& s : kSizes)
    samples.push_back({s.name, {{outputOf(s)}, {{s.out, s.x.at(-1)}}}, {}, {}});
  samples.push_back({"features",
                     {{{2, 5}}, {{3, 4}}},
                     {},
                     {"weight gives 3 features, the output gradient has 5"}});
  return samples;
}

std::vector<OpSample> linearBackwardWeightSamples() {
  std::vector<OpSample> samples;
  for (const Sizes& s : kSizes)
    samples.push_back({s.name, {{outputOf(s)}, {s.x}}, sampleParams(LinearGradParams{s.bias}), {}});
  samples.push_back({"rows differ",
                     {{{2, 5}}, {{3, 4}}},
                     sampleParams(LinearGradParams{1}),
                     {"differ in more than the last axis"}});
  return samples;
}

}  // namespace tenon
