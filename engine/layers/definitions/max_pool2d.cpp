// SPDX-License-Identifier: Apache-2.0
// Layer "max_pool2d": the largest value of each window of a image.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_max_pool2d();
const LayerDef& layerDef_max_pool2d() {
  static const LayerDef kDef = {
      .id = "max_pool2d",
      .title = "Max pool 2D",
      .family = LayerFamily::Pooling,
      .help =
          TENON_TEXT("Keeps the largest value of each window; halves the size with a 2x2 window."),
      .icon = "pool",
      .schema = maxPoolSchema(2),
      .plan = &planWith<&planPool, 2>,
      .make = &makeWith<&makeMaxPool, 2>};
  return kDef;
}

}  // namespace tenon
