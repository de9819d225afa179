// SPDX-License-Identifier: Apache-2.0
// Optimizer "adagrad" (Duchi, Hazan and Singer 2011, JMLR 12, 2121-2159), as in PyTorch.
#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {
namespace {

FusedRule rule(const ParamMap& params) {
  const MomentNumbers numbers{0, 0, params.getFloat("eps")};
  const double rateDecay = params.getFloat("lr_decay");
  return {.kind = StepKind::Adagrad,
          .states = {"sum"},
          .initialState = params.getFloat("initial_accumulator"),
          .scalars = [numbers, rateDecay](const StepPoint& at, std::span<double> s) {
            writeMoments(s, at, numbers, false);
            s[kRuleRate] = at.rate / (1 + (at.t - 1) * rateDecay);
          }};
}

}  // namespace

const OptimizerDef& optimizerDef_adagrad();
const OptimizerDef& optimizerDef_adagrad() {
  static const OptimizerDef kDef = {
      .id = "adagrad",
      .title = "Adagrad",
      .help =
          TENON_TEXT("Slows each weight down by all its gradients so far: for sparse features."),
      .schema = optimizerSchema(
          {rateParam(0.01), decayParam(0.0),
           floatParam("lr_decay", 0.0)
               .called(TENON_TEXT("Rate decay"))
               .atLeast(0)
               .describe(TENON_TEXT("The rate of step t is divided by 1 + (t - 1) times this."))
               .forExperts(),
           floatParam("initial_accumulator", 0.0)
               .called(TENON_TEXT("First sum"))
               .atLeast(0)
               .describe(TENON_TEXT("What the sum of squares begins with."))
               .forExperts(),
           epsParam(1e-10)}),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeFused("adagrad", params, std::move(parameters), rule(params));
      }};
  return kDef;
}

}  // namespace tenon
