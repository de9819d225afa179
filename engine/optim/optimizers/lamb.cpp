// SPDX-License-Identifier: Apache-2.0
// Optimizer "lamb" (You et al. 2020, arXiv:1904.00962, algorithm 2, with bias correction); the norm
// of the weights is limited as the paper's phi.
#include <cmath>

#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {
namespace {

FusedRule rule(const ParamMap& params) {
  const MomentNumbers numbers = momentNumbers(params);
  const double lowest = params.getFloat("lowest_norm");
  const double highest = params.getFloat("highest_norm");
  if (lowest > highest)
    throw Error(Code::Input, "lamb: lowest_norm wants to be at most highest_norm");
  return {.kind = StepKind::Lamb,
          .states = {"exp_avg", "exp_avg_sq"},
          .scalars = [=](const StepPoint& at, std::span<double> s) {
            writeMoments(s, at, numbers, false);
            s[kRuleRate] = at.rate;
            s[kLambLowestNorm] = lowest;
            s[kLambHighestNorm] = highest;
            s[kLambInvBias1] = 1 / (1 - std::pow(numbers.beta1, at.t));
          }};
}

}  // namespace

const OptimizerDef& optimizerDef_lamb();
const OptimizerDef& optimizerDef_lamb() {
  static const OptimizerDef kDef = {
      .id = "lamb",
      .title = "LAMB",
      .help = TENON_TEXT(
          "Adam whose step has the size of the weights it changes: for very large batches."),
      .schema = optimizerSchema(
          {rateParam(1e-3), decayParam(0.01), beta1Param(), beta2Param(), epsParam(1e-6),
           floatParam("lowest_norm", 0.0)
               .atLeast(0)
               .describe(TENON_TEXT("The norm of a tensor's weights counts as at least this."))
               .forExperts(),
           floatParam("highest_norm", 10.0)
               .above(0)
               .describe(TENON_TEXT("The norm of a tensor's weights counts as at most this."))
               .forExperts()}),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeFused("lamb", params, std::move(parameters), rule(params));
      }};
  return kDef;
}

}  // namespace tenon
