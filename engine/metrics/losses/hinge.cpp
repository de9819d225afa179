// SPDX-License-Identifier: Apache-2.0
// Loss "hinge": max(0, margin - t x) with t = 1 for the right class and -1 for the others, as of
// support vector machines (C. Cortes, V. Vapnik, 1995).
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("margin", 1.0)
              .above(0)
              .atMost(1e6)
              .describe(TENON_TEXT("How far from 0 a score should be, in units of the output.")),
          losses::reductionParam()};
}

Loss make(const ParamMap& params, const LossFacts&) {
  return losses::ofWanted(params,
                          [margin = params.getFloat("margin")](
                              const Tensor& output, const Tensor& wanted, Reduction reduction) {
                            return hingeLoss(output, wanted, margin, reduction);
                          },
                          {-1, 1});
}

}  // namespace

const LossDef& lossDef_hinge();
const LossDef& lossDef_hinge() {
  static const LossDef kDef = {
      .id = "hinge",
      .title = "Hinge",
      .help = TENON_TEXT("Scores should be above the margin for the right class and below minus "
                         "the margin for the others, or of a single output for class 1 and class "
                         "0. The mean is over samples and outputs."),
      .schema = schema(),
      .wantsClasses = true,
      .oneOutputForTwo = true,
      .reading = OutputReading::Scores,
      .make = &make};
  return kDef;
}

}  // namespace tenon
