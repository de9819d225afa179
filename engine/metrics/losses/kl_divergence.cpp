// SPDX-License-Identifier: Apache-2.0
// Loss "kl_divergence": of the wanted probabilities from those that the model gives as logarithms.
// As torch.nn.functional.kl_div.
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("label_smoothing", 0.0)
              .range(0, 1)
              .describe(TENON_TEXT("Share of the target that is spread over all classes.")),
          choiceParam("reduction", "batchmean", {"batchmean", "mean", "sum"})
              .describe(TENON_TEXT("Mean over samples (the divergence itself), over samples and "
                                   "outputs, or the sum over a batch. A sum makes steps that grow "
                                   "with the batch, and accumulated batches add to it; curves show "
                                   "it for each sample."))
              .forExperts()};
}

Loss make(const ParamMap& params, const LossFacts&) {
  const double smoothing = params.getFloat("label_smoothing");
  const bool overSamples = params.getString("reduction") == "batchmean";
  return losses::ofWanted(
      params, [=](const Tensor& output, const Tensor& wanted, Reduction reduction) {
        const double share = smoothing / static_cast<double>(output.size(-1));
        const Tensor target =
            smoothing > 0 ? addScalar(mulScalar(wanted, 1 - smoothing), share) : wanted;
        if (!overSamples) return klDivergence(output, target, false, reduction);
        return mulScalar(klDivergence(output, target, false, Reduction::Sum),
                         1 / static_cast<double>(output.size(0)));
      });
}

}  // namespace

const LossDef& lossDef_kl_divergence();
const LossDef& lossDef_kl_divergence() {
  static const LossDef kDef = {
      .id = "kl_divergence",
      .title = "Kullback-Leibler divergence",
      .help = TENON_TEXT("Of the wanted probabilities from the model's, in nats; the model ends in "
                         "log-softmax."),
      .schema = schema(),
      .wantsClasses = true,
      .reading = OutputReading::LogProbabilities,
      .lastLayers = {"log_softmax"},
      .make = &make};
  return kDef;
}

}  // namespace tenon
