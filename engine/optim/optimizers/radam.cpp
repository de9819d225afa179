// SPDX-License-Identifier: Apache-2.0
// Optimizer "radam": rectified Adam (Liu et al. 2020, arXiv:1908.03265), epsilon as in PyTorch.
#include <cmath>

#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {
namespace {

FusedRule rule(const ParamMap& params) {
  const MomentNumbers numbers = momentNumbers(params);
  const bool decoupled = params.getBool("decoupled");
  return {.kind = StepKind::RAdam,
          .flags = {.decoupled = decoupled},
          .states = {"exp_avg", "exp_avg_sq"},
          .scalars = [numbers, decoupled](const StepPoint& at, std::span<double> s) {
            writeMoments(s, at, numbers, decoupled);
            const double power = std::pow(numbers.beta2, at.t);
            const double last = 2 / (1 - numbers.beta2) - 1;  // rho at infinity
            const double rho = last - 2 * at.t * power / (1 - power);
            const bool adaptive = rho > 5;
            const double rectified = adaptive
                                         ? std::sqrt((rho - 4) * (rho - 2) * last * (1 - power) /
                                                     ((last - 4) * (last - 2) * rho))
                                         : 1;
            s[kRuleRate] = at.rate / (1 - std::pow(numbers.beta1, at.t)) * rectified;
            s[kRAdamAdaptive] = adaptive;
          }};
}

}  // namespace

const OptimizerDef& optimizerDef_radam();
const OptimizerDef& optimizerDef_radam() {
  static const OptimizerDef kDef = {
      .id = "radam",
      .title = "RAdam",
      .help = TENON_TEXT("Adam that holds back as long as it knows too little of the gradients: "
                         "needs no warm-up."),
      .schema = optimizerSchema({rateParam(1e-3), decayParam(0.0), beta1Param(), beta2Param(),
                                 epsParam(), decoupledParam()}),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeFused("radam", params, std::move(parameters), rule(params));
      }};
  return kDef;
}

}  // namespace tenon
