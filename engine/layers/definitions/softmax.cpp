// SPDX-License-Identifier: Apache-2.0
// Layer "softmax": values of the last axis become shares of 1.
#include "engine/ops/softmax/softmax.h"

#include "engine/layers/planning.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) { return samePlan(request, 5); }

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return softmax(call.inputs[0], -1); });
}

}  // namespace

const LayerDef& layerDef_softmax();
const LayerDef& layerDef_softmax() {
  static const LayerDef kDef = {
      .id = "softmax",
      .title = "Softmax",
      .family = LayerFamily::Activation,
      .help = TENON_TEXT("Turns the values of the last axis into shares that add up to 1. Not "
                         "wanted before a cross-entropy "
                         "loss, which does it itself."),
      .icon = "activation",
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
