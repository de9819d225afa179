// SPDX-License-Identifier: Apache-2.0
// Optimizer "rmsprop" (Tieleman and Hinton 2012, lecture 6.5 of "Neural Networks for Machine
// Learning"; centered: Graves 2013, arXiv:1308.0850), epsilon as in PyTorch.
#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {
namespace {

FusedRule rule(const ParamMap& params) {
  const MomentNumbers numbers{0, params.getFloat("alpha"), params.getFloat("eps")};
  const double momentum = params.getFloat("momentum");
  const bool centered = params.getBool("centered");
  return {
      .kind = StepKind::RmsProp,
      .flags = {.momentum = momentum != 0, .centered = centered},
      .states = {"square_avg", centered ? "grad_avg" : "", momentum != 0 ? "momentum_buffer" : ""},
      .scalars = [numbers, momentum](const StepPoint& at, std::span<double> s) {
        writeMoments(s, at, numbers, false);
        s[kRuleRate] = at.rate;
        s[kRmsPropMomentum] = momentum;
      }};
}

}  // namespace

const OptimizerDef& optimizerDef_rmsprop();
const OptimizerDef& optimizerDef_rmsprop() {
  static const OptimizerDef kDef = {
      .id = "rmsprop",
      .title = "RMSprop",
      .help =
          TENON_TEXT("Divides each gradient by its recent size: often used for recurrent nets."),
      .schema = optimizerSchema(
          {rateParam(0.01), decayParam(0.0),
           floatParam("momentum", 0.0)
               .range(0, 1)
               .describe(TENON_TEXT("Share of the last step that is kept.")),
           boolParam("centered", false)
               .describe(TENON_TEXT("Divides by the deviation instead of the size.")),
           floatParam("alpha", 0.99)
               .range(0, 1)
               .below(1)
               .describe(TENON_TEXT("Memory of the mean of squared gradients."))
               .forExperts(),
           epsParam()}),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeFused("rmsprop", params, std::move(parameters), rule(params));
      }};
  return kDef;
}

}  // namespace tenon
