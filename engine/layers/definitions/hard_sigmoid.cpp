// SPDX-License-Identifier: Apache-2.0
// Layer "hard_sigmoid": a pointwise activation.
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_hard_sigmoid();
const LayerDef& layerDef_hard_sigmoid() {
  static const LayerDef kDef = pointwiseLayer<&hardSigmoid, 3>(
      {.id = "hard_sigmoid",
       .title = "Hard sigmoid",
       .help = TENON_TEXT("Sigmoid made of straight lines: min(max(x + 3, 0), 6) / 6.")});
  return kDef;
}

}  // namespace tenon
