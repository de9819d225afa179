// SPDX-License-Identifier: Apache-2.0
// Layer "transformer_encoder": a transformer block that reads one sequence.
#include "engine/layers/transformer.h"

namespace tenon {

const LayerDef& layerDef_transformer_encoder();
const LayerDef& layerDef_transformer_encoder() {
  static const LayerDef kDef = {
      .id = "transformer_encoder",
      .title = "Transformer encoder",
      .family = LayerFamily::Attention,
      .help = TENON_TEXT(
          "Every step looks at all steps of the sequence, then goes through two linear maps. Put "
          "several one after the other; before the first a positional embedding."),
      .icon = "transformer",
      .inputs = {"in", "mask"},
      .optionalInputs = 1,
      .inputTakes = {LayerTakes::Floating, LayerTakes::Mask},
      .schema = transformerSchema(TransformerPart::Encoder),
      .plan = &planWith<&planTransformer, TransformerPart::Encoder>,
      .make = &makeWith<&makeTransformer, TransformerPart::Encoder>};
  return kDef;
}

}  // namespace tenon
