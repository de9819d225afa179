// SPDX-License-Identifier: Apache-2.0
// Layer "identity": passes its input on.
#include "engine/layers/planning.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) { return samePlan(request, 0); }

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return call.inputs[0]; });
}

}  // namespace

const LayerDef& layerDef_identity();
const LayerDef& layerDef_identity() {
  static const LayerDef kDef = {
      .id = "identity",
      .title = "Identity",
      .family = LayerFamily::Shape,
      .help = TENON_TEXT("Passes its input on unchanged; useful as a named place."),
      .icon = "shape",
      .takes = LayerTakes::Any,
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
