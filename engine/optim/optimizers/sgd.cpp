// SPDX-License-Identifier: Apache-2.0
// Optimizer "sgd": stochastic gradient descent with momentum, as PyTorch defines it
// (reference/engine-facts.md 4.1).
#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {
namespace {

FusedRule rule(const ParamMap& params) {
  const double momentum = params.getFloat("momentum");
  const double dampening = params.getFloat("dampening");
  const bool nesterov = params.getBool("nesterov");
  if (nesterov && (momentum <= 0 || dampening != 0))
    throw Error(Code::Input, "sgd: nesterov wants a momentum above 0 and no dampening");
  return {.kind = StepKind::Sgd,
          .flags = {.momentum = momentum != 0, .nesterov = nesterov},
          .states = {momentum != 0 ? "momentum" : ""},
          .scalars = [momentum, dampening](const StepPoint& at, std::span<double> s) {
            s[kSgdLearningRate] = at.rate;
            s[kSgdWeightDecay] = at.decay;
            s[kSgdMomentum] = momentum;
            s[kSgdOneMinusDampening] = 1 - dampening;
            s[kSgdFirstStep] = at.t == 1;
            s[kSgdGradScale] = 1;
          }};
}

}  // namespace

const OptimizerDef& optimizerDef_sgd();
const OptimizerDef& optimizerDef_sgd() {
  static const OptimizerDef kDef = {
      .id = "sgd",
      .title = "SGD",
      .help = TENON_TEXT("Stochastic gradient descent with momentum: few settings, needs a "
                         "well-chosen learning rate."),
      .schema = optimizerSchema(
          {rateParam(0.01),
           floatParam("momentum", 0.9)
               .range(0, 1)
               .describe(TENON_TEXT("Share of the last step that is kept.")),
           decayParam(0.0),
           boolParam("nesterov", false).describe(TENON_TEXT("Looks one momentum step ahead.")),
           floatParam("dampening", 0.0)
               .range(0, 1)
               .describe(TENON_TEXT("Reduces the new gradient's share in the momentum."))
               .forExperts()}),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeFused("sgd", params, std::move(parameters), rule(params));
      }};
  return kDef;
}

}  // namespace tenon
