// SPDX-License-Identifier: Apache-2.0
// Loss "cross_entropy": log-softmax of the logits and the negative log-likelihood of the right
// class.
#include "engine/ops/cross_entropy/cross_entropy.h"

#include "engine/base/error.h"
#include "engine/metrics/loss_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("label_smoothing", 0.0)
              .range(0, 1)
              .describe(TENON_TEXT("Share of the target that is spread over all classes."))};
}

Loss make(const ParamMap& params) {
  CrossEntropyParams settings;
  settings.labelSmoothing = params.getFloat("label_smoothing");
  return [settings](const Tensor& output, const Tensor& targets) {
    return crossEntropy(output, targets, settings);
  };
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
      .make = &make};
  return kDef;
}

}  // namespace tenon
