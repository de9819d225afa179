// SPDX-License-Identifier: Apache-2.0
// Loss "bce": a yes or no for each class, from probabilities. As
// torch.nn.functional.binary_cross_entropy.
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

Loss make(const ParamMap& params, const LossFacts&) {
  return losses::ofWanted(params,
                          [](const Tensor& output, const Tensor& wanted, Reduction reduction) {
                            return bceLoss(output, wanted, {}, reduction);
                          });
}

}  // namespace

const LossDef& lossDef_bce();
const LossDef& lossDef_bce() {
  static const LossDef kDef = {
      .id = "bce",
      .title = "Binary cross-entropy",
      .help = TENON_TEXT("A yes or no for each class, or a single output for two classes; the "
                         "model ends in a sigmoid. The mean is over samples and outputs."),
      .schema = {losses::reductionParam()},
      .wantsClasses = true,
      .oneOutputForTwo = true,
      .reading = OutputReading::Probabilities,
      .lastLayers = {"sigmoid", "hard_sigmoid", "softmax"},
      .make = &make};
  return kDef;
}

}  // namespace tenon
