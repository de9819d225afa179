// SPDX-License-Identifier: Apache-2.0
// Layer "avg_pool2d": one value a window.
#include "engine/layers/pooling.h"

namespace tenon {
namespace {

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([pool = poolParams(request.params)](const LayerCall& call) {
    return avgPool2d(call.inputs[0], pool);
  });
}

}  // namespace

const LayerDef& layerDef_avg_pool2d();
const LayerDef& layerDef_avg_pool2d() {
  static const LayerDef kDef = {.id = "avg_pool2d",
                                .title = "Average pool 2D",
                                .family = LayerFamily::Pooling,
                                .help = TENON_TEXT("Takes the mean of each window."),
                                .icon = "pool",
                                .schema = poolSchema(),
                                .plan = &poolPlan,
                                .make = &make};
  return kDef;
}

}  // namespace tenon
