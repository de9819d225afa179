// SPDX-License-Identifier: Apache-2.0
// Layer "avg_pool3d": the mean of each window of a volume.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_avg_pool3d();
const LayerDef& layerDef_avg_pool3d() {
  static const LayerDef kDef = {.id = "avg_pool3d",
                                .title = "Average pool 3D",
                                .family = LayerFamily::Pooling,
                                .help = TENON_TEXT("Takes the mean of each window."),
                                .icon = "pool",
                                .schema = avgPoolSchema(3),
                                .plan = &planWith<&planPool, 3>,
                                .make = &makeWith<&makeAvgPool, 3>};
  return kDef;
}

}  // namespace tenon
