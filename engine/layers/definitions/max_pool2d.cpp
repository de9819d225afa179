// SPDX-License-Identifier: Apache-2.0
// Layer "max_pool2d": one value a window.
#include "engine/layers/pooling.h"

namespace tenon {
namespace {

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([pool = poolParams(request.params)](const LayerCall& call) {
    return maxPool2d(call.inputs[0], pool);
  });
}

}  // namespace

const LayerDef& layerDef_max_pool2d();
const LayerDef& layerDef_max_pool2d() {
  static const LayerDef kDef = {
      .id = "max_pool2d",
      .title = "Max pool 2D",
      .family = LayerFamily::Pooling,
      .help =
          TENON_TEXT("Keeps the largest value of each window; halves the size with a 2x2 window."),
      .icon = "pool",
      .schema = poolSchema(),
      .plan = &poolPlan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
