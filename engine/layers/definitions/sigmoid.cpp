// SPDX-License-Identifier: Apache-2.0
// Layer "sigmoid": a pointwise activation.
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_sigmoid();
const LayerDef& layerDef_sigmoid() {
  static const LayerDef kDef = pointwiseLayer<&sigmoid, 4>(
      {.id = "sigmoid", .title = "Sigmoid", .help = TENON_TEXT("Squeezes values into 0 to 1.")});
  return kDef;
}

}  // namespace tenon
