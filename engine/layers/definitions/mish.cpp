// SPDX-License-Identifier: Apache-2.0
// Layer "mish": a pointwise activation (Misra 2019, arXiv:1908.08681).
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_mish();
const LayerDef& layerDef_mish() {
  static const LayerDef kDef = pointwiseLayer<&mish, 8>(
      {.id = "mish",
       .title = "Mish",
       .help = TENON_TEXT(
           "x times the tanh of its softplus; smooth, and lets small negative values through.")});
  return kDef;
}

}  // namespace tenon
