// SPDX-License-Identifier: Apache-2.0
// Layer "max_pool3d": the largest value of each window of a volume.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_max_pool3d();
const LayerDef& layerDef_max_pool3d() {
  static const LayerDef kDef = {
      .id = "max_pool3d",
      .title = "Max pool 3D",
      .family = LayerFamily::Pooling,
      .help = TENON_TEXT(
          "Keeps the largest value of each window; halves the size with a 2x2x2 window."),
      .icon = "pool",
      .schema = maxPoolSchema(3),
      .plan = &planWith<&planPool, 3>,
      .make = &makeWith<&makeMaxPool, 3>};
  return kDef;
}

}  // namespace tenon
