// SPDX-License-Identifier: Apache-2.0
// Layer "max_pool1d": the largest value of each window of a line.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_max_pool1d();
const LayerDef& layerDef_max_pool1d() {
  static const LayerDef kDef = {
      .id = "max_pool1d",
      .title = "Max pool 1D",
      .family = LayerFamily::Pooling,
      .help = TENON_TEXT(
          "Keeps the largest value of each window; halves the length with a window of 2."),
      .icon = "pool",
      .schema = maxPoolSchema(1),
      .plan = &planWith<&planPool, 1>,
      .make = &makeWith<&makeMaxPool, 1>};
  return kDef;
}

}  // namespace tenon
