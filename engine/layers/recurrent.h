// SPDX-License-Identifier: Apache-2.0
// What the recurrent layers share: form, weights named as PyTorch's, execution over sequences.
#pragma once

#include "engine/layers/planning.h"
#include "engine/ops/recurrent/recurrent.h"

namespace tenon {

/// hidden_size, num_layers, bidirectional, output, dropout, bias; of an Elman network (RnnTanh,
/// RnnRelu) also nonlinearity.
ParamSchema recurrentSchema(RecurrentKind kind);
/// [N, T, I] to the whole sequence [N, T, directions * H] or what it ends in [N, directions * H].
///
/// Optional inputs: `lengths`, whole numbers [N], each 1 .. T: steps beyond a row's length are not
/// run and give zeros, as PyTorch's packed sequences; `h0` and, of an LSTM, `c0`: what the states
/// start as, else zeros. Further outputs: `h_n` and, of an LSTM, `c_n`: the states after the last
/// step within each length. All states are [N, layers * directions, H], layer by layer, forward
/// first.
LayerPlan planRecurrent(const PlanRequest& request, RecurrentKind kind);
std::unique_ptr<Layer> makeRecurrent(const PlanRequest& request, RecurrentKind kind);

}  // namespace tenon
