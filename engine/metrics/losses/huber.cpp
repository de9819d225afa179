// SPDX-License-Identifier: Apache-2.0
// Loss "huber": half squares of small distances, lines beyond. As torch.nn.functional.huber_loss
// (P. J. Huber, 1964).
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("delta", 1.0)
              .above(0)
              .atMost(1e6)
              .describe(TENON_TEXT("Distance below which it is squared, in units of the output.")),
          losses::reductionParam()};
}

Loss make(const ParamMap& params, const LossFacts&) {
  return losses::ofWanted(
      params, [delta = params.getFloat("delta")](const Tensor& output, const Tensor& wanted,
                                                 Reduction reduction) {
        return huberLoss(output, wanted, delta, reduction);
      });
}

}  // namespace

const LossDef& lossDef_huber();
const LossDef& lossDef_huber() {
  static const LossDef kDef = {
      .id = "huber",
      .title = "Huber",
      .help = TENON_TEXT("Distance from 1 for the right class and from 0 for the others, half its "
                         "square where it is small. The mean is over samples and outputs."),
      .schema = schema(),
      .wantsClasses = true,
      .oneOutputForTwo = true,
      .reading = OutputReading::Estimates,
      .make = &make};
  return kDef;
}

}  // namespace tenon
