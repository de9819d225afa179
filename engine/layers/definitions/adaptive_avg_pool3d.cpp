// SPDX-License-Identifier: Apache-2.0
// Layer "adaptive_avg_pool3d": means over windows that give a wanted output size.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_adaptive_avg_pool3d();
const LayerDef& layerDef_adaptive_avg_pool3d() {
  static const LayerDef kDef = {
      .id = "adaptive_avg_pool3d",
      .title = "Adaptive average pool 3D",
      .family = LayerFamily::Pooling,
      .help =
          TENON_TEXT("Takes means so that the output has the wanted size, whatever the input's."),
      .icon = "pool",
      .schema = adaptivePoolSchema(3),
      .plan = &planWith<&planAdaptivePool, 3>,
      .make = &makeWith<&makeAdaptiveAvgPool, 3>};
  return kDef;
}

}  // namespace tenon
