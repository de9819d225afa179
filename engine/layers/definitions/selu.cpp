// SPDX-License-Identifier: Apache-2.0
// Layer "selu": a pointwise activation (Klambauer et al. 2017, arXiv:1706.02515).
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_selu();
const LayerDef& layerDef_selu() {
  static const LayerDef kDef = pointwiseLayer<&selu, 4>(
      {.id = "selu",
       .title = "SELU",
       .help = TENON_TEXT(
           "ELU with the two constants that keep mean 0 and variance 1 from layer to layer.")});
  return kDef;
}

}  // namespace tenon
