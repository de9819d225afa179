// SPDX-License-Identifier: Apache-2.0
// Loss "nll": negative log-likelihood of the right class of log-probabilities. As
// torch.nn.functional.nll_loss.
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

Loss make(const ParamMap& params, const LossFacts& facts) {
  return losses::ofClasses("nll", params, facts, &nllLoss);
}

}  // namespace

const LossDef& lossDef_nll();
const LossDef& lossDef_nll() {
  static const LossDef kDef = {
      .id = "nll",
      .title = "Negative log-likelihood",
      .help = TENON_TEXT("For one class out of several; the model ends in log-softmax. Both "
                         "together are cross-entropy."),
      .schema = {losses::classWeightsParam(), losses::ignoreIndexParam(), losses::reductionParam()},
      .wantsClasses = true,
      .reading = OutputReading::LogProbabilities,
      .lastLayers = {"log_softmax"},
      .make = &make};
  return kDef;
}

}  // namespace tenon
