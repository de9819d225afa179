// SPDX-License-Identifier: Apache-2.0
// Layer "dropout": zeroes random values while training (Srivastava et al., JMLR 15, 2014).
#include "engine/ops/dropout/dropout.h"

#include <fmt/format.h>

#include "engine/layers/planning.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("p", 0.5)
              .called(TENON_TEXT("Probability"))
              .range(0, 1)
              .describe(TENON_TEXT("Chance of a value to be set to zero."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result = samePlan(request, 1);
  result.summary = fmt::format("p {:g}", request.params.getFloat("p"));
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([p = request.params.getFloat("p")](const LayerCall& call) {
    return dropout(call.inputs[0], p, call.training);
  });
}

}  // namespace

const LayerDef& layerDef_dropout();
const LayerDef& layerDef_dropout() {
  static const LayerDef kDef = {
      .id = "dropout",
      .title = "Dropout",
      .family = LayerFamily::Regularization,
      .help = TENON_TEXT("Sets random values to zero while training and scales the others up; does "
                         "nothing in validation."),
      .icon = "regularization",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
