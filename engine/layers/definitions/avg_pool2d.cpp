// SPDX-License-Identifier: Apache-2.0
// Layer "avg_pool2d": the mean of each window of a image.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_avg_pool2d();
const LayerDef& layerDef_avg_pool2d() {
  static const LayerDef kDef = {.id = "avg_pool2d",
                                .title = "Average pool 2D",
                                .family = LayerFamily::Pooling,
                                .help = TENON_TEXT("Takes the mean of each window."),
                                .icon = "pool",
                                .schema = avgPoolSchema(2),
                                .plan = &planWith<&planPool, 2>,
                                .make = &makeWith<&makeAvgPool, 2>};
  return kDef;
}

}  // namespace tenon
