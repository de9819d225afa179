// SPDX-License-Identifier: Apache-2.0
// Layer "softsign": a pointwise activation.
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_softsign();
const LayerDef& layerDef_softsign() {
  static const LayerDef kDef = pointwiseLayer<&softsign, 3>(
      {.id = "softsign",
       .title = "Softsign",
       .help = TENON_TEXT("x / (1 + |x|): squeezes values into -1 to 1, more slowly than tanh.")});
  return kDef;
}

}  // namespace tenon
