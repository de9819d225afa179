// SPDX-License-Identifier: Apache-2.0
// Loss "l1": distance from 1 for the right class and 0 for the others. As
// torch.nn.functional.l1_loss.
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

Loss make(const ParamMap& params, const LossFacts&) { return losses::ofWanted(params, &l1Loss); }

}  // namespace

const LossDef& lossDef_l1();
const LossDef& lossDef_l1() {
  static const LossDef kDef = {
      .id = "l1",
      .title = "Mean absolute error (L1)",
      .help = TENON_TEXT("Distance from 1 for the right class and from 0 for the others. The mean "
                         "is over samples and outputs."),
      .schema = {losses::reductionParam()},
      .wantsClasses = true,
      .oneOutputForTwo = true,
      .reading = OutputReading::Estimates,
      .make = &make};
  return kDef;
}

}  // namespace tenon
