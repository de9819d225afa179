// SPDX-License-Identifier: Apache-2.0
// Loss "dice": how little probabilities and wanted classes of a sample overlap (F. Milletari et
// al., "V-Net", 2016).
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("smooth", 1.0)
              .atLeast(0)
              .describe(TENON_TEXT("Added to both parts of the fraction, so that it is never 0 / "
                                   "0.")),
          losses::reductionParam()};
}

Loss make(const ParamMap& params, const LossFacts&) {
  return losses::ofWanted(
      params, [smooth = params.getFloat("smooth")](const Tensor& output, const Tensor& wanted,
                                                   Reduction reduction) {
        return diceLoss(output, wanted, smooth, reduction);
      });
}

}  // namespace

const LossDef& lossDef_dice();
const LossDef& lossDef_dice() {
  static const LossDef kDef = {
      .id = "dice",
      .title = "Dice",
      .help = TENON_TEXT("1 minus the overlap of probabilities and wanted classes, of each sample; "
                         "the model ends in a softmax or sigmoid."),
      .schema = schema(),
      .wantsClasses = true,
      .oneOutputForTwo = true,
      .reading = OutputReading::Probabilities,
      .lastLayers = {"softmax", "sigmoid", "hard_sigmoid"},
      .make = &make};
  return kDef;
}

}  // namespace tenon
