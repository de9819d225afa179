// SPDX-License-Identifier: Apache-2.0
// Optimizer "adamax" (Kingma and Ba 2015, arXiv:1412.6980, section 7.1).
#include <cmath>

#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {
namespace {

FusedRule rule(const ParamMap& params) {
  const MomentNumbers numbers = momentNumbers(params);
  return {.kind = StepKind::Adamax,
          .states = {"exp_avg", "exp_inf"},
          .scalars = [numbers](const StepPoint& at, std::span<double> s) {
            writeMoments(s, at, numbers, false);
            s[kRuleRate] = at.rate / (1 - std::pow(numbers.beta1, at.t));
          }};
}

}  // namespace

const OptimizerDef& optimizerDef_adamax();
const OptimizerDef& optimizerDef_adamax() {
  static const OptimizerDef kDef = {
      .id = "adamax",
      .title = "Adamax",
      .help = TENON_TEXT("Adam with the largest gradient so far in place of the mean square: "
                         "steady for sparse or wild gradients."),
      .schema = optimizerSchema(
          {rateParam(2e-3), decayParam(0.0), beta1Param(), beta2Param(), epsParam()}),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeFused("adamax", params, std::move(parameters), rule(params));
      }};
  return kDef;
}

}  // namespace tenon
