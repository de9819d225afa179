// SPDX-License-Identifier: Apache-2.0
// Layer "adaptive_max_pool3d": largest values of windows that give a wanted output size.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_adaptive_max_pool3d();
const LayerDef& layerDef_adaptive_max_pool3d() {
  static const LayerDef kDef = {
      .id = "adaptive_max_pool3d",
      .title = "Adaptive max pool 3D",
      .family = LayerFamily::Pooling,
      .help = TENON_TEXT(
          "Keeps largest values so that the output has the wanted size, whatever the input's."),
      .icon = "pool",
      .schema = adaptivePoolSchema(3),
      .plan = &planWith<&planAdaptivePool, 3>,
      .make = &makeWith<&makeAdaptiveMaxPool, 3>};
  return kDef;
}

}  // namespace tenon
