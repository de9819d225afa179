// SPDX-License-Identifier: Apache-2.0
// Loss "smooth_l1": squares of small distances, lines beyond. As torch.nn.functional.smooth_l1_loss
// (R. Girshick, "Fast R-CNN", 2015).
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("beta", 1.0)
              .range(0, 1e6)
              .describe(TENON_TEXT("Distance below which it is squared, in units of the output; 0 "
                                   "is the mean absolute error.")),
          losses::reductionParam()};
}

Loss make(const ParamMap& params, const LossFacts&) {
  return losses::ofWanted(
      params, [beta = params.getFloat("beta")](const Tensor& output, const Tensor& wanted,
                                               Reduction reduction) {
        return smoothL1Loss(output, wanted, beta, reduction);
      });
}

}  // namespace

const LossDef& lossDef_smooth_l1();
const LossDef& lossDef_smooth_l1() {
  static const LossDef kDef = {
      .id = "smooth_l1",
      .title = "Smooth L1",
      .help = TENON_TEXT("Distance from 1 for the right class and from 0 for the others, squared "
                         "where it is small; divided by beta. The mean is over samples and "
                         "outputs."),
      .schema = schema(),
      .wantsClasses = true,
      .oneOutputForTwo = true,
      .reading = OutputReading::Estimates,
      .make = &make};
  return kDef;
}

}  // namespace tenon
