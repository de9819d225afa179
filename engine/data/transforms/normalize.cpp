// SPDX-License-Identifier: Apache-2.0
// Transform "normalize": (x - mean) / std for each channel.
#include <fmt/format.h>

#include <vector>

#include "engine/base/issues.h"
#include "engine/data/transform_def.h"
#include "engine/data/wrapping.h"

namespace tenon {
namespace {

class Normalized final : public WrappingDataset {
 public:
  Normalized(DatasetPtr inner, const std::vector<double>& mean,
             const std::vector<double>& deviation)
      : WrappingDataset(std::move(inner)) {
    for (double value : mean) mean_.push_back(static_cast<float>(value));
    for (double value : deviation) deviation_.push_back(static_cast<float>(value));
  }
  int64_t get(int64_t index, const SampleContext& context,
              std::span<std::byte> values) const override {
    const int64_t target = inner().get(index, context, values);
    const std::span<float> x = asFloats(values);
    const size_t channels = mean_.size();
    const size_t each = x.size() / channels;
    for (size_t c = 0; c < channels; ++c)
      for (size_t i = c * each; i < (c + 1) * each; ++i) x[i] = (x[i] - mean_[c]) / deviation_[c];
    return target;
  }

 private:
  std::vector<float> mean_;
  std::vector<float> deviation_;
};

Issue transformIssue(std::string text, std::vector<std::string> args, std::string field) {
  return fieldIssue("data.transform", std::move(text), std::move(args), std::move(field));
}

/// One number a channel; a single number serves all.
std::vector<double> perChannel(const TransformRequest& request, const char* name, Issues& issues) {
  std::vector<double> values = request.params.getFloats(name);
  const SampleMeta& meta = request.inner->meta();
  const auto channels = static_cast<size_t>(meta.shape.ndim() > 1 ? meta.shape[0] : 1);
  if (values.size() == 1) values.resize(channels, values[0]);
  if (values.size() != channels)
    issues.push_back(
        transformIssue(TENON_TEXT("wants one number for each of {0} channels, got {1}"),
                       {std::to_string(channels), std::to_string(values.size())}, name));
  return values;
}

TransformedData make(const TransformRequest& request) {
  TransformedData out;
  if (request.inner->meta().dtype != DType::F32)
    out.issues.push_back(
        transformIssue(TENON_TEXT("normalize wants f32 values, got {0}: put 'scale' before it"),
                       {std::string(dtypeName(request.inner->meta().dtype))}, ""));
  const std::vector<double> mean = perChannel(request, "mean", out.issues);
  const std::vector<double> deviation = perChannel(request, "std", out.issues);
  if (out.issues.empty())
    out.dataset = std::make_shared<Normalized>(request.inner, mean, deviation);
  return out;
}

}  // namespace

const TransformDef& transformDef_normalize();
const TransformDef& transformDef_normalize() {
  static const TransformDef kDef = {
      .id = "normalize",
      .title = "Normalize",
      .help = TENON_TEXT("Brings each channel to about mean 0 and deviation 1, given the data's "
                         "own mean and deviation."),
      .schema =
          {floatListParam("mean", {0.5}).count(1, 64).describe(TENON_TEXT("Mean of each channel.")),
           floatListParam("std", {0.5})
               .called(TENON_TEXT("Std. deviation"))
               .count(1, 64)
               .above(0)
               .describe(TENON_TEXT("Standard deviation of each channel."))},
      .make = &make};
  return kDef;
}

}  // namespace tenon
