// SPDX-License-Identifier: Apache-2.0
// Transform "scale": bytes to f32 numbers divided by a constant.
#include <vector>

#include "engine/base/issues.h"
#include "engine/data/transform_def.h"
#include "engine/data/wrapping.h"

namespace tenon {
namespace {

class Scaled final : public WrappingDataset {
 public:
  Scaled(DatasetPtr inner, double divideBy) : WrappingDataset(std::move(inner)) {
    // Divided one by one, so that each value is the correctly rounded quotient.
    for (size_t i = 0; i < 256; ++i)
      table_[i] = static_cast<float>(static_cast<double>(i) / divideBy);
    meta_.dtype = DType::F32;
  }
  int64_t get(int64_t index, const SampleContext& context,
              std::span<std::byte> values) const override {
    thread_local std::vector<std::byte> raw;
    raw.resize(static_cast<size_t>(inner().meta().bytes()));
    const int64_t target = inner().get(index, context, raw);
    const std::span<float> out = asFloats(values);
    for (size_t i = 0; i < raw.size(); ++i) out[i] = table_[static_cast<size_t>(raw[i])];
    return target;
  }

 private:
  float table_[256];
};

TransformedData make(const TransformRequest& request) {
  TransformedData out;
  const SampleMeta& meta = request.inner->meta();
  if (meta.dtype != DType::U8) {
    out.issues.push_back(fieldIssue("data.transform-type",
                                    TENON_TEXT("scale wants u8 values, got {0}"),
                                    {std::string(dtypeName(meta.dtype))}, ""));
    return out;
  }
  out.dataset = std::make_shared<Scaled>(request.inner, request.params.getFloat("divide_by"));
  return out;
}

}  // namespace

const TransformDef& transformDef_scale();
const TransformDef& transformDef_scale() {
  static const TransformDef kDef = {
      .id = "scale",
      .title = "Scale",
      .help = TENON_TEXT("Turns bytes into numbers: each is divided by a constant."),
      .schema = {floatParam("divide_by", 255.0)
                     .above(0)
                     .describe(TENON_TEXT("255 brings bytes into 0 to 1."))},
      .make = &make};
  return kDef;
}

}  // namespace tenon
