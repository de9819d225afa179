// SPDX-License-Identifier: Apache-2.0
// Layer "batch_norm3d": normalizes each channel of volumes over the batch.
#include "engine/layers/batch_norm.h"

namespace tenon {

const LayerDef& layerDef_batch_norm3d();
const LayerDef& layerDef_batch_norm3d() {
  static const LayerDef kDef = {
      .id = "batch_norm3d",
      .title = "Batch norm 3D",
      .family = LayerFamily::Normalization,
      .help = TENON_TEXT("Brings each channel to mean 0 and variance 1 over the batch, then scales "
                         "and shifts it. Uses running statistics when not training."),
      .icon = "norm",
      .schema = batchNormSchema(),
      .plan = &planWith<&planBatchNorm, 3>,
      .make = &makeWith<&makeBatchNorm, 3>};
  return kDef;
}

}  // namespace tenon
