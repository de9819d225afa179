// SPDX-License-Identifier: Apache-2.0
// Layer "adaptive_max_pool1d": largest values of windows that give a wanted output size.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_adaptive_max_pool1d();
const LayerDef& layerDef_adaptive_max_pool1d() {
  static const LayerDef kDef = {
      .id = "adaptive_max_pool1d",
      .title = "Adaptive max pool 1D",
      .family = LayerFamily::Pooling,
      .help = TENON_TEXT(
          "Keeps largest values so that the output has the wanted size, whatever the input's."),
      .icon = "pool",
      .schema = adaptivePoolSchema(1),
      .plan = &planWith<&planAdaptivePool, 1>,
      .make = &makeWith<&makeAdaptiveMaxPool, 1>};
  return kDef;
}

}  // namespace tenon
