// SPDX-License-Identifier: Apache-2.0
// Layer "batch_norm1d": normalizes each channel of rows or lines over the batch.
#include "engine/layers/batch_norm.h"

namespace tenon {

const LayerDef& layerDef_batch_norm1d();
const LayerDef& layerDef_batch_norm1d() {
  static const LayerDef kDef = {
      .id = "batch_norm1d",
      .title = "Batch norm 1D",
      .family = LayerFamily::Normalization,
      .help = TENON_TEXT("Brings each channel to mean 0 and variance 1 over the batch, then scales "
                         "and shifts it. Uses running statistics when not training."),
      .icon = "norm",
      .schema = batchNormSchema(),
      .plan = &planWith<&planBatchNorm, 1>,
      .make = &makeWith<&makeBatchNorm, 1>};
  return kDef;
}

}  // namespace tenon
