// SPDX-License-Identifier: Apache-2.0
// Activations without parameters: a definition from a function of the operators.
#pragma once

#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {

/// Fills in family, icon, plan and execution. @param def id, title and help
/// kFlops: operations per element by convention of the cost display, not by instruction.
template <Tensor (*kFunction)(const Tensor&), int kFlops>
LayerDef pointwiseLayer(LayerDef def) {
  def.family = LayerFamily::Activation;
  def.icon = "activation";
  def.plan = [](const PlanRequest& request) { return samePlan(request, kFlops); };
  def.make = [](const PlanRequest&) -> std::unique_ptr<Layer> {
    return functionLayer([](const LayerCall& call) { return kFunction(call.inputs[0]); });
  };
  return def;
}

}  // namespace tenon
