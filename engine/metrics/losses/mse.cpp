// SPDX-License-Identifier: Apache-2.0
// Loss "mse": squared distance from 1 for the right class and 0 for the others (of probabilities:
// the Brier score). As torch.nn.functional.mse_loss.
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

Loss make(const ParamMap& params, const LossFacts&) { return losses::ofWanted(params, &mseLoss); }

}  // namespace

const LossDef& lossDef_mse();
const LossDef& lossDef_mse() {
  static const LossDef kDef = {
      .id = "mse",
      .title = "Mean squared error",
      .help = TENON_TEXT("Squared distance from 1 for the right class and from 0 for the others. "
                         "The mean is over samples and outputs."),
      .schema = {losses::reductionParam()},
      .wantsClasses = true,
      .oneOutputForTwo = true,
      .reading = OutputReading::Estimates,
      .make = &make};
  return kDef;
}

}  // namespace tenon
