// SPDX-License-Identifier: Apache-2.0
// Layer "relu": a pointwise activation.
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_relu();
const LayerDef& layerDef_relu() {
  static const LayerDef kDef = pointwiseLayer<&relu, 1>(
      {.id = "relu",
       .title = "ReLU",
       .help = TENON_TEXT("max(x, 0): the usual choice for convolutional networks.")});
  return kDef;
}

}  // namespace tenon
