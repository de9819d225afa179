// SPDX-License-Identifier: Apache-2.0
// Layer "tanh": a pointwise activation.
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_tanh();
const LayerDef& layerDef_tanh() {
  static const LayerDef kDef = pointwiseLayer<&tanh, 5>(
      {.id = "tanh", .title = "Tanh", .help = TENON_TEXT("Squeezes values into -1 to 1.")});
  return kDef;
}

}  // namespace tenon
