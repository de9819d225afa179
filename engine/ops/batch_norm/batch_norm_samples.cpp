// SPDX-License-Identifier: Apache-2.0
// One table of shapes gives the samples of the batch norm operators.
#include "engine/ops/batch_norm/batch_norm_samples.h"

#include "engine/ops/batch_norm/batch_norm.h"

namespace tenon {
namespace {

using Values = SampleInput::Values;

struct Case {
  const char* name;
  Shape x;
  bool affine = true;
};

const Case kCases[] = {
    {"images", {3, 2, 4, 5}},
    {"images blocked", {2, 8, 3, 3}},
    {"two blocks", {3, 16, 2, 5}},
    {"without gamma and beta", {4, 3, 2, 2}, false},
    {"one image", {1, 3, 5, 3}},
    {"features", {5, 4}},
    {"features in eights and a rest", {7, 19}},
    {"sequences", {2, 3, 9}},
    {"volumes", {2, 3, 2, 3, 2}},
};

SampleInput channelValues(const Case& c, Values values) {
  return {{c.x[1]}, c.affine ? values : Values::Absent};
}

template <class Params>
OpSample refused(const char* name, std::vector<SampleInput> inputs, const Params& params,
                 std::vector<std::string> words) {
  return {name, std::move(inputs), sampleParams(params), std::move(words)};
}

SampleInput variance(int64_t channels) { return {{channels}, Values::Positive, 0.5, 2.0, false}; }
SampleInput average(int64_t channels) { return {{channels}, Values::Uniform, -1.0, 1.0, false}; }

}  // namespace

std::vector<OpSample> batchNormSamples() {
  std::vector<OpSample> samples;
  const auto params = sampleParams(BatchNormParams{1e-3});
  for (const Case& c : kCases)
    samples.push_back(
        {c.name,
         {{c.x}, channelValues(c, Values::Uniform), channelValues(c, Values::Uniform)},
         params,
         {}});
  samples.push_back(refused(
      "one value per channel", {{{1, 3, 1, 1}}, {{3}}, {{3}}}, BatchNormParams{},
      {"wants more than one value per channel in training, got 1", "x [1, 3, 1, 1], gamma [3]"}));
  samples.push_back(refused("axes", {{{4}}, {{4}}, {{4}}}, BatchNormParams{},
                            {"x wants at least 2 axes [N, C, ...], got 1"}));
  samples.push_back(refused("gamma", {{{2, 3, 4}}, {{4}}, {{3}}}, BatchNormParams{},
                            {"gamma wants shape [3] (one value a channel), got [4]"}));
  samples.push_back(
      refused("eps", {{{2, 3}}, {{3}}, {{3}}}, BatchNormParams{0.0}, {"wants eps > 0, got 0"}));
  return samples;
}

std::vector<OpSample> batchNormEvalSamples() {
  std::vector<OpSample> samples;
  for (const Case& c : kCases)
    samples.push_back({c.name,
                       {{c.x},
                        channelValues(c, Values::Uniform),
                        channelValues(c, Values::Uniform),
                        average(c.x[1]),
                        variance(c.x[1])},
                       sampleParams(BatchNormParams{1e-3}),
                       {}});
  samples.push_back(refused("mean", {{{2, 3, 4}}, {{3}}, {{3}}, {{2}}, {{3}}}, BatchNormParams{},
                            {"mean wants shape [3] (one value a channel), got [2]"}));
  return samples;
}

std::vector<OpSample> batchNormBackwardSamples() {
  std::vector<OpSample> samples;
  for (int flags = 0; flags < 4; ++flags)
    for (const Case& c : kCases)
      samples.push_back({std::string(c.name) + (flags & 1 ? ", relu" : "") +
                             (flags & 2 ? ", given statistics" : ""),
                         {{c.x},
                          {c.x},
                          channelValues(c, Values::Uniform),
                          channelValues(c, Values::Uniform),
                          average(c.x[1]),
                          variance(c.x[1])},
                         sampleParams(BatchNormGradParams{1e-3, flags & 1, flags >> 1}),
                         {}});
  samples.push_back(refused("shape", {{{2, 3}}, {{2, 4}}, {{4}}, {{4}}, {{4}}, {{4}}},
                            BatchNormGradParams{},
                            {"dy wants shape [2, 4] (the shape of x), got [2, 3]"}));
  return samples;
}

std::vector<OpSample> batchNormUpdateSamples() {
  const auto inputs = [](int64_t c) {
    return std::vector<SampleInput>{average(c), variance(c), average(c), variance(c)};
  };
  return {{"small count", inputs(3), sampleParams(BatchNormUpdateParams{0.1, 4}), {}},
          {"all new", inputs(9), sampleParams(BatchNormUpdateParams{1.0, 100}), {}},
          refused("count", inputs(3), BatchNormUpdateParams{0.1, 1},
                  {"a count of at least 2, got 0.1 and 1"}),
          refused("momentum", inputs(3), BatchNormUpdateParams{1.5, 8},
                  {"wants momentum 0 .. 1", "got 1.5"})};
}

}  // namespace tenon
