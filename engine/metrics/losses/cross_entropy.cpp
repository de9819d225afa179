// SPDX-License-Identifier: Apache-2.0
// Loss "cross_entropy": log-softmax of the logits and the negative log-likelihood of the right
// class. As torch.nn.functional.cross_entropy.
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("label_smoothing", 0.0)
              .range(0, 1)
              .describe(TENON_TEXT("Share of the target that is spread over all classes.")),
          losses::classWeightsParam(), losses::ignoreIndexParam(), losses::reductionParam()};
}

Loss make(const ParamMap& params, const LossFacts& facts) {
  return losses::ofClasses("cross_entropy", params, facts, &weightedCrossEntropy,
                           params.getFloat("label_smoothing"));
}

}  // namespace

const LossDef& lossDef_cross_entropy();
const LossDef& lossDef_cross_entropy() {
  static const LossDef kDef = {
      .id = "cross_entropy",
      .title = "Cross-entropy",
      .help = TENON_TEXT("For one class out of several; the output holds logits, without softmax."),
      .schema = schema(),
      .wantsClasses = true,
      .reading = OutputReading::Logits,
      .wrongLastLayers = {"softmax", "sigmoid", "hard_sigmoid", "log_sigmoid"},
      .make = &make};
  return kDef;
}

}  // namespace tenon
