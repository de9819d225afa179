// SPDX-License-Identifier: Apache-2.0
// Layer "softmax": values of an axis become shares of 1.
#include "engine/layers/softmax.h"
#include "engine/ops/softmax/softmax.h"

namespace tenon {

const LayerDef& layerDef_softmax();
const LayerDef& layerDef_softmax() {
  static const LayerDef kDef = softmaxLayer<&softmax>(
      {.id = "softmax",
       .title = "Softmax",
       .help = TENON_TEXT("Turns the values of an axis into shares that add up to 1. Not wanted "
                          "before a cross-entropy loss, which does it itself.")});
  return kDef;
}

}  // namespace tenon
