// SPDX-License-Identifier: Apache-2.0
// Layer "rnn": a recurrent network whose state is one function of input and state (Elman 1990).
#include "engine/layers/recurrent.h"

namespace tenon {

const LayerDef& layerDef_rnn();
const LayerDef& layerDef_rnn() {
  static const LayerDef kDef = {
      .id = "rnn",
      .title = "RNN",
      .family = LayerFamily::Recurrent,
      .help = TENON_TEXT("Reads a sequence step by step and keeps a state; the simplest recurrent "
                         "layer, with a short memory."),
      .icon = "recurrent",
      .inputs = {"in", "lengths", "h0"},
      .outputs = {"out", "h_n"},
      .optionalInputs = 2,
      .sideOutputs = 1,
      .inputTakes = {LayerTakes::Floating, LayerTakes::Integers},
      .schema = recurrentSchema(RecurrentKind::RnnTanh),
      .plan = &planWith<&planRecurrent, RecurrentKind::RnnTanh>,
      .make = &makeWith<&makeRecurrent, RecurrentKind::RnnTanh>};
  return kDef;
}

}  // namespace tenon
