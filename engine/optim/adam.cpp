// SPDX-License-Identifier: Apache-2.0
// Adam (Kingma and Ba 2015, arXiv:1412.6980), AdamW (Loshchilov and Hutter 2019, arXiv:1711.05101)
// and their AMSGrad form (Reddi et al. 2018, arXiv:1904.09237).
#include "engine/optim/adam.h"

#include <cmath>

#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {

ParamSchema adamSchema(double weightDecay) {
  return optimizerSchema(
      {rateParam(1e-3), decayParam(weightDecay), beta1Param(), beta2Param(), epsParam(),
       boolParam("amsgrad", false)
           .called(TENON_TEXT("AMSGrad"))
           .describe(TENON_TEXT("Divides by the largest mean of squares so far."))
           .forExperts()});
}

std::unique_ptr<Optimizer> makeAdam(const ParamMap& params,
                                    std::vector<OptimizedParameter> parameters, bool decoupled) {
  const MomentNumbers numbers = momentNumbers(params);
  FusedRule rule = {.kind = StepKind::Adam,
                    .flags = {.decoupled = decoupled},
                    .states = {"exp_avg", "exp_avg_sq"}};
  if (params.getBool("amsgrad")) {
    rule.kind = StepKind::AmsGrad;
    rule.states.push_back("max_exp_avg_sq");
  }
  rule.scalars = [numbers, decoupled](const StepPoint& at, std::span<double> s) {
    s[kAdamStepSize] = at.rate / (1 - std::pow(numbers.beta1, at.t));
    s[kAdamDecay] = decoupled ? 1 - at.rate * at.decay : at.decay;
    s[kAdamOneMinusBeta1] = 1 - numbers.beta1;
    s[kAdamBeta2] = numbers.beta2;
    s[kAdamOneMinusBeta2] = 1 - numbers.beta2;
    s[kAdamEpsilon] = numbers.eps;
    s[kAdamInvSqrtBias2] = 1 / std::sqrt(1 - std::pow(numbers.beta2, at.t));
    s[kAdamGradScale] = 1;
  };
  return makeFused(decoupled ? "adamw" : "adam", params, std::move(parameters), std::move(rule));
}

}  // namespace tenon
