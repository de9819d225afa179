// SPDX-License-Identifier: Apache-2.0
// Layer "conv3d": cross-correlation of a volume with learned filters.
#include "engine/layers/convolution.h"

namespace tenon {

const LayerDef& layerDef_conv3d();
const LayerDef& layerDef_conv3d() {
  static const LayerDef kDef = {
      .id = "conv3d",
      .title = "Convolution 3D",
      .family = LayerFamily::Convolution,
      .help = TENON_TEXT(
          "Slides learned filters over the volume; each output channel is one filter's response."),
      .icon = "conv",
      .schema = convSchema(3),
      .plan = &planWith<&planConv, 3>,
      .make = &makeWith<&makeConv, 3>};
  return kDef;
}

}  // namespace tenon
