// SPDX-License-Identifier: Apache-2.0
// Layer "adaptive_avg_pool2d": means over windows that give a wanted output size.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_adaptive_avg_pool2d();
const LayerDef& layerDef_adaptive_avg_pool2d() {
  static const LayerDef kDef = {
      .id = "adaptive_avg_pool2d",
      .title = "Adaptive average pool 2D",
      .family = LayerFamily::Pooling,
      .help =
          TENON_TEXT("Takes means so that the output has the wanted size, whatever the input's."),
      .icon = "pool",
      .schema = adaptivePoolSchema(2),
      .plan = &planWith<&planAdaptivePool, 2>,
      .make = &makeWith<&makeAdaptiveAvgPool, 2>};
  return kDef;
}

}  // namespace tenon
