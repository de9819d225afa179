// SPDX-License-Identifier: Apache-2.0
// Layer "conv_transpose2d": the gradient of a convolution over a image as a layer, to enlarge it.
#include "engine/layers/convolution.h"

namespace tenon {

const LayerDef& layerDef_conv_transpose2d();
const LayerDef& layerDef_conv_transpose2d() {
  static const LayerDef kDef = {
      .id = "conv_transpose2d",
      .title = "Transposed convolution 2D",
      .family = LayerFamily::Convolution,
      .help = TENON_TEXT("Puts a learned filter into the output for each element of the image; "
                         "enlarges it, as decoders do."),
      .icon = "conv-transpose",
      .schema = convTransposeSchema(2),
      .plan = &planWith<&planConvTranspose, 2>,
      .make = &makeWith<&makeConvTranspose, 2>};
  return kDef;
}

}  // namespace tenon
