// SPDX-License-Identifier: Apache-2.0
// What softmax and its logarithm share as layers.
#pragma once

#include "engine/layers/planning.h"

namespace tenon {

/// Fills in family, icon, form (an axis), plan and execution. @param def id, title and help
template <Tensor (*kFunction)(const Tensor&, int)>
LayerDef softmaxLayer(LayerDef def) {
  def.family = LayerFamily::Activation;
  def.icon = "activation";
  def.schema = {axisParam(-1)};
  def.plan = [](const PlanRequest& request) {
    LayerPlan result;
    if (axisOf(request, "axis", result) < 0) return result;
    return samePlan(request, 5);
  };
  def.make = [](const PlanRequest& request) -> std::unique_ptr<Layer> {
    return functionLayer([axis = static_cast<int>(request.params.getInt("axis"))](
                             const LayerCall& call) { return kFunction(call.inputs[0], axis); });
  };
  return def;
}

}  // namespace tenon
