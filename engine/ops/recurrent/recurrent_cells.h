// SPDX-License-Identifier: Apache-2.0
// One step of a recurrent layer; only for the files of this folder.
#pragma once

#include "engine/ops/recurrent/recurrent.h"

namespace tenon::recurrent_parts {

/// Hidden state [N, H] and, for LSTM, cell state [N, H].
struct StepState {
  Tensor hidden;
  Tensor cell;
};

/// @param projected [N, G * H]: the input times its weights, plus its bias
StepState step(RecurrentKind kind, const Tensor& projected, const StepState& before,
               const RecurrentWeights& weights);

}  // namespace tenon::recurrent_parts
