// SPDX-License-Identifier: Apache-2.0
// Layer "transformer_decoder": a transformer block that also reads the result of an encoder.
#include "engine/layers/transformer.h"

namespace tenon {

const LayerDef& layerDef_transformer_decoder();
const LayerDef& layerDef_transformer_decoder() {
  static const LayerDef kDef = {
      .id = "transformer_decoder",
      .title = "Transformer decoder",
      .family = LayerFamily::Attention,
      .help = TENON_TEXT("As the encoder block, but steps also look at a second sequence, usually "
                         "the encoder's result."),
      .icon = "transformer",
      .inputs = {"in", "memory", "mask", "memory_mask"},
      .optionalInputs = 2,
      .inputTakes = {LayerTakes::Floating, LayerTakes::Floating, LayerTakes::Mask,
                     LayerTakes::Mask},
      .schema = transformerSchema(TransformerPart::Decoder),
      .plan = &planWith<&planTransformer, TransformerPart::Decoder>,
      .make = &makeWith<&makeTransformer, TransformerPart::Decoder>};
  return kDef;
}

}  // namespace tenon
