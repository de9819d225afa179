// SPDX-License-Identifier: Apache-2.0
// Transform "random_flip": mirrors images left to right by chance.
#include <algorithm>
#include <cstring>

#include "engine/base/philox.h"
#include "engine/data/transform_def.h"
#include "engine/data/wrapping.h"

namespace tenon {
namespace {

class RandomlyFlipped final : public WrappingDataset {
 public:
  RandomlyFlipped(DatasetPtr inner, double chance, int position)
      : WrappingDataset(std::move(inner)),
        chance_(static_cast<float>(chance)),
        position_(static_cast<uint64_t>(position)) {}

  int64_t get(int64_t index, const SampleContext& context,
              std::span<std::byte> values) const override {
    const int64_t target = inner().get(index, context, values);
    // The draw depends on seed, epoch, sample and place in the chain, never on threads.
    philox::Key key = philox::makeKey(context.seed, philox::Purpose::Transform);
    for (uint64_t part :
         {static_cast<uint64_t>(context.epoch), static_cast<uint64_t>(index), position_})
      key = philox::foldIn(key, part);
    if (philox::uniform01(key, 0, 0) < chance_) flipRows(values);
    return target;
  }

 private:
  void flipRows(std::span<std::byte> values) const {
    const auto width = static_cast<size_t>(meta_.shape.at(-1));
    const auto item = static_cast<size_t>(dtypeBytes(meta_.dtype));
    for (size_t row = 0; row < values.size(); row += width * item)
      for (size_t a = 0, b = width - 1; a < b; ++a, --b)
        std::swap_ranges(values.begin() + static_cast<ptrdiff_t>(row + a * item),
                         values.begin() + static_cast<ptrdiff_t>(row + (a + 1) * item),
                         values.begin() + static_cast<ptrdiff_t>(row + b * item));
  }

  float chance_;
  uint64_t position_;
};

TransformedData make(const TransformRequest& request) {
  if (!request.training) return {request.inner, {}};
  return {std::make_shared<RandomlyFlipped>(request.inner, request.params.getFloat("p"),
                                            request.position),
          {}};
}

}  // namespace

const TransformDef& transformDef_random_flip();
const TransformDef& transformDef_random_flip() {
  static const TransformDef kDef = {
      .id = "random_flip",
      .title = "Random flip",
      .help =
          TENON_TEXT("Mirrors training images left to right by chance; validation images stay."),
      .schema = {floatParam("p", 0.5)
                     .called(TENON_TEXT("Probability"))
                     .range(0, 1)
                     .describe(TENON_TEXT("Chance of a flip."))},
      .make = &make};
  return kDef;
}

}  // namespace tenon
