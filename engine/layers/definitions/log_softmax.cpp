// SPDX-License-Identifier: Apache-2.0
// Layer "log_softmax": logarithms of the shares that softmax gives.
#include "engine/layers/softmax.h"
#include "engine/ops/softmax/softmax.h"

namespace tenon {

const LayerDef& layerDef_log_softmax();
const LayerDef& layerDef_log_softmax() {
  static const LayerDef kDef = softmaxLayer<&logSoftmax>(
      {.id = "log_softmax",
       .title = "Log softmax",
       .help = TENON_TEXT("Logarithms of the shares that softmax gives, without overflow; what a "
                          "negative log likelihood loss wants.")});
  return kDef;
}

}  // namespace tenon
