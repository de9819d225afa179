// SPDX-License-Identifier: Apache-2.0
// Layer "conv2d": cross-correlation of a image with learned filters.
#include "engine/layers/convolution.h"

namespace tenon {

const LayerDef& layerDef_conv2d();
const LayerDef& layerDef_conv2d() {
  static const LayerDef kDef = {
      .id = "conv2d",
      .title = "Convolution 2D",
      .family = LayerFamily::Convolution,
      .help = TENON_TEXT(
          "Slides learned filters over the image; each output channel is one filter's response."),
      .icon = "conv",
      .schema = convSchema(2),
      .plan = &planWith<&planConv, 2>,
      .make = &makeWith<&makeConv, 2>};
  return kDef;
}

}  // namespace tenon
