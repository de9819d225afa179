// SPDX-License-Identifier: Apache-2.0
// Optimizer "lion" (Chen et al. 2023, arXiv:2302.06675, algorithm 2); weights decay apart from the
// gradient.
#include "engine/base/error.h"
#include "engine/optim/fused_optimizer.h"
#include "engine/optim/optimizer_schema.h"

namespace tenon {
namespace {

FusedRule rule(const ParamMap& params) {
  const MomentNumbers numbers{params.getFloat("beta1"), params.getFloat("beta2"), 0};
  return {.kind = StepKind::Lion,
          .flags = {.decoupled = 1},
          .states = {"exp_avg"},
          .scalars = [numbers](const StepPoint& at, std::span<double> s) {
            writeMoments(s, at, numbers, true);
            s[kRuleRate] = at.rate;
          }};
}

}  // namespace

const OptimizerDef& optimizerDef_lion();
const OptimizerDef& optimizerDef_lion() {
  static const OptimizerDef kDef = {
      .id = "lion",
      .title = "Lion",
      .help = TENON_TEXT("Steps of one size in the direction of the momentum: a tenth of AdamW's "
                         "rate, less memory."),
      .schema = optimizerSchema(
          {rateParam(1e-4), decayParam(0.0),
           beta1Param().describe(TENON_TEXT("Share of the memory in the step.")),
           beta2Param(0.99).describe(TENON_TEXT("Memory of the mean of gradients."))}),
      .make = [](const ParamMap& params, std::vector<OptimizedParameter> parameters) {
        return makeFused("lion", params, std::move(parameters), rule(params));
      }};
  return kDef;
}

}  // namespace tenon
