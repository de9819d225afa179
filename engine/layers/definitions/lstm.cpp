// SPDX-License-Identifier: Apache-2.0
// Layer "lstm": a recurrent network with a gated memory (Hochreiter and Schmidhuber 1997).
#include "engine/layers/recurrent.h"

namespace tenon {

const LayerDef& layerDef_lstm();
const LayerDef& layerDef_lstm() {
  static const LayerDef kDef = {
      .id = "lstm",
      .title = "LSTM",
      .family = LayerFamily::Recurrent,
      .help = TENON_TEXT(
          "Reads a sequence step by step; gates decide what its memory keeps, takes in and shows."),
      .icon = "recurrent",
      .inputs = {"in", "lengths", "h0", "c0"},
      .outputs = {"out", "h_n", "c_n"},
      .optionalInputs = 3,
      .sideOutputs = 2,
      .inputTakes = {LayerTakes::Floating, LayerTakes::Integers},
      .schema = recurrentSchema(RecurrentKind::Lstm),
      .plan = &planWith<&planRecurrent, RecurrentKind::Lstm>,
      .make = &makeWith<&makeRecurrent, RecurrentKind::Lstm>};
  return kDef;
}

}  // namespace tenon
