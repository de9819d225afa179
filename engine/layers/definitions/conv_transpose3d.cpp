// SPDX-License-Identifier: Apache-2.0
// Layer "conv_transpose3d": the gradient of a convolution over a volume as a layer, to enlarge it.
#include "engine/layers/convolution.h"

namespace tenon {

const LayerDef& layerDef_conv_transpose3d();
const LayerDef& layerDef_conv_transpose3d() {
  static const LayerDef kDef = {
      .id = "conv_transpose3d",
      .title = "Transposed convolution 3D",
      .family = LayerFamily::Convolution,
      .help = TENON_TEXT("Puts a learned filter into the output for each element of the volume; "
                         "enlarges it, as decoders do."),
      .icon = "conv-transpose",
      .schema = convTransposeSchema(3),
      .plan = &planWith<&planConvTranspose, 3>,
      .make = &makeWith<&makeConvTranspose, 3>};
  return kDef;
}

}  // namespace tenon
