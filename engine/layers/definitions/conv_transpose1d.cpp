// SPDX-License-Identifier: Apache-2.0
// Layer "conv_transpose1d": the gradient of a convolution over a line as a layer, to enlarge it.
#include "engine/layers/convolution.h"

namespace tenon {

const LayerDef& layerDef_conv_transpose1d();
const LayerDef& layerDef_conv_transpose1d() {
  static const LayerDef kDef = {
      .id = "conv_transpose1d",
      .title = "Transposed convolution 1D",
      .family = LayerFamily::Convolution,
      .help = TENON_TEXT("Puts a learned filter into the output for each element of the line; "
                         "enlarges it, as decoders do."),
      .icon = "conv-transpose",
      .schema = convTransposeSchema(1),
      .plan = &planWith<&planConvTranspose, 1>,
      .make = &makeWith<&makeConvTranspose, 1>};
  return kDef;
}

}  // namespace tenon
