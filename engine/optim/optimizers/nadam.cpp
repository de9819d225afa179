// SPDX-License-Identifier: Apache-2.0
// Optimizer "nadam": Adam with Nesterov momentum (Dozat 2016, "Incorporating Nesterov Momentum into
// Adam", ICLR workshop), with the momentum schedule that PyTorch takes from it.
#include <cmath>

#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {
namespace {

/// The momentum of step t, and the product of those up to step t. The product is made factor by
/// factor, so that a run that goes on has the same bits as one that was never stopped.
class Momenta {
 public:
  Momenta(double beta1, double psi) : beta1_(beta1), psi_(psi) {}
  double at(double t) const { return beta1_ * (1 - 0.5 * std::pow(0.96, t * psi_)); }
  double product(double t) {
    if (t < t_) {
      t_ = 0;
      product_ = 1;
    }
    while (t_ < t) product_ *= at(++t_);
    return product_;
  }

 private:
  double beta1_, psi_;
  double t_ = 0;
  double product_ = 1;
};

FusedRule rule(const ParamMap& params) {
  const MomentNumbers numbers = momentNumbers(params);
  const bool decoupled = params.getBool("decoupled");
  Momenta momenta(numbers.beta1, params.getFloat("momentum_decay"));
  return {.kind = StepKind::NAdam,
          .flags = {.decoupled = decoupled},
          .states = {"exp_avg", "exp_avg_sq"},
          .scalars = [=](const StepPoint& at, std::span<double> s) mutable {
            writeMoments(s, at, numbers, decoupled);
            const double product = momenta.product(at.t);
            const double next = momenta.at(at.t + 1);
            s[kNAdamGradientRate] = at.rate * (1 - momenta.at(at.t)) / (1 - product);
            s[kRuleRate] = at.rate * next / (1 - product * next);
          }};
}

}  // namespace

const OptimizerDef& optimizerDef_nadam();
const OptimizerDef& optimizerDef_nadam() {
  static const OptimizerDef kDef = {
      .id = "nadam",
      .title = "NAdam",
      .help = TENON_TEXT("Adam that looks one momentum step ahead."),
      .schema =
          optimizerSchema({rateParam(2e-3), decayParam(0.0), beta1Param(), beta2Param(), epsParam(),
                           floatParam("momentum_decay", 4e-3)
                               .atLeast(0)
                               .describe(TENON_TEXT("How slowly the momentum rises to beta 1."))
                               .forExperts(),
                           decoupledParam()}),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeFused("nadam", params, std::move(parameters), rule(params));
      }};
  return kDef;
}

}  // namespace tenon
