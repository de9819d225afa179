// SPDX-License-Identifier: Apache-2.0
// Optimizer "adamw".
#include "engine/base/error.h"
#include "engine/optim/adam.h"

namespace tenon {

const OptimizerDef& optimizerDef_adamw();
const OptimizerDef& optimizerDef_adamw() {
  static const OptimizerDef kDef = {
      .id = "adamw",
      .title = "AdamW",
      .help =
          TENON_TEXT("Adam whose weight decay is apart from the gradient: a good first choice."),
      .schema = adamSchema(0.01),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeAdam(params, std::move(parameters), true);
      }};
  return kDef;
}

}  // namespace tenon
