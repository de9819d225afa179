// SPDX-License-Identifier: Apache-2.0
// Optimizer "adam".
#include "engine/optim/adam.h"
#include "engine/base/error.h"

namespace tenon {

const OptimizerDef& optimizerDef_adam();
const OptimizerDef& optimizerDef_adam() {
  static const OptimizerDef kDef = {
      .id = "adam",
      .title = "Adam",
      .help = TENON_TEXT("Adapts the step of each weight to its gradients; weight decay is L2."),
      .schema = adamSchema(0.0),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeAdam(params, std::move(parameters), false);
      }};
  return kDef;
}

}  // namespace tenon
