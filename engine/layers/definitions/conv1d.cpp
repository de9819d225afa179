// SPDX-License-Identifier: Apache-2.0
// Layer "conv1d": cross-correlation of a line with learned filters.
#include "engine/layers/convolution.h"

namespace tenon {

const LayerDef& layerDef_conv1d();
const LayerDef& layerDef_conv1d() {
  static const LayerDef kDef = {
      .id = "conv1d",
      .title = "Convolution 1D",
      .family = LayerFamily::Convolution,
      .help = TENON_TEXT(
          "Slides learned filters over the line; each output channel is one filter's response."),
      .icon = "conv",
      .schema = convSchema(1),
      .plan = &planWith<&planConv, 1>,
      .make = &makeWith<&makeConv, 1>};
  return kDef;
}

}  // namespace tenon
