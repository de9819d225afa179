// SPDX-License-Identifier: Apache-2.0
// Layer "gru": a recurrent network with two gates (Cho et al. 2014, arXiv:1406.1078).
#include "engine/layers/recurrent.h"

namespace tenon {

const LayerDef& layerDef_gru();
const LayerDef& layerDef_gru() {
  static const LayerDef kDef = {.id = "gru",
                                .title = "GRU",
                                .family = LayerFamily::Recurrent,
                                .help = TENON_TEXT("Reads a sequence step by step with two gates: "
                                                   "fewer weights than LSTM."),
                                .icon = "recurrent",
                                .inputs = {"in", "lengths", "h0"},
                                .outputs = {"out", "h_n"},
                                .optionalInputs = 2,
                                .sideOutputs = 1,
                                .inputTakes = {LayerTakes::Floating, LayerTakes::Integers},
                                .schema = recurrentSchema(RecurrentKind::Gru),
                                .plan = &planWith<&planRecurrent, RecurrentKind::Gru>,
                                .make = &makeWith<&makeRecurrent, RecurrentKind::Gru>};
  return kDef;
}

}  // namespace tenon
