// SPDX-License-Identifier: Apache-2.0
// Layer "hard_swish": a pointwise activation (Howard et al. 2019, arXiv:1905.02244).
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_hard_swish();
const LayerDef& layerDef_hard_swish() {
  static const LayerDef kDef = pointwiseLayer<&hardSwish, 4>(
      {.id = "hard_swish",
       .title = "Hard swish",
       .help =
           TENON_TEXT("SiLU made of straight lines and a parabola: x min(max(x + 3, 0), 6) / 6.")});
  return kDef;
}

}  // namespace tenon
