// SPDX-License-Identifier: Apache-2.0
// Loss "focal": binary cross-entropy in which what is nearly right counts little (T.-Y. Lin et al.,
// "Focal loss for dense object detection", 2017).
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("gamma", 2.0)
              .range(0, 100)
              .describe(TENON_TEXT("How little what is nearly right counts; 0: as much as the "
                                   "rest.")),
          floatParam("alpha", 0.25)
              .range(-1, 1)
              .describe(TENON_TEXT("Weight of the right class, of the others 1 - alpha; negative: "
                                   "both 1.")),
          losses::reductionParam()};
}

Loss make(const ParamMap& params, const LossFacts&) {
  const double alpha = params.getFloat("alpha");
  const double gamma = params.getFloat("gamma");
  return losses::ofWanted(params,
                          [=](const Tensor& output, const Tensor& wanted, Reduction reduction) {
                            return focalLoss(output, wanted, alpha, gamma, reduction);
                          });
}

}  // namespace

const LossDef& lossDef_focal();
const LossDef& lossDef_focal() {
  static const LossDef kDef = {
      .id = "focal",
      .title = "Focal",
      .help = TENON_TEXT("Binary cross-entropy for classes of which some are rare: what is nearly "
                         "right counts little. The output holds logits, without sigmoid; a single "
                         "one will do for two classes. The mean is over samples and outputs."),
      .schema = schema(),
      .wantsClasses = true,
      .oneOutputForTwo = true,
      .reading = OutputReading::BinaryLogits,
      .wrongLastLayers = {"softmax", "log_softmax", "sigmoid", "hard_sigmoid", "log_sigmoid"},
      .make = &make};
  return kDef;
}

}  // namespace tenon
