// SPDX-License-Identifier: Apache-2.0
// Layer "silu": a pointwise activation.
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_silu();
const LayerDef& layerDef_silu() {
  static const LayerDef kDef =
      pointwiseLayer<&silu, 5>({.id = "silu",
                                .title = "SiLU",
                                .help = TENON_TEXT("x times its sigmoid, also called Swish.")});
  return kDef;
}

}  // namespace tenon
