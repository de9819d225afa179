// SPDX-License-Identifier: Apache-2.0
// Layer "output": what the loss and the metrics see.
#include "engine/layers/planning.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) { return samePlan(request, 0); }

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return call.inputs[0]; });
}

}  // namespace

const LayerDef& layerDef_output();
const LayerDef& layerDef_output() {
  static const LayerDef kDef = {
      .id = "output",
      .title = "Output",
      .family = LayerFamily::Data,
      .help = TENON_TEXT("The model's result. The loss compares it with the targets; for "
                         "cross-entropy it holds logits, "
                         "one per class."),
      .icon = "results",
      .outputs = {},
      .takes = LayerTakes::Any,
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
