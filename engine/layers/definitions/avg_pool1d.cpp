// SPDX-License-Identifier: Apache-2.0
// Layer "avg_pool1d": the mean of each window of a line.
#include "engine/layers/pooling.h"

namespace tenon {

const LayerDef& layerDef_avg_pool1d();
const LayerDef& layerDef_avg_pool1d() {
  static const LayerDef kDef = {.id = "avg_pool1d",
                                .title = "Average pool 1D",
                                .family = LayerFamily::Pooling,
                                .help = TENON_TEXT("Takes the mean of each window."),
                                .icon = "pool",
                                .schema = avgPoolSchema(1),
                                .plan = &planWith<&planPool, 1>,
                                .make = &makeWith<&makeAvgPool, 1>};
  return kDef;
}

}  // namespace tenon
