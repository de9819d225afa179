// SPDX-License-Identifier: Apache-2.0
// Optimizer "adadelta" (Zeiler 2012, arXiv:1212.5701), as in PyTorch.
#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {
namespace {

FusedRule rule(const ParamMap& params) {
  const MomentNumbers numbers{0, params.getFloat("rho"), params.getFloat("eps")};
  return {.kind = StepKind::Adadelta,
          .states = {"square_avg", "acc_delta"},
          .scalars = [numbers](const StepPoint& at, std::span<double> s) {
            writeMoments(s, at, numbers, false);
            s[kRuleRate] = at.rate;
          }};
}

}  // namespace

const OptimizerDef& optimizerDef_adadelta();
const OptimizerDef& optimizerDef_adadelta() {
  static const OptimizerDef kDef = {
      .id = "adadelta",
      .title = "Adadelta",
      .help =
          TENON_TEXT("Finds the size of its steps by itself: the learning rate is but a factor."),
      .schema = optimizerSchema({rateParam(1.0), decayParam(0.0),
                                 floatParam("rho", 0.9)
                                     .range(0, 1)
                                     .below(1)
                                     .describe(TENON_TEXT("Memory of the means of squares."))
                                     .forExperts(),
                                 epsParam(1e-6)}),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeFused("adadelta", params, std::move(parameters), rule(params));
      }};
  return kDef;
}

}  // namespace tenon
