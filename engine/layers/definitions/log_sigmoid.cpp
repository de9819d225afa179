// SPDX-License-Identifier: Apache-2.0
// Layer "log_sigmoid": a pointwise activation.
#include "engine/layers/pointwise.h"

namespace tenon {

const LayerDef& layerDef_log_sigmoid();
const LayerDef& layerDef_log_sigmoid() {
  static const LayerDef kDef = pointwiseLayer<&logSigmoid, 5>(
      {.id = "log_sigmoid",
       .title = "Log sigmoid",
       .help = TENON_TEXT("Logarithm of the sigmoid, without overflow.")});
  return kDef;
}

}  // namespace tenon
