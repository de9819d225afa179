// SPDX-License-Identifier: Apache-2.0
// Layer "subtract": the difference of two inputs.
#include "engine/layers/merging.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return sub(call.inputs[0], call.inputs[1]); });
}

}  // namespace

const LayerDef& layerDef_subtract();
const LayerDef& layerDef_subtract() {
  static const LayerDef kDef = {
      .id = "subtract",
      .title = "Subtract",
      .family = LayerFamily::Merge,
      .help = TENON_TEXT(
          "Takes its second input from the first, element by element; sizes of 1 repeat."),
      .icon = "remove",
      .inputs = {"from", "what"},
      .plan = &planBroadcast,
      .make = &make};
  return kDef;
}

}  // namespace tenon
