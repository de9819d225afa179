// SPDX-License-Identifier: Apache-2.0
// Layer "relu6": a pointwise activation.
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_relu6();
const LayerDef& layerDef_relu6() {
  static const LayerDef kDef = pointwiseLayer<&relu6, 2>(
      {.id = "relu6",
       .title = "ReLU6",
       .help =
           TENON_TEXT("ReLU that goes no higher than 6; usual in networks for small devices.")});
  return kDef;
}

}  // namespace tenon
